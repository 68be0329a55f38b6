/** Access control rules (TS-0001, clause 9.6.2; evaluated as TS-0003, clause 7.1.5 says): what they are once read, and when one grants something. */
import { type AddressRange, isAmong, readAddressRange } from './access-address.ts';
import { isMeant, type OriginatorMatcher, originatorMatcher } from './access-originator.ts';
import { isScheduled, readSchedule, type Schedule } from './access-schedule.ts';
import type { CseIdentity } from './address.ts';
import type { Value } from './attribute-types.ts';
import type { Operation } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { ResourceType } from './resource-type.ts';

export type AccessedOperation = Operation | 'discover';

/** `accessControlOperations` of TS-0004; a rule has the sum of what it grants. */
export const operationBits: Readonly<Record<AccessedOperation, number>> = {
  create: 1,
  retrieve: 2,
  update: 4,
  delete: 8,
  notify: 16,
  discover: 32,
};

export const everyOperation = 63;

export interface AccessRule {
  readonly originators: OriginatorMatcher;
  /** Sum of `operationBits`. */
  readonly operations: number;
  /** One of them must hold; undefined: whatever the circumstances. */
  readonly contexts: readonly Context[] | undefined;
  /** One of them must be meant; undefined: whatever the resource. */
  readonly objects: readonly ObjectDetails[] | undefined;
  /** True: only for originators that have proved who they are. */
  readonly authenticated: boolean;
  /** Names of the attributes to which it is limited. */
  readonly attributes: ReadonlySet<string> | undefined;
}

/** Everything in it must hold. */
interface Context {
  readonly schedules: readonly Schedule[] | undefined;
  readonly addresses: readonly AddressRange[] | undefined;
  /** A circle: latitude and longitude in degrees, radius in metres. Undefined in a region says that it is of another kind. */
  readonly region: { readonly circle: readonly number[] | undefined } | undefined;
  /** True when it has members that nothing here can tell: users, criteria, limits. */
  readonly unknowable: boolean;
}

interface ObjectDetails {
  readonly type: number | undefined;
  readonly specialization: string | number | undefined;
  readonly childTypes: readonly number[] | undefined;
}

/** One thing that somebody wants to do. */
export interface Attempt {
  /** Canonical; '' for nobody. */
  readonly originator: string;
  readonly operation: AccessedOperation;
  readonly resource: Resource;
  /** The kind that a create brings. */
  readonly child: ResourceType | undefined;
  readonly roles: readonly string[] | undefined;
  readonly address: string | undefined;
  readonly authenticated: boolean;
  /** Microseconds since 1970 UTC. */
  readonly now: number;
  /** Latitude and longitude of the originator, where they are known. */
  readonly location: () => readonly [number, number] | undefined;
  /** True when the identifier is a group's to which the originator belongs. */
  readonly isMember: (group: string) => boolean;
}

type RuleValue = Readonly<Record<string, Value | undefined>>;

/** The rules of `pv` or `pvs`: `{"acr": [...]}`, or the list alone. */
export function readRules(set: Value | undefined, identity: CseIdentity): readonly AccessRule[] {
  return rulesIn(set).map((rule) => readRule(rule, identity));
}

export function rulesIn(set: Value | undefined): readonly RuleValue[] {
  const list = Array.isArray(set) ? set : (set as { acr?: Value } | undefined)?.acr;
  return (list ?? []) as readonly RuleValue[];
}

function readRule({ acor, acop, acco, acod, acaf, aca }: RuleValue, identity: CseIdentity): AccessRule {
  const operations = Array.isArray(acop) ? acop.reduce((sum: number, bit) => sum | Number(bit), 0) : Number(acop);
  return {
    originators: originatorMatcher(acor as readonly string[], identity),
    operations,
    contexts: (acco as readonly RuleValue[] | undefined)?.map(readContext),
    objects: (acod as readonly RuleValue[] | undefined)?.map(readObjectDetails),
    authenticated: acaf === true,
    attributes: aca === undefined ? undefined : new Set(aca as readonly string[]),
  };
}

