import type { Matcher } from '../../engine/grammar/grammar-check.ts';
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { limits } from './attribute-tables.ts';
import type { AddressForm, AttributeMap } from './parsed-request.ts';
import type { TypeName } from './resource-types.ts';

/** A resource that the run created, as far as known. */
export interface KnownResource {
  /** From below the CSE base. */
  readonly names: readonly string[];
  readonly type: TypeName;
  /** Absent directly below the CSE base. */
  readonly parent?: KnownResource;
  /** Attributes as requested; undefined where the effect is unknown. */
  readonly requested: Map<string, unknown>;
  /** Attributes set by later updates, null if removed; only those that certainly took effect. */
  readonly updated: Map<string, unknown>;
  /** Attributes that the CSE chose, as answers returned them. */
  readonly returned: Map<string, unknown>;
  /** Of these, the ones that a read confirmed. */
  readonly confirmed: Set<string>;
  readonly createdBy: Requester;
  /** Address form, release version and Accept of its creation. */
  readonly createdIn: AddressForm;
  readonly release: string | undefined;
  readonly accept: string | undefined;
  /** Milliseconds from the start of the run to the beginning and end of its creation. */
  readonly begunAt: number;
  readonly createdAt: number;
  /** End of its deletion. */
  goneAt?: number;
  /** Whether a sibling was created at the same time, so that their order is unknown. */
  readonly isConcurrent: boolean;
  readonly children: KnownResource[];
  /** `doubtful`: it may exist or not; `unsettled`: it may have expired or been evicted, which a read shows. */
  state: 'there' | 'unsettled' | 'doubtful' | 'gone';
  /** Whether the last read found it. */
  isSeen?: boolean;
  /** The last read by its CSE-relative path, until anything changes. */
  recent?: { readonly sender: Requester; readonly returned: AttributeMap } | undefined;
  /** The last full representation. */
  readonly full: Map<string, unknown>;
  /** Wrong attributes, which are reported once. */
  readonly wrong: Set<string>;
  /** `lt` before the last update. */
  modifiedAfter?: unknown;
  /** Bounds of the current state tag, if known. */
  tag?: { readonly least: number; readonly most: number } | undefined;
  /** Of a group: its possible members, as requested. */
  members?: readonly string[] | undefined;
  /** Whether a discovery by one of its labels found it. */
  isFound?: true;
  /** Whether it has no unknown children. */
  isComplete: boolean;
}

/** The sender of a request, as far as it matters for rights. */
export interface Requester {
  readonly originator: string | undefined;
  readonly certificate: string | undefined;
  /** The originator of a request through another CSE. */
  readonly through?: string | undefined;
}

export function isSame(a: Requester, b: Requester): boolean {
  return a.originator === b.originator && a.certificate === b.certificate;
}

/** Whether instances may be evicted. */
export function isLimited({ requested, returned }: KnownResource): boolean {
  return limits.some((name) => requested.has(name) || returned.has(name));
}

/** Whether instances may expire by `mia`. */
export function mayAge({ requested, returned }: KnownResource): boolean {
  return requested.has('mia') || returned.has('mia');
}

/** A limit as returned, or else as requested; NaN if unknown. */
function limitOf({ requested, returned }: KnownResource, name: (typeof limits)[number]): number | undefined {
  if (!requested.has(name) && !returned.has(name)) return undefined;
  return Number(returned.get(name) ?? requested.get(name));
}

/** Whether a container may exceed its limits, so that any instance may be gone, though it should be the oldest. */
export function mayBeOver(container: KnownResource): boolean {
  if (!isLimited(container)) return false;
  const instances = instancesOf(container);
  const texts = instances.map(({ requested }) => JSON.stringify([...requested]));
  const counts = { mni: instances.length, mbs: Buffer.byteLength(texts.join()) };
  return (['mni', 'mbs'] as const).some((name) => !(counts[name] <= (limitOf(container, name) ?? counts[name])));
}

/** Whether a request sets a limit, so that instances may be evicted. */
export function givesLimit(attributes: AttributeMap = {}): boolean {
  return limits.some((name) => Object.hasOwn(attributes, name));
}

/** Number and size of instances; a flexible container has them only with limits (TS-0001 9.6.35). */
export const counters: readonly string[] = ['cni', 'cbs'];

/** All attributes that a request with these may change or remove. */
export function namedBy(attributes: AttributeMap = {}): readonly string[] {
  const isLimiting = givesLimit(attributes) || Object.hasOwn(attributes, 'fcied');
  return [...Object.keys(attributes), 'cs', ...(isLimiting ? counters : [])];
}

/** Milliseconds before an expiration in which existence is uncertain. */
const margin = 2_000;

/** Whether it certainly exists at a time, in milliseconds since the start of the run. */
export function isThere(one: KnownResource, at: number): boolean {
  // A deletion includes all descendants, so that this is quicker.
  if (one.state !== 'there' || (one.parent !== undefined && !isThere(one.parent, at))) return false;
  return !mayHaveExpired(one, at) && !countsDown(one);
}

/** Whether a number of notifications or reads deletes it (TS-0004 7.5.1.2.2; TS-0001 9.6.7, deletionCnt). */
function countsDown({ requested, updated }: KnownResource): boolean {
  return ['exc', 'dcnt'].some((name) => requested.has(name) || updated.has(name));
}

