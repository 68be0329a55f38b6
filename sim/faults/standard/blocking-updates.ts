/** What the standard says of updates that somebody has to allow, broken. */

import type { Resource } from '../../core/resource.ts';
import type { Fault } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import { isObject } from '../vocabulary/representations.ts';
import {
  afterwards,
  answeredWith,
  arrivalOf,
  creating,
  describedAs,
  type Exchange,
  insteadOfRefusing,
  lettingPass,
  refusedAs,
  updating,
  type When,
  without,
} from '../vocabulary/standard-exchanges.ts';
import {
  doubling,
  mishearing,
  ofEvent,
  retelling,
  sharing,
  subscribingOtherwise,
  subscriptionsTo,
  withCriteria,
  withEvent,
} from '../vocabulary/standard-notifications.ts';

const blocking = 7;
const denied = 4127;
const unreachable = 5107;

const isGuarded = (resource: Resource | undefined) => subscriptionsTo(resource, blocking).length > 0;

/** Whether the guard of a resource is asked about each of its attributes. */
const isGuardedWhole = (resource: Resource | undefined) =>
  subscriptionsTo(resource, blocking).some(({ values }) => conditions(values).atr === undefined);

const wantsToBlock = ({ enc }: Attributes) => isObject(enc) && Array.isArray(enc.net) && enc.net.includes(blocking);

/** A subscription is to be created that would be a blocking one. */
const created: When = (arrival) => creating('m2m:sub')(arrival) && wantsToBlock(arrival.given?.attributes ?? {});

const conditions = (attributes: Attributes) => (isObject(attributes.enc) ? attributes.enc : {});
const hasOnlyTarget = ({ nu }: Attributes) => Array.isArray(nu) && nu.length === 1;
const isUrl = (target: unknown) => /^https?:/.test(String(target));

/** A creation that is refused for this, and for nothing else that is looked at here. */
const createdWith =
  (matches: (attributes: Attributes) => boolean): When<Exchange> =>
  (exchange) =>
    created(exchange) && matches(exchange.given?.attributes ?? {});

/** An update to which the guard has agreed is undone at once. */
const undone = handling(async (request, service, core) => {
  const arrival = arrivalOf(request, core, (one) => service.handle(one));
  const { addressed } = arrival;
  const { labels, values } = addressed ?? {};
  const answer = await service.handle(request);
  if (!isSuccess(answer) || !updating()(arrival) || addressed === undefined || !isGuarded(addressed)) return answer;
  addressed.labels = labels;
  addressed.values = values ?? {};
  return answer;
});

const doneAnyway = afterwards((exchange) => {
  const { addressed, answer, code, core, given } = exchange;
  if (code !== denied || !updating()(exchange) || addressed === undefined || given === undefined) return undefined;
  core.perform({ operation: 'update', to: addressed.id, content: { [given.root]: given.attributes } });
  return recoded(answer, answer.status, code);
});

/** The guards' latest answer. */
const heard = sharing(() => ({ code: '' }));

const answeredAsDone: Pick<Fault, 'wrap' | 'wrapSender'> = {
  wrap: afterwards(({ core, code, answer }) =>
    code === denied && heard(core).code === '4103' ? recoded(answer, 200, 2004) : undefined,
  ),
  ...mishearing(ofEvent(blocking), (answer, core) => {
    heard(core).code = answer.headers['x-m2m-rsc'] ?? '';
    return answer;
  }),
};

const ordinary = (attributes: Attributes): Attributes => ({ ...attributes, enc: { net: [1] } });

