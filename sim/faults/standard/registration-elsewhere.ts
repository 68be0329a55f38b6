/** What the standard says of application entities with an identifier of the service provider, broken at a CSE that is no infrastructure node. */

import { BAD_REQUEST, CREATED, NOT_IMPLEMENTED, OK, ORIGINATOR_HAS_ALREADY_REGISTERED } from '../../core/status.ts';
import type { OutgoingAnswer, OutgoingRequest } from '../../dialects/outgoing-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breaking, breakingSending } from '../vocabulary/breaking.ts';
import { changingSent } from '../vocabulary/changed-notifications.ts';
import { describedIn } from '../vocabulary/representations.ts';
import { answering, codingAs, refusingThose, showingAs } from '../vocabulary/standard-changes.ts';
import { all, creates, deletes, readsWhole, type Which } from '../vocabulary/standard-wanted.ts';

type WrapSender = NonNullable<Fault['wrapSender']>;

const ofProvider: Which = ({ originator }) => /^S./.test(originator);
const registers = all(creates('m2m:ae'), ofProvider);

/** What is told to the infrastructure node of an announced application entity. */
function toldIn({ body }: OutgoingRequest): Attributes | undefined {
  const described = describedIn(body ?? '');
  return described?.root === 'm2m:aeA' ? described.attributes : undefined;
}

type Told = (request: OutgoingRequest, attributes: Attributes) => boolean;

const announces: Told = ({ method }) => method === 'POST';
const asksForIdentifier: Told = (request) =>
  announces(request, {}) && /\/S$/.test(request.headers['X-M2M-Origin'] ?? '');
const names: Told = (request) => announces(request, {}) && !asksForIdentifier(request, {});
const leaves: Told = ({ method }, { lnk }) => method === 'PUT' && lnk === 'INACTIVE';
const returns: Told = ({ method }, { lnk }) => method === 'PUT' && lnk !== 'INACTIVE';

function telling(when: Told, change: (attributes: Attributes) => Attributes): WrapSender {
  return changingSent((request) => {
    const attributes = toldIn(request);
    if (attributes === undefined || !when(request, attributes)) return undefined;
    return { ...request, body: JSON.stringify({ 'm2m:aeA': change(attributes) }) };
  });
}

/** What is taken as answered in place of being sent, or of what was answered. */
function hearing(when: Told, hear: (send: () => Promise<OutgoingAnswer>) => Promise<OutgoingAnswer>): WrapSender {
  return (sender) => ({
    send: (baseUrl, request, signal) => {
      const send = () => sender.send(baseUrl, request, signal);
      const attributes = toldIn(request);
      return attributes !== undefined && when(request, attributes) ? hear(send) : send();
    },
  });
}

const done: OutgoingAnswer = { status: 200, headers: { 'x-m2m-rsc': '2004' }, body: '' };
const takenAsDone = (when: Told) => hearing(when, async () => done);

/** What is told of those who have left before is taken as done, and not sent. */
const forgetful: WrapSender = (sender, core) => {
  const left = new Set<string>();
  const comesBack: Told = (request, attributes) => {
    if (leaves(request, attributes)) left.add(request.target);
    return returns(request, attributes) && left.has(request.target);
  };
  return takenAsDone(comesBack)(sender, core);
};

/** The identifier that was assigned, with one letter more. */
const another: WrapSender = hearing(asksForIdentifier, async (send) => {
  const answer = await send();
  const shown = describedIn(answer.body);
  if (shown === undefined) return answer;
  const attributes = { ...shown.attributes, ri: `${shown.attributes.ri}x` };
  return { ...answer, body: JSON.stringify({ [shown.root]: attributes }) };
});

/** Deletes, with the right of the CSE itself, in place of saying that the application entity is registered nowhere. */
const deleting: WrapSender = changingSent((request, _baseUrl, core) => {
  const attributes = toldIn(request);
  if (attributes === undefined || !leaves(request, attributes)) return undefined;
  const headers = { ...request.headers, 'X-M2M-Origin': `/${core.configuration.cseId}` };
  return { method: 'DELETE', target: request.target, headers };
});

/** Who deregisters is remembered by its identifier. */
const welcomingBack: Wrap = (service, core) => {
  const left = new Set<string>();
  const leaving = answering(all(deletes('m2m:ae'), ofProvider), (_, { originator }) => {
    left.add(originator);
    return undefined;
  });
  const returning = codingAs(
    all(registers, ({ originator }) => left.has(originator)),
    CREATED,
    OK,
  );
  return returning(leaving(service, core), core);
};

export const registrationElsewhere: readonly Fault[] = [
  breaking(
    'std.ae.register.through.own',
    'not-implemented',
    'A registration under an identifier of the service provider is refused with 5001.',
    refusingThose(registers, NOT_IMPLEMENTED),
  ),
  breaking(
    'std.ae.register.through.identifier',
    'of-its-own',
    'An application entity with an identifier of the service provider that is read tells a resource identifier that begins with ae.',
    showingAs(all(readsWhole('m2m:ae'), ofProvider), 'ri', (ri) => `ae-${String(ri).slice(1)}`),
  ),
  breakingSending(
    'std.ae.register.through.announces',
    'not-sent',
    'An application entity with an identifier of the service provider is not announced at the infrastructure node.',
    takenAsDone(names),
  ),
  breakingSending(
    'std.ae.register.through.asks',
    'another',
    'An application entity has the identifier that the infrastructure node has assigned, with one letter more.',
    another,
  ),
  breakingSending(
    'std.ae.register.through.app-id',
    'another',
    'What is announced to be given an identifier tells N as the App-ID.',
    telling(asksForIdentifier, (one) => ({ ...one, api: 'N' })),
  ),
  breakingSending(
    'std.ae.register.through.link',
    'cse-relative',
    'The link of what is announced under an identifier of its own is without the CSE-ID.',
    telling(names, (one) => ({ ...one, lnk: String(one.lnk).replace(/^.*\//, '') })),
  ),
  breaking(
    'std.ae.register.through.twice',
    'bad-request',
    'An identifier of the service provider that is registered is refused with 4000.',
    codingAs(registers, ORIGINATOR_HAS_ALREADY_REGISTERED, BAD_REQUEST),
  ),
  breakingSending(
    'std.ae.register.through.again',
    'not-sent',
    'Where an application entity with an identifier of the service provider comes back, the infrastructure node is not told.',
    forgetful,
  ),
  breaking(
    'std.ae.register.through.answer',
    'ok',
    'An application entity with an identifier of the service provider that comes back is answered with 2000.',
    welcomingBack,
  ),
  breakingSending(
    'std.ae.deregister.through',
    'not-told',
    'Where an application entity with an identifier of the service provider deregisters, the infrastructure node is not told.',
    takenAsDone(leaves),
  ),
  breakingSending(
    'std.ae.deregister.through.stays',
    'deleted',
    'Where an application entity with an identifier of the service provider deregisters, what is announced is deleted.',
    deleting,
  ),
];
