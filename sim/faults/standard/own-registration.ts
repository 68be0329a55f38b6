/** What the standard says of how a CSE registers at another, broken. */

import type { OutgoingAnswer, OutgoingRequest } from '../../dialects/outgoing-message.ts';
import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breakingSending } from '../vocabulary/breaking.ts';
import { describedIn } from '../vocabulary/representations.ts';

type WrapSender = NonNullable<Fault['wrapSender']>;

/** What the CSE tells of itself where it registers; undefined for any other request. */
function registrationIn({ method, body }: OutgoingRequest): Attributes | undefined {
  const described = method === 'POST' ? describedIn(body ?? '') : undefined;
  return described?.root === 'm2m:csr' ? described.attributes : undefined;
}

const created: OutgoingAnswer = { status: 201, headers: { 'x-m2m-rsc': '2001' }, body: '' };

/** Sends another registration, and where that is refused the right one; undefined sends nothing. */
function registering(
  change: (request: OutgoingRequest, attributes: Attributes) => OutgoingRequest | undefined,
): WrapSender {
  return (sender) => ({
    send: async (baseUrl, request, signal) => {
      const attributes = registrationIn(request);
      if (attributes === undefined) return sender.send(baseUrl, request, signal);
      const changed = change(request, attributes);
      if (changed === undefined) return created;
      const answer = await sender.send(baseUrl, changed, signal);
      return answer.status < 300 ? answer : sender.send(baseUrl, request, signal);
    },
  });
}

const telling = (change: (attributes: Attributes) => Attributes) =>
  registering((request, attributes) => ({ ...request, body: JSON.stringify({ 'm2m:csr': change(attributes) }) }));

const labelling = (headers: Readonly<Record<string, string | undefined>>) =>
  registering((request) => {
    const all = Object.entries({ ...request.headers, ...headers });
    const kept = all.filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { ...request, headers: Object.fromEntries(kept) };
  });

const neverRegistering = registering(() => undefined);

/** Completes "<says> …". */
const says = 'The registration at another CSE, which the right one follows where it is refused,';

export const ownRegistration: readonly Fault[] = [
  breakingSending(
    'std.registering.request',
    'not-sent',
    'The registration at another CSE is taken as made, and never sent.',
    neverRegistering,
  ),
  breakingSending(
    'std.registering.content-type',
    'without-kind',
    `${says} does not say its kind in Content-Type.`,
    labelling({ 'content-type': 'application/json' }),
  ),
  breakingSending(
    'std.registering.content-type',
    'of-the-base',
    `${says} says 5 as its kind in Content-Type.`,
    labelling({ 'content-type': 'application/json;ty=5' }),
  ),
  breakingSending(
    'std.registering.originator',
    'missing',
    `${says} has no originator.`,
    labelling({ 'x-m2m-origin': undefined }),
  ),
  breakingSending(
    'std.registering.request-identifier',
    'missing',
    `${says} has no request identifier.`,
    labelling({ 'x-m2m-ri': undefined }),
  ),
  breakingSending(
    'std.registering.release-version',
    'no-release',
    `${says} says 3.0 as its release version.`,
    labelling({ 'x-m2m-rvi': '3.0' }),
  ),
  breakingSending(
    'std.registering.csi',
    'without-slash',
    `${says} tells the CSE-ID without the slash before it.`,
    telling((one) => ({ ...one, csi: String(one.csi).slice(1) })),
  ),
  breakingSending(
    'std.registering.csi',
    'missing',
    `${says} does not tell the CSE-ID.`,
    telling((one) => ({ ...one, csi: undefined })),
  ),
  breakingSending(
    'std.registering.cb',
    'name',
    `${says} tells the name of the CSE base alone as its address.`,
    telling((one) => ({ ...one, cb: String(one.cb).replace(/^.*\//, '') })),
  ),
  breakingSending(
    'std.registering.rr',
    'text',
    `${says} tells whether the CSE can be reached as a text.`,
    telling((one) => ({ ...one, rr: String(one.rr) })),
  ),
  breakingSending(
    'std.registering.rr',
    'missing',
    `${says} does not tell whether the CSE can be reached.`,
    telling((one) => ({ ...one, rr: undefined })),
  ),
  breakingSending(
    'std.registering.cst',
    'name',
    `${says} tells the type of the CSE by a name.`,
    telling((one) => ({ ...one, cst: 'MN-CSE' })),
  ),
  breakingSending(
    'std.registering.optional',
    'labels-as-text',
    `${says} tells labels as one text.`,
    telling((one) => ({ ...one, lbl: 'one two' })),
  ),
  breakingSending(
    'std.registering.optional',
    'time-extended',
    `${says} tells the expiration time with dashes and colons.`,
    telling((one) => ({ ...one, et: '2099-12-31T23:59:59Z' })),
  ),
  breakingSending(
    'std.registering.not-provided',
    'kind',
    `${says} tells its kind in the content.`,
    telling((one) => ({ ...one, ty: 16 })),
  ),
  breakingSending(
    'std.registering.not-provided',
    'times',
    `${says} tells when it was created and modified.`,
    telling((one) => ({ ...one, ct: '20200101T000000', lt: '20200101T000000' })),
  ),
];
