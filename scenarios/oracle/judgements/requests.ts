/** Demands on answers by their request: what is accepted, what is refused, and what a fan-out did. */

import { isObject } from '../../engine/basics/body.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import { viewOf, viewOfRequest } from '../../engine/judging/answer.ts';
import { isByDash, isOfPart } from '../observation/effects.ts';
import { isGone, isSame, isThere, keyOf } from '../observation/known-resource.ts';
import type { Observation } from '../observation/observation.ts';
import { type AttributeMap, isReserved, type ParsedRequest } from '../observation/parsed-request.ts';
import { isPermitted, mayBeBlocked } from '../observation/permitted.ts';
import { type TypeName, typeOfRoot } from '../observation/resource-types.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import type { Judgement } from './judgements.ts';
import { refused, success } from './limits.ts';
import { rulesIn } from './rights.ts';

/** Resource types whose creation depends on nothing but the attributes and the parent. */
const simple: ReadonlySet<TypeName | undefined> = new Set<TypeName>([
  ...(['container', 'content-instance', 'policy', 'time-series', 'flex-container'] as const),
]);

/** Names that each CSE accepts (TS-0004 6.3.3, NCName without characters that URIs escape). */
function isUsualName(name: unknown): boolean {
  return typeof name === 'string' && /^[A-Za-z][A-Za-z0-9_-]{0,40}$/.test(name) && !isReserved(name);
}

const created: Judgement = (seen, _, observation) =>
  isKnown(seen, observation) && (seen.before === undefined || isGone(seen.before)) ? accepted : undefined;

const nameInUse: Judgement = (seen, _, observation) =>
  isKnown(seen, observation) && seen.before !== undefined && isThere(seen.before, seen.exchange.at)
    ? { rsc: 4105 }
    : undefined;

function isNoList({ request }: SeenExchange): boolean {
  return typeof request.attributes?.lbl === 'string';
}

/** The behaviour of the reference CSE, implementation-defined by the specification. */
const nameClash: Judgement = ({ before, exchange }) =>
  before !== undefined && isThere(before, exchange.at) ? { status: 409 } : undefined;

const freeAgain: Judgement = ({ before, resource, atBase, isUnclear, exchange }) => {
  const isParent = atBase || (resource !== undefined && isThere(resource, exchange.at));
  return before !== undefined && isGone(before) && isParent && !isUnclear ? { status: 201 } : undefined;
};

const noList: Judgement = (seen) => (isNoList(seen) ? { status: 400 } : undefined);

/** A policy with several rules, each with originators and operations only. */
const policyAccepted: Judgement = (seen) => {
  const { request, resource, before, isUnclear, exchange } = seen;
  const { type, attributes: { rn, pv, pvs, ...others } = {} } = request;
  const isWhole = type === 'policy' && isUsualName(rn) && Object.keys(others).length === 0;
  const isNew = (before === undefined || isGone(before)) && !isUnclear;
  if (!isWhole || !isNew || resource === undefined || !isThere(resource, exchange.at) || !isPermitted(seen))
    return undefined;
  const [rules, own] = [rulesIn(pv), rulesIn(pvs)];
  return rules !== undefined && own !== undefined && rules.length > 1 ? { rsc: 2001 } : undefined;
};

const updated: Judgement = (seen, _, observation) => {
  const { request, resource, exchange } = seen;
  if (resource === undefined || request.attributes === undefined || request.type !== resource.type || request.virtual)
    return undefined;
  if (!isPermitted(seen) || !isThere(resource, exchange.at)) return undefined;
  // Switches may exclude each other, and limits depend on the content.
  const attributes = Object.entries(request.attributes);
  const isSimple = simple.has(resource.type) || resource.type === 'ae';
  return isSimple && observation.accepted.hasAll(request.root, 'update', attributes) ? accepted : undefined;
};

const accepted: Check = { status: success };

/** Whether the same creation, but for its name, was accepted before below a parent of the same type. */
function isKnown(seen: SeenExchange, observation: Observation): boolean {
  const { request, resource, exchange } = seen;
  const { type, root, attributes = {}, virtual } = request;
  if (resource === undefined || virtual !== undefined || !simple.has(type)) return false;
  if (!isPermitted(seen) || !isThere(resource, exchange.at)) return false;
  const { rn, et } = attributes;
  // An expiration time may have passed by now.
  if (et !== undefined || (rn !== undefined && !isUsualName(rn))) return false;
  return observation.accepted.hasCreated(root, resource, attributes);
}

