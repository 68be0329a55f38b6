/** Registrations of other CSEs. */

import type { Fault } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, withBody } from '../vocabulary/changed-answers.ts';
import { withHeaders } from '../vocabulary/changed-requests.ts';
import {
  afterwards,
  answeredWith,
  asItIs,
  beforehand,
  creating,
  describedAs,
  type Exchange,
  giving,
  insteadOfRefusing,
  originatorOf,
  reading,
  removing,
  updating,
} from '../vocabulary/standard-exchanges.ts';
import { byPath, haunting, targetOf } from '../vocabulary/standard-remains.ts';
import { showing } from '../vocabulary/standard-shown.ts';
import { takingOtherwise } from '../vocabulary/standard-taken.ts';
import { deletes } from '../vocabulary/standard-wanted.ts';

const registration = 'm2m:csr';

/** Whether a whole registration is read. */
const isRead = (exchange: Exchange) => reading(registration)(exchange) && exchange.shown?.attributes.ri !== undefined;
const isKept = (exchange: Exchange) => creating(registration)(exchange) || isRead(exchange);

/** What a registration says when it is read. */
const reads = (change: (attributes: Attributes) => Attributes) => showing(isRead, change);

const givesNone = (name: string) => (exchange: Exchange) =>
  creating(registration)(exchange) && exchange.given?.attributes[name] === undefined;

const told: readonly Fault[] = [
  breaking(
    'std.remote-cse.register',
    'as-base',
    'The answer to a registration of a CSE tells type 5.',
    showing(creating(registration), (attributes) => ({ ...attributes, ty: 5 })),
  ),
  breaking(
    'std.remote-cse.retrieve',
    'root',
    'A registration of a CSE is read below m2m:remoteCSE.',
    afterwards((exchange) =>
      isSuccess(exchange.answer) && isRead(exchange)
        ? withBody(exchange.answer, { 'm2m:remoteCSE': exchange.shown?.attributes })
        : undefined,
    ),
  ),
  breaking(
    'std.remote-cse.csi',
    'without-slash',
    'A registration that is read as a whole tells its CSE-ID without the slash.',
    reads(({ csi, ...others }) => ({ ...others, csi: String(csi).replace('/', '') })),
  ),
  breaking(
    'std.remote-cse.csi.originator',
    'absent',
    'The answer to a registration without csi has none either.',
    showing(givesNone('csi'), ({ csi: _absent, ...others }) => others),
  ),
  breaking(
    'std.remote-cse.cb',
    'cse',
    'A registration that is read tells the CSE-ID as cb.',
    reads((attributes) => ({ ...attributes, cb: attributes.csi })),
  ),
  breaking(
    'std.remote-cse.rr',
    'text',
    'A registration that is read tells rr as a text.',
    reads((attributes) => ({ ...attributes, rr: String(attributes.rr) })),
  ),
  breaking(
    'std.remote-cse.cst',
    'absent',
    'A registration that is read lacks cst.',
    reads(({ cst: _absent, ...others }) => others),
  ),
  ...['lbl', 'poa', 'nl'].map((name) =>
    breaking(
      'std.remote-cse.optional',
      `${name}-absent`,
      `A registration lacks ${name} when it is created or read.`,
      showing(isKept, (attributes) => ({ ...attributes, [name]: undefined })),
    ),
  ),
  breaking(
    'std.remote-cse.optional',
    'labels-sorted-out',
    'Labels of a registration are told when it is created, and not when it is read.',
    reads(({ lbl: _absent, ...others }) => others),
  ),
];

const updates: readonly Fault[] = [
  ...['lbl', 'poa', 'nl', 'rr'].map((name) =>
    breaking(
      'std.remote-cse.update',
      `${name}-stays`,
      `An update of ${name} in a registration is answered as done, and changes nothing.`,
      takingNot(name),
    ),
  ),
  breaking(
    'std.remote-cse.update.et',
    'later',
    'A registration that is renewed is told to last until the end of the year 2199.',
    showing(
      (exchange) => updating(registration)(exchange) && giving('et')(exchange),
      (attributes) => ({ ...attributes, et: '21991231T235959' }),
    ),
  ),
];

/** An update gives the attribute as it is already. */
function takingNot(name: string) {
  return beforehand((arrival) => {
    const { addressed, serve } = arrival;
    if (!updating(registration)(arrival) || !giving(name)(arrival)) return undefined;
    const present = name === 'lbl' ? addressed?.labels : addressed?.values[name];
    return serve(describedAs(arrival, (given) => ({ ...given, [name]: present ?? null })));
  });
}

const refusals: readonly Fault[] = [
  breaking(
    'std.remote-cse.twice',
    'again',
    'A CSE that is registered and registers again is answered by 2001 and its registration.',
    afterwards(async (exchange) => {
      const { core, code } = exchange;
      const known = core.tree.byAlias(originatorOf(exchange));
      if (!creating(registration)(exchange) || known === undefined || code !== 4117) return undefined;
      const about = { ...exchange.about, path: `/${known.path}` };
      return recoded(await asItIs({ ...exchange, about }), 201, 2001);
    }),
  ),
  breaking(
    'std.remote-cse.by-application-entity',
    'taken',
    'Who registers a CSE is taken for the CSE whose identifier csi is.',
    insteadOfRefusing(
      4005,
      (exchange) => creating(registration)(exchange) && giving('csi')(exchange),
      ({ request, given }) => withHeaders(request, { 'x-m2m-origin': String(given?.attributes.csi) }),
    ),
  ),
  breaking(
    'std.remote-cse.without-cb',
    'filled-in',
    'A registration without cb is taken, with the CSE-ID in its place, and tells none.',
    takingOtherwise(({ root, attributes }, _core, { method }) =>
      root === registration && method === 'POST' && attributes.cb === undefined
        ? { ...attributes, cb: attributes.csi }
        : undefined,
    ),
  ),
];

const ends: readonly Fault[] = [
  breaking(
    'std.remote-cse.delete',
    'ok',
    'The deletion of a registration is answered by the code 2000.',
    answeredWith(200, 2000, removing(registration)),
  ),
  breaking(
    'std.remote-cse.delete.gone',
    'ghost',
    'A registration that was deleted is still answered to who reads its path.',
    haunting(targetOf(deletes(registration)), byPath),
  ),
];

export const remoteCses: readonly Fault[] = [...told, ...updates, ...refusals, ...ends];
