/** What rules demand of answers by what was asked: what is taken, what is refused, and what is done elsewhere. */

import { isObject } from '../../engine/basics/body.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import { viewOf, viewOfRequest } from '../../engine/judging/answer.ts';
import { isReserved, type ParsedRequest } from '../observation/asked.ts';
import { isByDash, isOfPart } from '../observation/effects.ts';
import { isGone, isSame, isThere, keyOf, type Shown } from '../observation/held.ts';
import type { Observation } from '../observation/observation.ts';
import { isPermitted, mayBeBlocked } from '../observation/permitted.ts';
import { type TypeName, typeOfRoot } from '../observation/resource-types.ts';
import type { Seen } from '../observation/seen.ts';
import type { Judgement } from './judgements.ts';
import { refused, success } from './limited.ts';
import { rulesIn } from './rights.ts';

/** Types whose creation depends on nothing but what is given, and where. */
const simple: ReadonlySet<TypeName | undefined> = new Set<TypeName>([
  ...(['container', 'content-instance', 'policy', 'time-series', 'flex-container'] as const),
]);

/** Names that each CSE takes (TS-0004 6.3.3, NCName without what URIs escape). */
function isUsualName(name: unknown): boolean {
  return typeof name === 'string' && /^[A-Za-z][A-Za-z0-9_-]{0,40}$/.test(name) && !isReserved(name);
}

const created: Judgement = (seen, _, observation) =>
  isKnown(seen, observation) && (seen.before === undefined || isGone(seen.before)) ? taken : undefined;

const nameTaken: Judgement = (seen, _, observation) =>
  isKnown(seen, observation) && seen.before !== undefined && isThere(seen.before, seen.exchange.at)
    ? { rsc: 4105 }
    : undefined;

function isNoList({ asked }: Seen): boolean {
  return typeof asked.given?.lbl === 'string';
}

/** As it is where the specification leaves it open. */
const nameClash: Judgement = ({ before, exchange }) =>
  before !== undefined && isThere(before, exchange.at) ? { status: 409 } : undefined;

const freeAgain: Judgement = ({ before, held, atBase, isUnclear, exchange }) => {
  const isPlace = atBase || (held !== undefined && isThere(held, exchange.at));
  return before !== undefined && isGone(before) && isPlace && !isUnclear ? { status: 201 } : undefined;
};

const noList: Judgement = (seen) => (isNoList(seen) ? { status: 400 } : undefined);

/** Of several rules, each with originators and operations alone. */
const policyTaken: Judgement = (seen) => {
  const { asked, held, before, isUnclear, exchange } = seen;
  const { type, given: { rn, pv, pvs, ...others } = {} } = asked;
  const isWhole = type === 'policy' && isUsualName(rn) && Object.keys(others).length === 0;
  const isNew = (before === undefined || isGone(before)) && !isUnclear;
  if (!isWhole || !isNew || held === undefined || !isThere(held, exchange.at) || !isPermitted(seen)) return undefined;
  const [rules, own] = [rulesIn(pv), rulesIn(pvs)];
  return rules !== undefined && own !== undefined && rules.length > 1 ? { rsc: 2001 } : undefined;
};

const updated: Judgement = (seen, _, observation) => {
  const { asked, held, exchange } = seen;
  if (held === undefined || asked.given === undefined || asked.type !== held.type || asked.virtual) return undefined;
  if (!isPermitted(seen) || !isThere(held, exchange.at)) return undefined;
  // Switches may exclude each other, and limits go with what there is.
  const given = Object.entries(asked.given);
  const isSimple = simple.has(held.type) || held.type === 'ae';
  return isSimple && observation.taken.hasAll(asked.root, 'update', given) ? taken : undefined;
};

const taken: Check = { status: success };

/** Whether a creation with all of it but its name was accepted before, below the same type. */
function isKnown(seen: Seen, observation: Observation): boolean {
  const { asked, held, exchange } = seen;
  const { type, root, given = {}, virtual } = asked;
  if (held === undefined || virtual !== undefined || !simple.has(type)) return false;
  if (!isPermitted(seen) || !isThere(held, exchange.at) || !observation.taken.hasCreated(root, held, given))
    return false;
  const { rn, et } = given;
  // An expiration time may have passed by now.
  return (rn === undefined || isUsualName(rn)) && et === undefined;
}