/** Attributes that name other resources: one of these may be the missing one. */
const naming: ReadonlySet<string> = new Set('acpi mid macp at nl hcl nu cmlk obis obps spty'.split(' '));

/** Even without rights, no NOT_FOUND for an existing resource (TS-0004 7.3.3.15), but for parts, dashes and blocking subscriptions (7.5.1.2.19). */
const existing: Judgement = ({ request, isOrdinary, exchange, resource }) => {
  const namesOthers = Object.keys(request.attributes ?? {}).some((name) => naming.has(name));
  if ([resource, resource?.parent].some((one) => one !== undefined && mayBeBlocked(one))) return undefined;
  return isOrdinary && !namesOthers && !isOfPart(exchange) && !isByDash(exchange) ? { rsc: { not: 4004 } } : undefined;
};

/** An identifier leads to the existing resource, in the form with this start: `/` is CSE-relative. */
const identifiedIn =
  (scope: '/~/' | '/_/' | '/'): Judgement =>
  (seen, ...more) => {
    const { exchange, request } = seen;
    const own = ['/~/', '/_/'].find((one) => exchange.request.path.startsWith(one)) ?? '/';
    // Names after an identifier are implementation-defined (TS-0001 7.2, Table 7.2-1).
    const isAlone = request.form === 'identifier' && request.names.length === 1;
    const isMeant = isAlone && own === scope && existing(seen, ...more) !== undefined;
    return isMeant ? { rsc: { not: { 'one of': [4004, 5103] } } } : undefined;
  };

/** No child of an existing resource has this name (TS-0004 7.3.3.1); `in other letters`: one has it in another case. */
const notFound =
  (as: 'in other letters' | 'at all'): Judgement =>
  (seen, _, { index }) => {
    const { request, resource, exchange } = seen;
    const { names, form, virtual } = request;
    const above = index.named(names.slice(0, -1));
    const isMeant = resource === undefined && form !== 'identifier' && virtual === undefined && !index.isUnclear(names);
    if (!isMeant || names.length < 2 || above === undefined || !isThere(above, exchange.at)) return undefined;
    const like = above.children.filter((one) => one.names.at(-1)?.toLowerCase() === names.at(-1)?.toLowerCase());
    // A former child with this very name may exist again.
    if (like.some((one) => one.names.at(-1) === names.at(-1))) return undefined;
    const hasOtherCase = like.length > 0 === (as === 'in other letters');
    return hasOtherCase && isAskable({ ...seen, resource: above }) ? { rsc: 4004 } : undefined;
  };

/** Whether nothing else is wrong with the request. */
function isAskable(seen: SeenExchange): boolean {
  const { request } = seen;
  const { operation, query, attributes } = request;
  if (operation === 'discover') return query.size === 1 && isPermitted({ ...seen, request: withoutQuery(request) });
  const isWhole = (operation !== 'create' && operation !== 'update') || attributes !== undefined;
  return isWhole && isPermitted(seen);
}

function withoutQuery(request: ParsedRequest): ParsedRequest {
  return { ...request, query: new URLSearchParams() };
}

function isSet({ attributes = {} }: ParsedRequest, name: string): boolean {
  return Object.hasOwn(attributes, name);
}

function rootsIn({ exchange }: SeenExchange): string[] {
  const { body } = viewOfRequest(exchange.request);
  return isObject(body) ? Object.keys(body) : [];
}

/** The root is not that of the created or addressed resource type. */
function hasOtherRoot(seen: SeenExchange): boolean {
  const { request, resource } = seen;
  const [root, ...more] = rootsIn(seen);
  const type = typeOfRoot(root)?.name;
  if (type === undefined || type === 'flex-container' || more.length > 0) return false;
  return request.operation === 'update' ? type !== resource?.type : request.type === undefined;
}

/** Values of rcn that TS-0001 8.1.2 has in no release for the operation. */
const foreignContent: Readonly<Record<string, string>> = { create: '4', retrieve: '2', delete: '2' };

