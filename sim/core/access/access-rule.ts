/** Access control rules (TS-0001, clause 9.6.2), parsed and evaluated (TS-0003, clause 7.1.5). */
import type { CseIdentity } from '../address.ts';
import type { Value } from '../attribute-types.ts';
import { operationBits } from '../numbers.ts';
import { matchesOriginator, type OriginatorMatcher, originatorMatcher } from '../originator.ts';
import type { RequestPrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';
import type { ResourceType } from '../resource-type.ts';
import type { AccessedOperation } from '../services.ts';
import { isScheduled } from './schedule.ts';

/** An entry of `acr` with its originators prepared for matching. */
export interface AccessRule extends RuleValue {
  readonly originators: OriginatorMatcher;
}

/** An entry of `acr`. */
interface RuleValue {
  readonly acor: readonly string[];
  /** Sum of `operationBits`. */
  readonly acop: number;
  /** At least one must hold. */
  readonly acco?: readonly Context[];
  /** At least one must match. */
  readonly acod?: readonly ObjectDetails[];
  /** True: only for authenticated originators. */
  readonly acaf?: boolean;
  /** The only attributes that it covers. */
  readonly aca?: readonly string[];
}

/** All parts must hold; others (users, criteria, limits) cannot be evaluated here. */
interface Context {
  readonly actw?: readonly string[];
  readonly acip?: { readonly ipv4?: readonly string[]; readonly ipv6?: readonly string[] };
  /** Latitude and longitude in degrees, radius in metres; regions other than circles (countries) cannot be evaluated. */
  readonly aclr?: { readonly accr?: readonly number[] };
}

interface ObjectDetails {
  readonly ty?: number;
  readonly spty?: { readonly cnd?: string; readonly mgd?: number };
  readonly chty?: readonly number[];
}

/** An access to be decided on. */
export interface AccessAttempt {
  readonly request: RequestPrimitive;
  /** Canonical; '' without one. */
  readonly originator: string;
  readonly operation: AccessedOperation;
  /** A discovery sets it anew for each candidate. */
  resource: Resource;
  /** The type to be created. */
  readonly child: ResourceType | undefined;
}

/** What rules need beyond the request. */
export interface AccessContext {
  readonly identity: CseIdentity;
  /** Microseconds since 1970 UTC. */
  now(): number;
  /** Where the originator is, if known. */
  locationOf(originator: string): Point | undefined;
  /** True when the identifier names a group that the originator belongs to. */
  isMember(originator: string, group: string): boolean;
}

/** The rules of `pv` or `pvs`: `{"acr": [...]}`. */
export function readRules(set: Value | undefined, identity: CseIdentity): readonly AccessRule[] {
  const { acr = [] } = (set ?? {}) as { acr?: readonly RuleValue[] };
  return acr.map((rule) => ({ ...rule, originators: originatorMatcher(rule.acor, identity) }));
}

/** True: all of it; a set: these attributes only; false: nothing. */
export type Decision = boolean | ReadonlySet<string>;

/** What the rules grant together. */
export function decide(rules: readonly AccessRule[], attempt: AccessAttempt, context: AccessContext): Decision {
  let limited: Set<string> | undefined;
  for (const rule of rules) {
    if (!grants(rule, attempt, context)) continue;
    if (rule.aca === undefined) return true;
    limited ??= new Set();
    for (const name of rule.aca) limited.add(name);
  }
  return limited ?? false;
}

function grants(rule: AccessRule, attempt: AccessAttempt, context: AccessContext): boolean {
  if ((rule.acop & operationBits[attempt.operation]) === 0) return false;
  if (rule.acaf && attempt.request.authenticated !== true) return false;
  if (rule.acod !== undefined && !rule.acod.some((details) => covers(details, attempt))) return false;
  if (!namesOriginator(rule.originators, attempt, context)) return false;
  return rule.acco === undefined || rule.acco.some((one) => holds(one, attempt, context));
}

/** Claimed roles are ignored: whether they were assigned cannot be known here (TS-0003, clause 7.4.3). */
function namesOriginator(matcher: OriginatorMatcher, { originator }: AccessAttempt, context: AccessContext): boolean {
  if (matchesOriginator(matcher, originator, context.identity)) return true;
  for (const id of matcher.ids) if (context.isMember(originator, id)) return true;
  return false;
}

/** TS-0001, clause 9.6.2.4: child types matter to a create only. */
function covers({ ty, spty, chty }: ObjectDetails, { resource, operation, child }: AccessAttempt): boolean {
  if (ty !== undefined && resource.type.ty !== ty) return false;
  const specialization = spty?.cnd ?? spty?.mgd;
  if (specialization !== undefined && specialization !== (resource.values.cnd ?? resource.values.mgd)) return false;
  if (operation !== 'create' || chty === undefined) return true;
  return child !== undefined && chty.includes(child.ty);
}

function holds({ actw, acip, aclr, ...others }: Context, attempt: AccessAttempt, context: AccessContext): boolean {
  if (Object.values(others).some((value) => value !== undefined)) return false;
  const { address } = attempt.request;
  if (actw !== undefined && !actw.some((schedule) => isScheduled(schedule, context.now()))) return false;
  const networks = acip && [...(acip.ipv4 ?? []), ...(acip.ipv6 ?? [])];
  if (networks !== undefined && !(address && networks.some((network) => isInNetwork(address, network)))) return false;
  return aclr === undefined || isInside(aclr.accr, context.locationOf(attempt.originator));
}

// IP addresses and networks in access control contexts: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`.

/** True when the address is this one, or in this network. */
function isInNetwork(address: string, network: string): boolean {
  const [base = '', length] = network.split('/');
  const expected = bitsOf(base);
  const actual = bitsOf(address.replace(/^::ffff:(?=\d+\.)/i, ''));
  if (expected === undefined || actual === undefined || expected.length !== actual.length) return false;
  const prefix = length === undefined ? expected.length : Number(length);
  return Number.isInteger(prefix) && prefix >= 0 && actual.slice(0, prefix) === expected.slice(0, prefix);
}

/** 32 or 128 binary digits; undefined unless an address. */
function bitsOf(address: string): string | undefined {
  return address.includes(':') ? bitsOfIpv6(address) : bitsOfIpv4(address);
}

function bitsOfIpv4(address: string): string | undefined {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return parts.map((part) => Number(part).toString(2).padStart(8, '0')).join('');
}

function bitsOfIpv6(address: string): string | undefined {
  const [head = '', tail, ...more] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const missing = 8 - before.length - after.length;
  if (more.length > 0 || missing < 0 || (tail === undefined && missing > 0)) return undefined;
  const all = [...before, ...Array<string>(missing).fill('0'), ...after];
  if (!all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return all.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}

// Where an originator is, for contexts with a region (`aclr`, TS-0004 clause 6.3.5).

/** Latitude and longitude in degrees. */
type Point = readonly [latitude: number, longitude: number];

const earthRadius = 6_371_000;

/** True when the point is in the circle (latitude, longitude, radius in metres), by the haversine formula. */
function isInside(circle: readonly number[] | undefined, point: Point | undefined): boolean {
  const [latitude = Number.NaN, longitude = Number.NaN, radius = Number.NaN] = circle ?? [];
  if (point === undefined) return false;
  const radians = Math.PI / 180;
  const [north, east] = [(point[0] - latitude) * radians, (point[1] - longitude) * radians];
  const part =
    Math.sin(north / 2) ** 2 + Math.cos(latitude * radians) * Math.cos(point[0] * radians) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(part))) <= radius;
}

/** Latitude and longitude of an AE whose `loc` is a point, in GeoJSON `[longitude, latitude]`. */
export function locationOf(entity: Resource | undefined): Point | undefined {
  const { typ, crd } = (entity?.values.loc ?? {}) as { typ?: unknown; crd?: unknown };
  if (typ !== 1) return undefined;
  const [longitude, latitude] = (typeof crd === 'string' ? JSON.parse(crd) : crd) as [number, number];
  return [latitude, longitude];
}
