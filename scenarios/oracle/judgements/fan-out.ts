/** Answers to a request to all members of a group (TS-0004 7.4.14.2.4, 7.4.14.2.5, 7.4.14.3). */
import type { Check, Matcher } from '../../engine/grammar/grammar-check.ts';
import { instanceAt } from '../observation/facts.ts';
import { isThere, type KnownResource, nameOf } from '../observation/known-resource.ts';
import { fanOutOperation, groupIn, membersReached } from '../observation/members.ts';
import type { Observation } from '../observation/observation.ts';
import type { ObservedOperation } from '../observation/parsed-request.ts';
import { isPermitted } from '../observation/permitted.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import type { Judgement } from './judgements.ts';

interface FanOut {
  readonly operation: ObservedOperation;
  /** Response status code of each member on success. */
  readonly code: number;
  /** Each certainly exists and permits the request. */
  readonly members: readonly KnownResource[];
}

/** Undefined if any member may refuse. */
function fanOutOf(seen: SeenExchange, observation: Observation): FanOut | undefined {
  const { request, exchange } = seen;
  const { index, names } = observation;
  // Names after an identifier are implementation-defined (TS-0001 7.2, Table 7.2-1).
  const isWhole = request.names.at(-1) === 'fopt' && request.form !== 'identifier' && request.query.size === 0;
  const spread = isWhole ? fanOutOperation(exchange) : undefined;
  const group = groupIn(seen, index);
  const members = membersReached(seen, index, names);
  if (spread === undefined || group === undefined || members === undefined) return undefined;
  if (!areAll(group, members, observation) || group.requested.has('macp')) return undefined;
  const isOpen = (resource: KnownResource) =>
    isThere(resource, exchange.at) &&
    isPermitted({ ...seen, request: { ...request, operation: spread.operation }, resource });
  const areOpen = isOpen(group) && members.every((one) => one.type === 'container' && isOpen(one));
  return areOpen && isAccepted(seen, spread.operation, observation) ? { ...spread, members } : undefined;
}

/**
 * Whether the group has exactly these members: it need not keep one that did not exist at once or was deleted since, nor a duplicate
 * (TS-0004 7.4.13.2.1).
 */
function areAll(group: KnownResource, members: readonly KnownResource[], { all }: Observation): boolean {
  const isListed = group.requested.get('mid') !== undefined && !group.updated.has('mid');
  const before = new Set(all.slice(0, all.indexOf(group)));
  const areThose = members.length > 0 && new Set(members).size === group.members?.length;
  return isListed && areThose && members.every((one) => before.has(one));
}

/** Whether each member certainly accepts the request. */
function isAccepted(
  { request: { type, root, attributes = {} } }: SeenExchange,
  operation: ObservedOperation,
  { accepted }: Observation,
): boolean {
  const names = Object.keys(attributes);
  if (operation === 'update') return type === 'container' && names.join() === 'lbl' && areLabels(attributes);
  if (operation !== 'create') return true;
  const isNameless = type === 'content-instance' && names.length > 0 && !names.includes('rn');
  return isNameless && accepted.hasAll(root, operation, Object.entries(attributes));
}

function areLabels({ lbl }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(lbl) && lbl.every((one) => typeof one === 'string' && /^[\w-]+$/.test(one));
}

/** A member below another one is already deleted with it. */
function areApart(members: readonly KnownResource[]): boolean {
  const isWithin = (one: KnownResource | undefined): boolean =>
    one !== undefined && (members.includes(one) || isWithin(one.parent));
  return !members.some(({ parent }) => isWithin(parent));
}

/** For requests to the members themselves, or to the latest instance of each. */
const fanningOut =
  (
    expected: ObservedOperation,
    virtual: 'latest' | undefined,
    say: (fanOut: FanOut, seen: SeenExchange) => Check | undefined,
  ): Judgement =>
  (seen, _, observation) => {
    if (seen.request.group === undefined || seen.request.virtual !== virtual) return undefined;
    const found = fanOutOf(seen, observation);
    if (found?.operation !== expected || (expected === 'delete' && !areApart(found.members))) return undefined;
    const hasLatest = (one: KnownResource) => instanceAt('latest', one, seen.exchange.at) !== undefined;
    return virtual === undefined || found.members.every(hasLatest) ? say(found, seen) : undefined;
  };

function responses(matcher: Matcher): Check {
  return { body: { fields: { 'm2m:agr': { fields: { 'm2m:rsp': matcher } } } } };
}

/** One response for each member, with the code of the operation or OK. */
function aggregated({ members, code }: FanOut): Check {
  const body = responses({ length: members.length });
  return {
    'one of': [
      { rsc: code, ...body, source: 'TS-0018, CSE/GMG/005: the code of the operation, with an aggregated response' },
      { rsc: 2000, ...body, source: 'TS-0004 7.4.14.2.5: OK, whatever the operation' },
    ],
  };
}

/** A separate requirement demands a number. */
function done({ code }: FanOut): Check {
  return responses({ every: { fields: { rsc: { 'one of': [code, String(code)] } } } });
}

function showing(root: string, names: ReadonlyArray<string | undefined>): Check {
  const of = (rn: string | undefined): Matcher => ({
    contains: { fields: { pc: { fields: { [root]: { fields: { rn: rn ?? { is: 'text' } } } } } } },
  });
  return responses({ 'all of': names.map(of) });
}

export const ofFanOut: Readonly<Record<string, Judgement>> = {
  ...Object.fromEntries(
    (['create', 'retrieve', 'update', 'delete'] as const).flatMap((operation) => [
      [`${operation}: each member responds`, fanningOut(operation, undefined, aggregated)],
      [`${operation}: each member reports success`, fanningOut(operation, undefined, done)],
    ]),
  ),
  'retrieve: each member is returned': fanningOut('retrieve', undefined, ({ members }) =>
    showing('m2m:cnt', members.map(nameOf)),
  ),
  'latest: each member responds': fanningOut('retrieve', 'latest', aggregated),
  'latest: each member is returned': fanningOut('retrieve', 'latest', ({ members }, { exchange }) =>
    showing(
      'm2m:cin',
      members.map((one) => instanceAt('latest', one, exchange.at)?.names.at(-1)),
    ),
  ),
};