/** Requests with a single error, and the codes that refuse them. */
const wrongs: Readonly<Record<string, readonly [is: (seen: SeenExchange) => boolean, ...codes: number[]]>> = {
  'labels that are not a list': [isNoList, 4000],
  'an update of a read-only attribute': [({ request }) => isSet(request, 'ct'), 4000],
  'an update of an unknown attribute': [({ request }) => isSet(request, 'exc'), 4000],
  'a root of another type': [hasOtherRoot, 4000, 4102],
  'two roots': [(seen) => rootsIn(seen).length > 1, 4000],
  'no content': [({ exchange }) => (exchange.request.body ?? '') === '', 4000],
  'an rcn that the operation does not have': [
    ({ request: { query, operation } }) => query.size === 1 && foreignContent[operation] === query.get('rcn'),
    4000,
  ],
  'an invalid timestamp': [
    ({ request: { query } }) => query.size === 2 && /^[a-z]+$/.test(query.get('cra') ?? ''),
    4000,
    4102,
  ],
};

/** Refused although everything else is permitted (TS-0004 7.3.3.3 to 7.3.3.5). */
function refusal([is, ...codes]: readonly [is: (seen: SeenExchange) => boolean, ...codes: number[]]): Judgement {
  return (seen) => {
    const { resource, exchange, request } = seen;
    if (resource === undefined || !isThere(resource, exchange.at) || !is(seen)) return undefined;
    const isAllowed = isPermitted({ ...seen, isOrdinary: true, request: withoutQuery(request) });
    return isAllowed ? { rsc: { 'one of': codes } } : undefined;
  };
}

/** For a member of a group right after a fan-out that all members reported as done. */
const fannedOut =
  (method: string, of: (attributes: AttributeMap, seen: SeenExchange) => Check | undefined): Judgement =>
  (seen, _, { lastFanOut: last }) => {
    const { request, sender } = seen;
    const isMember = last?.members.has(keyOf(request.names)) === true && request.query.size === 0;
    return isMember && last.method === method && isSame(last.sender, sender) ? of(last.attributes, seen) : undefined;
  };

const holdsCreated = fannedOut('POST', ({ con }, { exchange }) => {
  if (viewOf(exchange).attributes === undefined) return { rsc: { not: 4004 } };
  return typeof con === 'string' && /^[ -~]+$/.test(con) ? { attributes: { con } } : undefined;
});
const isUpdated = fannedOut('PUT', ({ lbl }, { exchange }) => {
  const isShown = Array.isArray(lbl) && viewOf(exchange).attributes !== undefined;
  return isShown ? { attributes: { lbl: { equals: lbl } } } : undefined;
});
const isDeleted = fannedOut('DELETE', () => refused);

/** A CSE that accepts CBOR can write it as well. Other wires have their own rules. */
const inCbor: Judgement = ({ request: { headers }, exchange: { answer, wire } }) => {
  const types = [headers.get('content-type'), headers.get('accept')];
  const isCbor = types.every((type) => /^application\/[\w.+-]*cbor\b/.test(String(type)));
  if (!isCbor || wire !== undefined || answer?.body === '') return undefined;
  return { header: { 'content-type': { matching: '^application/.*cbor' } } };
};

export const ofRequests: Readonly<Record<string, Judgement>> = {
  'a creation that was accepted before is accepted again': created,
  'an update that was accepted before is accepted again': updated,
  'an existing name is refused': nameInUse,
  'a policy with several rules is accepted': policyAccepted,
  'a name clash is refused': nameClash,
  'the name of a deleted resource can be reused': freeAgain,
  'labels that are not a list are refused': noList,
  'an existing resource is not reported as not found': existing,
  'the identifier addresses the resource': identifiedIn('/'),
  'the SP-relative identifier addresses the resource': identifiedIn('/~/'),
  'the absolute identifier addresses the resource': identifiedIn('/_/'),
  'a missing resource is not found': notFound('at all'),
  'a name with other capitals is not found': notFound('in other letters'),
  'each member has the created child': holdsCreated,
  'each member is updated': isUpdated,
  'each member is deleted': isDeleted,
  'a request in CBOR is answered in CBOR': inCbor,
  ...Object.fromEntries(Object.entries(wrongs).map(([what, wrong]) => [`refused: ${what}`, refusal(wrong)])),
};
