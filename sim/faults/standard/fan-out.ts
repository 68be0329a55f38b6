/** What the standard says of what is sent to the members of a group and how they answer, broken. */

import type { Fault, Wrap } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { rejecting, without } from '../vocabulary/standard-exchanges.ts';
import {
  changingResponses,
  fanningOut,
  type Response,
  reachingFirst,
  type WhichFanOut,
} from '../vocabulary/standard-fan-out.ts';

interface Operation {
  readonly id: string;
  readonly method: string;
  /** What a member answers. */
  readonly code: number;
  readonly says: string;
}

const operations: readonly Operation[] = [
  { id: 'create', method: 'POST', code: 2001, says: 'created' },
  { id: 'retrieve', method: 'GET', code: 2000, says: 'read' },
  { id: 'update', method: 'PUT', code: 2004, says: 'updated' },
  { id: 'delete', method: 'DELETE', code: 2002, says: 'deleted' },
];

const isOrdinary =
  ({ method }: Operation): WhichFanOut =>
  (fanOut) =>
    fanOut.method === method && fanOut.rest === '' && fanOut.root !== 'm2m:sub' && fanOut.byName && !fanOut.identified;

const isVirtual: WhichFanOut = ({ rest }) => /(^|\/)(la|ol)$/.test(rest);

const isBehind =
  ({ method }: Operation): WhichFanOut =>
  (fanOut) =>
    fanOut.method === method && fanOut.rest !== '' && !isVirtual(fanOut);

const isSame = (responses: readonly Response[]) => responses.every(({ rsc }) => rsc === responses[0]?.rsc);
const lastTwice = (responses: readonly Response[]) => [...responses, ...responses.slice(-1)];

/** The last of several members that answer the same is in the answer twice. */
const doubling = (which: WhichFanOut): Wrap =>
  changingResponses(which, (responses) =>
    responses.length > 1 && isSame(responses) ? lastTwice(responses) : undefined,
  );

/** Members that answer the same are said to have answered with this code. */
const coding = (which: WhichFanOut, code: number): Wrap =>
  changingResponses(which, (responses) =>
    isSame(responses) ? responses.map((one) => ({ ...one, rsc: code })) : undefined,
  );

const wrongCode = ({ method }: Operation) => (method === 'PUT' ? 2000 : 2004);

const atMembers = (operation: Operation): Fault[] => [
  breaking(
    `std.fan-out.${operation.id}`,
    'last-twice',
    `Of what is ${operation.says} at fopt the last of several members, listed by their paths, answers twice.`,
    doubling(isOrdinary(operation)),
  ),
  breaking(
    `std.fan-out.${operation.id}.each`,
    'another-code',
    `Members that are listed by their paths answer that they were ${operation.says} with ${wrongCode(operation)}.`,
    coding(isOrdinary(operation), wrongCode(operation)),
  ),
];

const behindMembers = (operation: Operation): Fault[] => [
  breaking(
    `std.fan-out.suffix.${operation.id}`,
    'last-twice',
    `Of what is ${operation.says} behind fopt and a path the last of several members answers twice.`,
    doubling(isBehind(operation)),
  ),
  breaking(
    `std.fan-out.suffix.${operation.id}.each`,
    'another-code',
    `Members answer that what is behind fopt and a path was ${operation.says} with ${wrongCode(operation)}.`,
    coding(isBehind(operation), wrongCode(operation)),
  ),
];

const done = (operation: Operation): Fault =>
  breaking(
    `std.fan-out.${operation.id}.done`,
    'first-only',
    `Of members that are no groups only the first one is reached by what is to be ${operation.says}; the others are answered for as if they were.`,
    reachingFirst((one) => isOrdinary(operation)(one) && !one.members.some((member) => member.endsWith('/fopt'))),
  );

/** The first of several answers does not show what it is about. */
const firstHidden = (which: WhichFanOut): Wrap =>
  changingResponses(which, ([first, ...others]) =>
    first === undefined || others.length === 0 ? undefined : [without(first, 'pc'), ...others],
  );

const always: WhichFanOut = () => true;

const results: readonly Fault[] = [
  breaking(
    'std.fan-out.code',
    'as-text',
    'Where members are read at fopt, the code of each answer is a text.',
    changingResponses(
      ({ method, rest }) => method === 'GET' && rest === '',
      (responses) => responses.map((one) => ({ ...one, rsc: String(one.rsc) })),
    ),
  ),
  breaking(
    'std.fan-out.retrieve.content',
    'first-hidden',
    'Of what is read at fopt the first of several members is not shown.',
    firstHidden(({ method, rest }) => method === 'GET' && rest === ''),
  ),
  breaking(
    'std.fan-out.virtual',
    'last-twice',
    'Of virtual resources that are read behind fopt the last one is in the answer twice.',
    doubling((fanOut) => isVirtual(fanOut)),
  ),
  breaking(
    'std.fan-out.virtual.content',
    'first-hidden',
    'Of virtual resources that are read behind fopt the first is not shown.',
    firstHidden(isVirtual),
  ),
  breaking(
    'std.fan-out.partly',
    'last-twice',
    'Where the members have answered with different codes, the last one is in the answer twice.',
    changingResponses(always, (responses) => (isSame(responses) ? undefined : lastTwice(responses))),
  ),
  breaking(
    'std.fan-out.partly.each',
    'bad-request',
    'A member at which nothing is found is said to have answered with 4000.',
    changingResponses(always, (responses) => responses.map((one) => (one.rsc === 4004 ? { ...one, rsc: 4000 } : one))),
  ),
  breaking(
    'std.fan-out.request-identifier',
    'missing',
    'The answers of the members do not name their requests.',
    changingResponses(always, (responses) => responses.map((one) => without(one, 'rqi'))),
  ),
  breaking(
    'std.fan-out.member-named',
    'missing',
    'The answers of the members do not say from which member they are.',
    changingResponses(always, (responses) => responses.map((one) => without(one, 'fr'))),
  ),
  breaking(
    'std.fan-out.by-identifier',
    'not-found',
    'What is sent to fopt below the identifier of a group is refused with 4004.',
    rejecting(
      { status: 404, code: 4004 },
      fanningOut(({ byName }) => !byName),
    ),
  ),
  breaking(
    'std.fan-out.member-identifiers',
    'last-twice',
    'The last of several members that are listed by their identifiers answers twice.',
    doubling(({ identified }) => identified),
  ),
  breaking(
    'std.fan-out.member-identifiers.each',
    'another-code',
    'Members that are listed by their identifiers answer with 2004, whatever they are asked.',
    coding(({ identified }) => identified, 2004),
  ),
];

const ofSubscription: WhichFanOut = ({ root }) => root === 'm2m:sub';

const subscribing: readonly Fault[] = [
  breaking(
    'std.fan-out.subscription',
    'last-twice',
    'Of members that are subscribed to through fopt the last one answers twice.',
    doubling(ofSubscription),
  ),
  breaking(
    'std.fan-out.subscription.each',
    'another-code',
    'Members that are subscribed to through fopt answer with 2004.',
    coding(ofSubscription, 2004),
  ),
  breaking(
    'std.fan-out.subscription.notifies',
    'first-only',
    'What subscribes to the members through fopt subscribes to the first of them; the others are answered for.',
    reachingFirst(ofSubscription),
  ),
];

export const fanOut: readonly Fault[] = [
  ...operations.flatMap(atMembers),
  ...operations.flatMap(behindMembers),
  ...operations.filter(({ id }) => id !== 'retrieve').map(done),
  ...results,
  ...subscribing,
];