function mayHaveExpired(one: KnownResource, at: number): boolean {
  return (lifetimeOf(one) !== undefined && !certainlyLasts(one, at)) || mayHaveAged(one, at);
}

/** Whether its container may have evicted it by age, in seconds (TS-0001 9.6.6, maxInstanceAge). */
function mayHaveAged({ type, parent, createdAt }: KnownResource, at: number): boolean {
  if (parent === undefined || !type.endsWith('-instance') || !mayAge(parent)) return false;
  return !(at - createdAt <= Number(limitOf(parent, 'mia')) * 1000 - margin);
}

/** Whether it certainly does not expire before then. */
export function certainlyLasts(one: KnownResource, at: number): boolean {
  const lasts = lifetimeOf(one);
  return lasts !== undefined && at - one.createdAt <= lasts - margin;
}

/** The last read by the same sender; empty if a child may have gone since. */
export function recentOf(resource: KnownResource, sender: Requester, at: number): AttributeMap {
  const { recent } = resource;
  if (recent === undefined || !isSame(recent.sender, sender)) return {};
  return mayLose(resource, at) ? {} : recent.returned;
}

/** Whether a child, known or not, may have expired or been evicted. */
export function mayLose(resource: KnownResource, at: number): boolean {
  return !resource.isComplete || mayAge(resource) || resource.children.some((one) => mayHaveExpired(one, at));
}

interface Lifetime {
  readonly created: unknown;
  readonly expires: unknown;
  readonly lasts: number | undefined;
}

/** Cached, since it is needed far more often than it changes. */
const lifetimes = new WeakMap<KnownResource, Lifetime>();

/** Milliseconds from `ct` to `et`, as returned. */
function lifetimeOf(one: KnownResource): number | undefined {
  const [created, expires] = [one.returned.get('ct'), one.returned.get('et')];
  const known = lifetimes.get(one);
  if (known !== undefined && known.created === created && known.expires === expires) return known.lasts;
  const [ct, et] = [created, expires].map((time) => (typeof time === 'string' ? parseTimestamp(time) : undefined));
  const lasts = ct === undefined || et === undefined ? undefined : Number((et - ct) / 1000n);
  lifetimes.set(one, { created, expires, lasts });
  return lasts;
}

/** Whether it, or an ancestor, was certainly deleted. */
export function isGone({ state, parent }: KnownResource): boolean {
  return state === 'gone' || (parent !== undefined && isGone(parent));
}

export function instancesOf({ children }: KnownResource): KnownResource[] {
  return children.filter(({ type, state }) => type.endsWith('-instance') && state !== 'gone');
}

export function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

export function withAllBelow(one: KnownResource): KnownResource[] {
  return [one, ...one.children.flatMap(withAllBelow)];
}

/** Takes over these attributes from an answer. */
export function takeOver(
  { returned }: KnownResource,
  attributes: Readonly<Record<string, unknown>>,
  names: readonly string[],
): void {
  for (const one of names) if (Object.hasOwn(attributes, one)) returned.set(one, attributes[one]);
}

/** Attributes that a CSE chooses once. */
export const lasting = ['ri', 'pi', 'ct', 'aei', 'nl', 'cr'] as const;

/** Confirms these attributes if a read returns the same value as before. */
export function confirm({ returned, confirmed }: KnownResource, attributes: Readonly<Record<string, unknown>>): void {
  for (const one of lasting) {
    // Deployed CSEs return null for attributes that were not requested.
    if ((attributes[one] ?? null) === null) continue;
    if (!returned.has(one)) returned.set(one, attributes[one]);
    else if (returned.get(one) === attributes[one]) confirmed.add(one);
  }
}

/** Resources to remember, however long a recording is. */
const mostHeld = 2_000;

/** Forgets the oldest resources, and with them whether their parents are complete. Returns whether any were forgotten. */
export function keepLatest(resources: Map<string, KnownResource>): boolean {
  if (resources.size <= mostHeld) return false;
  const isEmpty = ([, { children }]: readonly [string, KnownResource]) => children.every(isGone);
  const oldest = [...resources].filter(isEmpty).slice(0, mostHeld / 4);
  for (const [key] of oldest) resources.delete(key);
  const forgotten = new Set(oldest.map(([, one]) => one));
  for (const one of forgotten) if (one.parent !== undefined && !isGone(one)) one.parent.isComplete = false;
  for (const { children } of new Set([...forgotten].flatMap(({ parent }) => parent ?? [])))
    children.splice(0, children.length, ...children.filter((child) => !forgotten.has(child)));
  return true;
}

export const senderKey = ({ originator, certificate }: Requester): string => JSON.stringify([originator, certificate]);

export const nameOf = ({ names }: Pick<KnownResource, 'names'>): string => names.at(-1) ?? '';

export const keyOf = (names: readonly string[]): string => JSON.stringify(names);

export function leaveOpen(resource: KnownResource): void {
  resource.isComplete = false;
  resource.tag = undefined;
}

/** A reference that is one of these, or a path that ends in one. */
export const namedByEnding = (endings: readonly string[]): Matcher => ({
  'one of': endings.flatMap((ending): Matcher[] => [ending, { 'ends with': `/${ending}` }]),
});
