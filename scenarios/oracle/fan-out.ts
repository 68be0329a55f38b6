/** What a request to all members of a group is answered with (TS-0004 7.4.14.2.4, 7.4.14.2.5, 7.4.14.3). */
import type { Check } from '../engine/grammar/grammar-check.ts';
import type { Matcher } from '../engine/grammar/grammar-matcher.ts';
import type { Operation } from './asked.ts';
import { instanceAt } from './facts.ts';
import { type Held, isThere } from './held.ts';
import type { Judgement } from './judgements.ts';
import { groupIn, reachedBy } from './members.ts';
import type { Observation, Seen } from './observation.ts';
import { isPermitted } from './permitted.ts';

/** The response status code of each member, by the method (TS-0004 6.6.3.2). */
const acts = new Map<string, readonly [Operation, number]>([
  ['POST', ['create', 2001]],
  ['GET', ['retrieve', 2000]],
  ['PUT', ['update', 2004]],
  ['DELETE', ['delete', 2002]],
]);

interface Spread {
  readonly operation: Operation;
  readonly code: number;
  /** Each of whom the same is certainly permitted, and certainly there. */
  readonly members: readonly Held[];
}

/** Undefined where one of them may answer otherwise than that it is done. */
function spreadOf(seen: Seen, observation: Observation): Spread | undefined {
  const { asked, exchange } = seen;
  const [operation, code] = acts.get(exchange.request.method) ?? [];
  // Whether names may follow an identifier is left open (TS-0001 7.2, Table 7.2-1).
  const isWhole = asked.names.at(-1) === 'fopt' && asked.form !== 'identifier' && asked.query.size === 0;
  const group = isWhole ? groupIn(seen, observation.places) : undefined;
  const members = group && reachedBy(seen, observation.places, observation.names);
  if (operation === undefined || code === undefined || group === undefined || members === undefined) return undefined;
  if (!areAll(group, members, observation) || group.given.has('macp')) return undefined;
  const isOpen = (held: Held) =>
    isThere(held, exchange.at) && isPermitted({ ...seen, asked: { ...asked, operation }, held });
  const areOpen = isOpen(group) && members.every((one) => one.type === 'container' && isOpen(one));
  return areOpen && isTaken(seen, operation, observation) ? { operation, code, members } : undefined;
}

/** Whether the group has these members and no others: what was not there at once, or was removed since, it need not list any more. */
function areAll(group: Held, members: readonly Held[], { all }: Observation): boolean {
  const isListed = group.given.get('mid') !== undefined && !group.updated.has('mid');
  const before = new Set(all.slice(0, all.indexOf(group)));
  const areThose = members.length > 0 && members.length === group.members?.length;
  return isListed && areThose && members.every((one) => before.has(one));
}

/** Whether each member takes what is sent to it, whatever the others do. */
function isTaken({ asked }: Seen, operation: Operation, { taken }: Observation): boolean {
  const { virtual, type, given = {} } = asked;
  if (operation === 'retrieve') return virtual === undefined || virtual === 'latest';
  if (virtual !== undefined || operation === 'delete') return virtual === undefined;
  const names = Object.keys(given);
  if (operation === 'update') return type === 'container' && names.every((name) => name === 'lbl') && areLabels(given);
  const isNameless = type === 'content-instance' && names.length > 0 && !names.includes('rn');
  return isNameless && taken.hasAll(type, operation, Object.entries(given));
}

function areLabels({ lbl }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(lbl) && lbl.every((one) => typeof one === 'string' && /^[\w-]+$/.test(one));
}

/** One that goes with another has nothing left to delete. */
function areApart(members: readonly Held[]): boolean {
  const isWithin = (one: Held | undefined): boolean =>
    one !== undefined && (members.includes(one) || isWithin(one.parent));
  return new Set(members).size === members.length && !members.some(({ parent }) => isWithin(parent));
}

const spread =
  (
    wanted: Operation,
    virtual: 'latest' | undefined,
    say: (spread: Spread, seen: Seen) => Check | undefined,
  ): Judgement =>
  (seen, _, observation) => {
    if (acts.get(seen.exchange.request.method)?.[0] !== wanted || seen.asked.virtual !== virtual) return undefined;
    const found = seen.asked.group === undefined ? undefined : spreadOf(seen, observation);
    if (found === undefined || (wanted === 'delete' && !areApart(found.members))) return undefined;
    const isNothing = ({ names }: Held) => instanceAt('latest', observation.places.named(names), seen.exchange.at);
    if (virtual !== undefined && found.members.some((one) => isNothing(one) === undefined)) return undefined;
    return say(found, seen);
  };

function responses(matcher: Matcher): Check {
  return { body: { fields: { 'm2m:agr': { fields: { 'm2m:rsp': matcher } } } } };
}

/** As many as there are members, with the code of the operation or OK. */
function aggregated({ members, code }: Spread): Check {
  const body = responses({ length: members.length });
  return {
    'one of': [
      { rsc: code, ...body, source: 'TS-0018, CSE/GMG/005: the code of the operation, with an aggregated response' },
      { rsc: 2000, ...body, source: 'TS-0004 7.4.14.2.5: OK, whatever the operation' },
    ],
  };
}

/** Whether it is a number is a requirement of its own. */
function done({ code }: Spread): Check {
  return responses({ every: { fields: { rsc: { 'one of': [code, String(code)] } } } });
}

function showing(root: string, names: ReadonlyArray<string | undefined>): Check {
  const of = (rn: string | undefined): Matcher => ({
    contains: { fields: { pc: { fields: { [root]: { fields: { rn: rn ?? { is: 'text' } } } } } } },
  });
  return responses({ 'all of': names.map(of) });
}

const lastName = (one: Held | undefined) => one?.names.at(-1);

export const ofFanOut: Readonly<Record<string, Judgement>> = {
  ...Object.fromEntries(
    (['create', 'retrieve', 'update', 'delete'] as const).flatMap((operation) => [
      [`${operation}: each member answers`, spread(operation, undefined, aggregated)],
      [`${operation}: each member answers that it is done`, spread(operation, undefined, done)],
    ]),
  ),
  'retrieve: each member is shown': spread('retrieve', undefined, ({ members }) =>
    showing('m2m:cnt', members.map(lastName)),
  ),
  'latest: each member answers': spread('retrieve', 'latest', aggregated),
  'latest: each member is shown': spread('retrieve', 'latest', ({ members }, { exchange }) =>
    showing(
      'm2m:cin',
      members.map((one) => lastName(instanceAt('latest', one, exchange.at))),
    ),
  ),
};
