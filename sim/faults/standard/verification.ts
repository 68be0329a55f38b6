/** What the standard says of the question whether a target accepts a subscription, broken. */

import type { Fault } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import { afterwards, beforehand, creating, refusedAs, updating, without } from '../vocabulary/standard-exchanges.ts';
import {
  doubling,
  isQuestion,
  mishearing,
  retelling,
  sharing,
  withholding,
} from '../vocabulary/standard-notifications.ts';

const accepted = { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };

const hearing = (code: string) =>
  mishearing(isQuestion, (answer) => (answer.headers['x-m2m-rsc'] === code ? accepted : answer));

const failed = 5204;
const created = creating('m2m:sub');

/** A subscription that a target has refused is there all the same; what is wrong with it otherwise still counts. */
const keptAnyway = afterwards(({ request, given, addressed, answer, core, code, ...exchange }) => {
  if (!created({ request, given, addressed, core, ...exchange }) || isSuccess(answer) || !refusals.has(code))
    return undefined;
  const from = request.headers['x-m2m-origin'];
  if (addressed === undefined || given === undefined) return undefined;
  core.perform({
    operation: 'create',
    to: addressed.id,
    content: { [given.root]: given.attributes },
    resourceType: 23,
    ...(from !== undefined && { from }),
  });
  return recoded(answer, answer.status, code);
});

const refusals: ReadonlySet<number> = new Set([4101, 5204, 5205]);

/** The targets of subscriptions that have several, and the first of each of these. */
const severalTargets = sharing(() => ({ all: new Set<unknown>(), first: new Set<unknown>() }));

const noticing = beforehand(({ given, core }) => {
  const { nu } = given?.root === 'm2m:sub' ? given.attributes : {};
  const { all, first } = severalTargets(core);
  if (!Array.isArray(nu) || nu.length < 2) return undefined;
  for (const target of nu) all.add(target);
  first.add(nu[0]);
  return undefined;
});

const firstOnly: Pick<Fault, 'wrap' | 'wrapSender'> = {
  wrap: noticing,
  ...withholding((question, core) => {
    const { all, first } = severalTargets(core);
    return isQuestion(question, core) && all.has(question.url) && !first.has(question.url);
  }),
};

const loneTwice: Pick<Fault, 'wrap' | 'wrapSender'> = {
  wrap: noticing,
  ...doubling((question, core) => isQuestion(question, core) && !severalTargets(core).all.has(question.url)),
};

export const verification: readonly Fault[] = [
  breaking(
    'std.verification.sent',
    'twice',
    'A target that a subscription has alone is asked twice whether it accepts it.',
    loneTwice,
  ),
  breaking(
    'std.verification.content',
    'as-text',
    'The question whether a target accepts a subscription says so by a text.',
    retelling(isQuestion, (signal) => ({ ...signal, vrq: 'true' })),
  ),
  breaking(
    'std.verification.each-target',
    'first-only',
    'Of several targets that are URLs only the first is asked whether it accepts a subscription.',
    firstOnly,
  ),
  breaking(
    'std.verification.creator',
    'not-named',
    'The question whether a target accepts a subscription does not name a creator.',
    retelling(isQuestion, (signal) => without(signal, 'cr')),
  ),
  breaking(
    'std.verification.creator-refused',
    'taken',
    'That a target refuses the creator of a subscription is taken as its consent.',
    hearing('4101'),
  ),
  breaking(
    'std.verification.host-refused',
    'taken',
    'That a target refuses the CSE is taken as its consent.',
    hearing('5205'),
  ),
  breaking(
    'std.verification.unreachable',
    'another-code',
    'A subscription whose targets cannot be asked is refused with 5103.',
    refusedAs({ status: 404, code: 5103 }, failed, created),
  ),
  breaking(
    'std.verification.nothing-created',
    'created',
    'A subscription that a target has refused is there although its creation was refused.',
    keptAnyway,
  ),
  breaking(
    'std.verification.update',
    'another-code',
    'An update to targets that cannot be asked is refused with 5103.',
    refusedAs({ status: 404, code: 5103 }, failed, updating('m2m:sub')),
  ),
];