/** Attributes that name other resources: the absent one may be one of those. */
const naming: ReadonlySet<string> = new Set([
  'acpi',
  'mid',
  'macp',
  'at',
  'nl',
  'hcl',
  'nu',
  'cmlk',
  'obis',
  'obps',
  'spty',
]);

/** Who lacks the right is told so, and not that it is not there (TS-0004 7.3.3.15), where neither a part nor a dash is addressed, nor a subscriber is asked first (7.5.1.2.19). */
const existing: Judgement = ({ asked, isOrdinary, exchange, held }) => {
  const namesOthers = Object.keys(asked.given ?? {}).some((name) => naming.has(name));
  if ([held, held?.parent].some((one) => one !== undefined && mayBeBlocked(one))) return undefined;
  return isOrdinary && !namesOthers && !isOfPart(exchange) && !isByDash(exchange) ? { rsc: { not: 4004 } } : undefined;
};

/** That an identifier leads to what is there, in the form that begins so: `/` for the form relative to the CSE. */
const identifiedIn =
  (scope: '/~/' | '/_/' | '/'): Judgement =>
  (seen, ...more) => {
    const { exchange, asked } = seen;
    const own = ['/~/', '/_/'].find((one) => exchange.request.path.startsWith(one)) ?? '/';
    // Whether names may follow an identifier is left open (TS-0001 7.2, Table 7.2-1).
    const isAlone = asked.form === 'identifier' && asked.names.length === 1;
    const isMeant = isAlone && own === scope && existing(seen, ...more) !== undefined;
    return isMeant ? { rsc: { not: { 'one of': [4004, 5103] } } } : undefined;
  };

/** Below what is there and holds nothing by this name (TS-0004 7.3.3.1); `as`: something else has it in other letters. */
const nowhere =
  (as: 'in other letters' | 'at all'): Judgement =>
  (seen, _, { places }) => {
    const { asked, held, exchange } = seen;
    const { names, form, virtual } = asked;
    const above = places.named(names.slice(0, -1));
    const isMeant = held === undefined && form !== 'identifier' && virtual === undefined && !places.isUnclear(names);
    if (!isMeant || names.length < 2 || above === undefined || !isThere(above, exchange.at)) return undefined;
    const like = above.children.filter((one) => one.names.at(-1)?.toLowerCase() === names.at(-1)?.toLowerCase());
    // What had the very name may be back.
    if (like.some((one) => one.names.at(-1) === names.at(-1))) return undefined;
    const isSo = like.length > 0 === (as === 'in other letters');
    return isSo && isAskable({ ...seen, held: above }) ? { rsc: 4004 } : undefined;
  };

/** Whether nothing else is wrong with what is asked for. */
function isAskable(seen: Seen): boolean {
  const { asked } = seen;
  const { operation, query, given } = asked;
  if (operation === 'discover') return query.size === 1 && isPermitted({ ...seen, asked: unasked(asked) });
  const isWhole = (operation !== 'create' && operation !== 'update') || given !== undefined;
  return isWhole && isPermitted(seen);
}

function unasked(asked: ParsedRequest): ParsedRequest {
  return { ...asked, query: new URLSearchParams() };
}

function isSet({ given = {} }: ParsedRequest, name: string): boolean {
  return Object.hasOwn(given, name);
}

function rootsIn({ exchange }: Seen): string[] {
  const { body } = viewOfRequest(exchange.request);
  return isObject(body) ? Object.keys(body) : [];
}

/** The root is not that of the type which is created, or addressed. */
function hasOtherRoot(seen: Seen): boolean {
  const { asked, held } = seen;
  const [root, ...more] = rootsIn(seen);
  const type = typeOfRoot(root)?.name;
  if (type === undefined || type === 'flex-container' || more.length > 0) return false;
  return asked.operation === 'update' ? type !== held?.type : asked.type === undefined;
}

/** Values of rcn that the table of TS-0001 8.1.2 has for no release of the operation. */
const foreignContent: Readonly<Record<string, readonly string[]>> = { create: ['4'], retrieve: ['2'], delete: ['2'] };