export const blockingUpdates: readonly Fault[] = [
  breaking(
    'std.blocking-update.asked',
    'twice',
    'The target of a blocking subscription is asked twice before an update.',
    doubling(ofEvent(blocking)),
  ),
  breaking(
    'std.blocking-update.agreed',
    'answered-as-refused',
    'An update of a resource whose guard is asked about every attribute is answered with 4127 although it agrees and the update is done.',
    answeredWith(403, denied, (exchange) => updating()(exchange) && isGuardedWhole(exchange.addressed)),
  ),
  breaking(
    'std.blocking-update.done',
    'not-done',
    'An update to which the target has agreed is answered as done, and changes nothing.',
    undone,
  ),
  breaking(
    'std.blocking-update.refused',
    'another-code',
    'An update to which the target does not agree is refused with 4103.',
    refusedAs({ status: 403, code: 4103 }, denied, updating()),
  ),
  breaking(
    'std.blocking-update.not-done',
    'done',
    'An update to which the target did not agree is answered as refused, and done.',
    doneAnyway,
  ),
  breaking(
    'std.blocking-update.attributes',
    'all',
    'The target of a blocking subscription is asked about every attribute, whatever atr lists.',
    subscribingOtherwise((attributes) =>
      wantsToBlock(attributes) ? withCriteria(attributes, (enc) => without(enc, 'atr')) : undefined,
    ),
  ),
  breaking(
    'std.blocking-update.one-only',
    'ordinary-instead',
    'A second blocking subscription of a resource is created as one to updates.',
    insteadOfRefusing(4124, created, (exchange) => describedAs(exchange, ordinary)),
  ),
  breaking(
    'std.blocking-update.content',
    'empty',
    'The target is asked before an update without being told what it would change.',
    retelling(ofEvent(blocking), (signal) => {
      const { rep } = isObject(signal.nev) ? signal.nev : {};
      return withEvent(signal, {
        rep: Object.fromEntries(Object.keys(isObject(rep) ? rep : {}).map((root) => [root, {}])),
      });
    }),
  ),
  breaking(
    'std.blocking-update.refused-otherwise',
    'answered-as-done',
    'An update for which the target of a blocking subscription answers with 4103 is not done, and answered with 2004.',
    answeredAsDone,
  ),
  breaking(
    'std.blocking-update.unreachable',
    'another-code',
    'An update to a resource whose guard cannot be reached is refused with 5103.',
    refusedAs({ status: 404, code: 5103 }, unreachable, updating()),
  ),
  breaking(
    'std.blocking-update.one-target',
    'first-taken',
    'A blocking subscription with several targets is created for the first of them.',
    lettingPass(
      createdWith((attributes) => !hasOnlyTarget(attributes)),
      ({ nu, ...others }) => ({ ...others, nu: Array.isArray(nu) ? nu.slice(0, 1) : nu }),
    ),
  ),
  breaking(
    'std.blocking-update.identifier',
    'ordinary-instead',
    'A blocking subscription whose target is a URL is created as one to updates.',
    lettingPass(
      createdWith(({ nu }) => Array.isArray(nu) && nu.some(isUrl)),
      ordinary,
    ),
  ),
  breaking(
    'std.blocking-update.no-policies',
    'counter-left-out',
    'A blocking subscription with exc is created without it.',
    lettingPass(
      createdWith(({ exc }) => exc !== undefined),
      (attributes) => without(attributes, 'exc'),
    ),
  ),
  breaking(
    'std.blocking-update.no-policies',
    'subscriber-left-out',
    'A blocking subscription with su is created without it.',
    lettingPass(
      createdWith(({ su }) => su !== undefined),
      (attributes) => without(attributes, 'su'),
    ),
  ),
  breaking(
    'std.blocking-update.no-conditions',
    'left-out',
    'A blocking subscription with stb is created without it.',
    lettingPass(
      createdWith((attributes) => conditions(attributes).stb !== undefined),
      (attributes) => ({ ...attributes, enc: without(conditions(attributes), 'stb') }),
    ),
  ),
  breaking(
    'std.blocking-update.not-by-update',
    'overlooked',
    'An update that would make a subscription a blocking one is answered as done, and makes it one to updates.',
    lettingPass(
      (exchange) => updating('m2m:sub')(exchange) && wantsToBlock(exchange.given?.attributes ?? {}),
      ordinary,
    ),
  ),
];
