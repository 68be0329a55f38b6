/** Access control rules (TS-0001, clause 9.6.2; evaluated as TS-0003, clause 7.1.5 says): what they are once read, and when one grants something. */
import type { CseIdentity } from '../address.ts';
import type { Value } from '../attribute-types.ts';
import type { Operation, RequestPrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';
import type { ResourceType } from '../resource-type.ts';
import { isInside, type Point } from './access-location.ts';
import { isMeant, type OriginatorMatcher, originatorMatcher } from './access-originator.ts';
import { isScheduled } from './schedule.ts';

export type AccessedOperation = Operation | 'discover';

/** `accessControlOperations` of TS-0004; a rule has the sum of what it grants. */
const operationBits: Readonly<Record<AccessedOperation, number>> = {
  create: 1,
  retrieve: 2,
  update: 4,
  delete: 8,
  notify: 16,
  discover: 32,
};

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
  readonly schedules: readonly string[] | undefined;
  readonly networks: readonly string[] | undefined;
  /** Latitude and longitude in degrees, radius in metres; a region that is no circle (a country) cannot be looked at. */
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
export interface Wish {
  readonly request: RequestPrimitive;
  /** Canonical; '' for nobody. */
  readonly originator: string;
  readonly operation: AccessedOperation;
  readonly resource: Resource;
  /** The kind that a create brings. */
  readonly child: ResourceType | undefined;
}

/** What rules ask that no request says. */
export interface Surroundings {
  readonly identity: CseIdentity;
  /** Microseconds since 1970 UTC. */
  readonly now: () => number;
  /** Where the originator is, as far as that is known. */
  readonly locationOf: (originator: string) => Point | undefined;
  /** True when the identifier is a group's to which the originator belongs. */
  readonly isMember: (originator: string, group: string) => boolean;
}

type RuleValue = Readonly<Record<string, Value | undefined>>;

/** The rules of `pv` or `pvs`: `{"acr": [...]}`. */
export function readRules(set: Value | undefined, identity: CseIdentity): readonly AccessRule[] {
  const { acr = [] } = (set ?? {}) as { acr?: readonly RuleValue[] };
  return acr.map((rule) => readRule(rule, identity));
}

function readRule({ acor, acop, acco, acod, acaf, aca }: RuleValue, identity: CseIdentity): AccessRule {
  return {
    originators: originatorMatcher(acor as readonly string[], identity),
    operations: Number(acop),
    contexts: (acco as readonly RuleValue[] | undefined)?.map(readContext),
    objects: (acod as readonly RuleValue[] | undefined)?.map(readObjectDetails),
    authenticated: acaf === true,
    attributes: aca === undefined ? undefined : new Set(aca as readonly string[]),
  };
}

function readContext({ actw, acip, aclr, ...others }: RuleValue): Context {
  const { ipv4 = [], ipv6 = [] } = (acip ?? {}) as { ipv4?: readonly string[]; ipv6?: readonly string[] };
  const { accr } = (aclr ?? {}) as { accr?: readonly number[] };
  return {
    schedules: actw as readonly string[] | undefined,
    networks: acip === undefined ? undefined : [...ipv4, ...ipv6],
    region: aclr === undefined ? undefined : { circle: accr },
    unknowable: Object.values(others).some((value) => value !== undefined),
  };
}

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
export function decide(rules: readonly AccessRule[], wish: Wish, surroundings: Surroundings): Decision {
  let limited: Set<string> | undefined;
  for (const rule of rules) {
    if (!grants(rule, wish, surroundings)) continue;
    if (rule.attributes === undefined) return true;
    limited ??= new Set();
    for (const name of rule.attributes) limited.add(name);
  }
  return limited ?? false;
}

function grants(rule: AccessRule, wish: Wish, surroundings: Surroundings): boolean {
  if ((rule.operations & operationBits[wish.operation]) === 0) return false;
  if (rule.authenticated && wish.request.authenticated !== true) return false;
  if (rule.objects !== undefined && !rule.objects.some((details) => concerns(details, wish))) return false;
  if (!namesOriginator(rule.originators, wish, surroundings)) return false;
  return rule.contexts === undefined || rule.contexts.some((context) => holds(context, wish, surroundings));
}

/** Roles that a request claims count for nothing: nothing here tells whether they were assigned (TS-0003, clause 7.4.3). */
function namesOriginator(matcher: OriginatorMatcher, wish: Wish, { identity, isMember }: Surroundings): boolean {
  const { originator } = wish;
  if (isMeant(matcher, originator, identity)) return true;
  for (const id of matcher.ids) if (isMember(originator, id)) return true;
  return false;
}

/** TS-0001, clause 9.6.2.4: kinds of children matter to a create only. */
function concerns({ type, specialization, childTypes }: ObjectDetails, wish: Wish): boolean {
  const { resource, operation, child } = wish;
  if (type !== undefined && resource.type.ty !== type) return false;
  if (specialization !== undefined && specialization !== (resource.values.cnd ?? resource.values.mgd)) return false;
  if (operation !== 'create' || childTypes === undefined) return true;
  return child !== undefined && childTypes.includes(child.ty);
}

function holds({ schedules, networks, region, unknowable }: Context, wish: Wish, surroundings: Surroundings): boolean {
  if (unknowable) return false;
  const { address } = wish.request;
  if (schedules !== undefined && !schedules.some((schedule) => isScheduled(schedule, surroundings.now()))) return false;
  if (networks !== undefined && !(address && networks.some((network) => isInNetwork(address, network)))) return false;
  return region === undefined || isInside(region.circle, surroundings.locationOf(wish.originator));
}

/** IP addresses and networks as access control contexts name them: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */

/** True when the address is the one named, or in the network named. */
function isInNetwork(address: string, network: string): boolean {
  const [base = '', length] = network.split('/');
  const wanted = bitsOf(base);
  const given = bitsOf(address.replace(/^::ffff:(?=\d+\.)/i, ''));
  if (wanted === undefined || given === undefined || wanted.length !== given.length) return false;
  const prefix = length === undefined ? wanted.length : Number(length);
  return Number.isInteger(prefix) && prefix >= 0 && given.slice(0, prefix) === wanted.slice(0, prefix);
}

/** 32 or 128 binary digits; undefined for what is no address. */
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