/** What is wrong in one way with a request, and the codes by which it is refused. */
const wrongs: Readonly<Record<string, readonly [is: (seen: Seen) => boolean, ...codes: number[]]>> = {
  'labels that are no list': [isNoList, 4000],
  'a change of what the CSE sets': [({ asked }) => isSet(asked, 'ct'), 4000],
  'a change of what the type has not': [({ asked }) => isSet(asked, 'exc'), 4000],
  'a root of another type': [hasOtherRoot, 4000, 4102],
  'two roots': [(seen) => rootsIn(seen).length > 1, 4000],
  'no content': [({ exchange }) => (exchange.request.body ?? '') === '', 4000],
  'a result content that it has not': [
    ({ asked: { query, operation } }) =>
      query.size === 1 && foreignContent[operation]?.some((one) => query.get('rcn') === one) === true,
    4000,
  ],
  'a time that is none': [
    ({ asked: { query } }) => query.size === 2 && /^[a-z]+$/.test(query.get('cra') ?? ''),
    4000,
    4102,
  ],
};

/** Refused as whoever is permitted all else is refused (TS-0004 7.3.3.3 to 7.3.3.5). */
function refusal([is, ...codes]: readonly [is: (seen: Seen) => boolean, ...codes: number[]]): Judgement {
  return (seen) => {
    const { held, exchange, asked } = seen;
    const isThereForIt = held !== undefined && isThere(held, exchange.at);
    const isMeant = isThereForIt && isPermitted({ ...seen, isOrdinary: true, asked: unasked(asked) }) && is(seen);
    return isMeant ? { rsc: { 'one of': codes } } : undefined;
  };
}

/** What all members of a group were asked for just before, and said that they did. */
const reached =
  (method: string, of: (given: Shown, seen: Seen) => Check | undefined): Judgement =>
  (seen, _, { reachedLast: last }) => {
    const { asked, sender } = seen;
    const isMember = last?.members.has(keyOf(asked.names)) === true && asked.query.size === 0;
    return isMember && last.method === method && isSame(last.sender, sender) ? of(last.given, seen) : undefined;
  };

const holdsCreated = reached('POST', ({ con }, { exchange }) => {
  if (viewOf(exchange).attributes === undefined) return { rsc: { not: 4004 } };
  return typeof con === 'string' && /^[ -~]+$/.test(con) ? { attributes: { con } } : undefined;
});
const isUpdated = reached('PUT', ({ lbl }, { exchange }) =>
  Array.isArray(lbl) && viewOf(exchange).attributes !== undefined
    ? { attributes: { lbl: { equals: lbl } } }
    : undefined,
);
const isDeleted = reached('DELETE', () => refused);

/** Who has taken CBOR can write it as well. Other wires have rules of their own. */
const inCbor: Judgement = ({ asked: { headers }, exchange: { answer, wire } }) => {
  const isCbor = ['content-type', 'accept'].every((name) =>
    /^application\/[\w.+-]*cbor\b/.test(String(headers.get(name))),
  );
  if (!isCbor || wire !== undefined || answer?.body === '') return undefined;
  return { header: { 'content-type': { matching: '^application/.*cbor' } } };
};

export const ofRequests: Readonly<Record<string, Judgement>> = {
  'what was taken before is created again': created,
  'what was taken before is updated again': updated,
  'the name is taken': nameTaken,
  'a policy with several rules is taken': policyTaken,
  'something has the name': nameClash,
  'the name is free again': freeAgain,
  'labels that are no list are refused': noList,
  'what is there is not refused as absent': existing,
  'an identifier leads to it': identifiedIn('/'),
  'an SP-relative identifier leads to it': identifiedIn('/~/'),
  'an absolute identifier leads to it': identifiedIn('/_/'),
  'nothing is there': nowhere('at all'),
  'nothing is there in these letters': nowhere('in other letters'),
  'each member holds what was created': holdsCreated,
  'each member is as updated': isUpdated,
  'each member is gone': isDeleted,
  'what came in CBOR is answered in CBOR': inCbor,
  ...Object.fromEntries(Object.entries(wrongs).map(([what, wrong]) => [`refused: ${what}`, refusal(wrong)])),
};