function readContext({ actw, acip, aclr, ...others }: RuleValue): Context {
  const { ipv4 = [], ipv6 = [] } = (acip ?? {}) as { ipv4?: readonly string[]; ipv6?: readonly string[] };
  const { accr, accc } = (aclr ?? {}) as { accr?: readonly number[]; accc?: unknown };
  return {
    schedules: (actw as readonly string[] | undefined)?.flatMap((text) => [readSchedule(text) ?? []].filter(isNotEmpty)),
    addresses: acip === undefined ? undefined : [...ipv4, ...ipv6].flatMap((text) => readAddressRange(text) ?? []),
    region: aclr === undefined ? undefined : { circle: accc === undefined ? accr : undefined },
    unknowable: Object.values(others).some((value) => value !== undefined),
  };
}

const isNotEmpty = (schedule: Schedule) => schedule.length > 0;

function readObjectDetails({ ty, spty, chty }: RuleValue): ObjectDetails {
  const { cnd, mgd } = (spty ?? {}) as { cnd?: string; mgd?: number };
  return {
    type: ty as number | undefined,
    specialization: cnd ?? mgd,
    childTypes: chty as readonly number[] | undefined,
  };
}

/** True: all of it; a set: these attributes only; false: nothing. */
export type Decision = boolean | ReadonlySet<string>;

/** What the rules together grant. */
export function decide(rules: Iterable<AccessRule>, attempt: Attempt, identity: CseIdentity): Decision {
  let limited: Set<string> | undefined;
  for (const rule of rules) {
    if (!grants(rule, attempt, identity)) continue;
    if (rule.attributes === undefined) return true;
    limited ??= new Set();
    for (const name of rule.attributes) limited.add(name);
  }
  return limited ?? false;
}

function grants(rule: AccessRule, attempt: Attempt, identity: CseIdentity): boolean {
  if ((rule.operations & operationBits[attempt.operation]) === 0) return false;
  if (rule.authenticated && !attempt.authenticated) return false;
  if (rule.objects !== undefined && !rule.objects.some((details) => concerns(details, attempt))) return false;
  if (!namesOriginator(rule.originators, attempt, identity)) return false;
  return rule.contexts === undefined || rule.contexts.some((context) => holds(context, attempt));
}

function namesOriginator(matcher: OriginatorMatcher, attempt: Attempt, identity: CseIdentity): boolean {
  if (isMeant(matcher, attempt.originator, identity)) return true;
  if (attempt.roles?.some((role) => matcher.ids.has(role))) return true;
  for (const id of matcher.ids) if (attempt.isMember(id)) return true;
  return false;
}

/** TS-0001, clause 9.6.2.4: kinds of children matter to a create only. */
function concerns({ type, specialization, childTypes }: ObjectDetails, attempt: Attempt): boolean {
  const { resource, operation, child } = attempt;
  if (type !== undefined && resource.type.ty !== type) return false;
  if (specialization !== undefined && specialization !== (resource.values.cnd ?? resource.values.mgd)) return false;
  if (operation !== 'create' || childTypes === undefined) return true;
  return child !== undefined && childTypes.includes(child.ty);
}

function holds({ schedules, addresses, region, unknowable }: Context, attempt: Attempt): boolean {
  if (unknowable) return false;
  if (schedules !== undefined && !schedules.some((schedule) => isScheduled(schedule, attempt.now))) return false;
  if (addresses !== undefined && (attempt.address === undefined || !isAmong(attempt.address, addresses))) return false;
  return region === undefined || isInside(region.circle, attempt.location());
}

const earthRadius = 6_371_000;

/** Distance on the sphere, by the haversine formula. */
function isInside(circle: readonly number[] | undefined, point: readonly [number, number] | undefined): boolean {
  const [latitude, longitude, radius] = circle ?? [];
  if (latitude === undefined || longitude === undefined || radius === undefined || point === undefined) return false;
  const radians = Math.PI / 180;
  const [north, east] = [(point[0] - latitude) * radians, (point[1] - longitude) * radians];
  const part =
    Math.sin(north / 2) ** 2 +
    Math.cos(latitude * radians) * Math.cos(point[0] * radians) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(part))) <= radius;
}
