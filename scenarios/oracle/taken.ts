/** What the standard demands of the answer to a request that a CSE has taken before. */
import type { Check } from '../engine/grammar/grammar-check.ts';
import { isGone, isThere } from './held.ts';
import type { Judgement } from './judgements.ts';
import type { Observation, Seen } from './observation.ts';
import { isPermitted } from './permitted.ts';

/** Types whose creation depends on nothing but what is given, and where. */
const simple: ReadonlySet<string> = new Set([
  'container',
  'content-instance',
  'policy',
  'time-series',
  'flex-container',
]);

/** Names that each CSE takes, and that are not reserved (TS-0004 6.3.3, NCName without what URIs escape). */
const usualName = /^(?!(?:la|ol|latest|oldest|fopt|pcu)$)[A-Za-z][A-Za-z0-9_-]{0,40}$/;

const created: Judgement = (seen, _, observation) =>
  isKnown(seen, observation) && (seen.before === undefined || isGone(seen.before)) ? taken : undefined;

const nameTaken: Judgement = (seen, _, observation) =>
  isKnown(seen, observation) && seen.before !== undefined && isThere(seen.before, seen.exchange.at)
    ? { rsc: 4105 }
    : undefined;

const updated: Judgement = (seen, _, observation) => {
  const { asked, held, exchange } = seen;
  if (held === undefined || asked.given === undefined || asked.type !== held.type || asked.virtual) return undefined;
  if (!isPermitted(seen) || !isThere(held, exchange.at)) return undefined;
  // Switches may exclude each other, and limits go with what there is.
  const given = Object.entries(asked.given);
  const isSimple = simple.has(held.type) || held.type === 'ae';
  return isSimple && observation.taken.hasAll(held.type, 'update', given) ? taken : undefined;
};

const taken: Check = { status: { between: [200, 299] } };

/** Whether all of a creation but its name was accepted before, below the same type. */
function isKnown(seen: Seen, observation: Observation): boolean {
  const { asked, held, exchange } = seen;
  const { type = '', given = {}, virtual } = asked;
  if (held === undefined || virtual !== undefined || !simple.has(type)) return false;
  if (!isPermitted(seen) || !isThere(held, exchange.at) || !observation.taken.hasCreated(type, held, given))
    return false;
  const { rn, et, ...others } = given;
  const isNamed = rn === undefined || (typeof rn === 'string' && usualName.test(rn));
  // An expiration time may have passed by now.
  return isNamed && et === undefined && observation.taken.hasAll(type, 'create', Object.entries(others));
}

export const ofRequests: Readonly<Record<string, Judgement>> = {
  'what was taken before is created again': created,
  'what was taken before is updated again': updated,
  'the name is taken': nameTaken,
};
