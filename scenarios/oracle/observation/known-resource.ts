import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { limits } from './attribute-tables.ts';
import type { AddressForm, AttributeMap } from './parsed-request.ts';
import type { TypeName } from './resource-types.ts';

/** What is known of a resource that the run created. */
export interface KnownResource {
  /** From below the CSE base on. */
  readonly names: readonly string[];
  readonly type: TypeName;
  /** Absent directly below the CSE base. */
  readonly parent?: KnownResource;
  /** Attributes that requests gave it; undefined where nobody can tell what became of them. */
  readonly requested: Map<string, unknown>;
  /** What updates gave since, null where they removed it; only where the source says that it counts. */
  readonly updated: Map<string, unknown>;
  /** Attributes that the service chose and that stay, as answers showed them. */
  readonly returned: Map<string, unknown>;
  /** Those of them that a read has shown as well. */
  readonly confirmed: Set<string>;
  readonly createdBy: Requester;
  /** How its creation was addressed, with which release version, and which Accept. */
  readonly createdIn: AddressForm;
  readonly release: string | undefined;
  readonly accept: string | undefined;
  /** Milliseconds since the start of the run: when its creation was asked for, and was over. */
  readonly begunAt: number;
  readonly createdAt: number;
  /** When its own removal was over. */
  goneAt?: number;
  /** Whether another was created in the same place at the same time, so that nobody can tell which came first. */
  readonly isConcurrent: boolean;
  readonly children: KnownResource[];
  /** `doubtful`: nobody can tell whether it is there; `unsettled`: it may have gone by itself, which a read tells. */
  state: 'there' | 'unsettled' | 'doubtful' | 'gone';
  /** Whether a read has shown it since something beside it may have gone by itself. */
  isSeen?: boolean;
  /** What the last read by the path relative to the CSE base has shown, until something changes. */
  recent?: { readonly sender: Requester; readonly returned: AttributeMap } | undefined;
  /** What the last whole representation showed of what changes by updates alone. */
  readonly full: Map<string, unknown>;
  /** Attributes that were found wrong, so that they are told once. */
  readonly wrong: Set<string>;
  /** When it had been modified before it was updated, as it was shown. */
  modifiedAfter?: unknown;
  /** What the state tag is now, as far as it can be told. */
  tag?: { readonly least: number; readonly most: number } | undefined;
  /** Of a group: all that can be its members, as they were given. */
  members?: readonly string[] | undefined;
  /** Whether a discovery by a label of its own has found it. */
  isFound?: true;
  /** Whether the children are all that it can have. */
  isComplete: boolean;
}

/** Who sent a request, as far as that decides what is permitted. */
export interface Requester {
  readonly originator: string | undefined;
  readonly certificate: string | undefined;
  /** Who asked another CSE for it. */
  readonly through?: string | undefined;
}

export function isSame(a: Requester, b: Requester): boolean {
  return a.originator === b.originator && a.certificate === b.certificate;
}

/** Whether instances may go by themselves. */
export function isLimited({ requested, returned }: KnownResource): boolean {
  return limits.some((name) => requested.has(name) || returned.has(name));
}

/** Whether instances may go after some time. */
export function mayAge({ requested, returned }: KnownResource): boolean {
  return requested.has('mia') || returned.has('mia');
}

/** What limits a container as it was shown or else asked for; NaN where nobody can tell. */
function limitOf({ requested, returned }: KnownResource, name: (typeof limits)[number]): number | undefined {
  if (!requested.has(name) && !returned.has(name)) return undefined;
  return Number(returned.get(name) ?? requested.get(name));
}

/** Whether a container may hold more than its limits permit, so that some of it may be gone, though it should be the oldest. */
export function mayBeOver(container: KnownResource): boolean {
  if (!isLimited(container)) return false;
  const instances = instancesOf(container);
  const texts = instances.map(({ requested }) => JSON.stringify([...requested]));
  const counts = { mni: instances.length, mbs: Buffer.byteLength(texts.join()) };
  return (['mni', 'mbs'] as const).some((name) => !(counts[name] <= (limitOf(container, name) ?? counts[name])));
}

/** Whether a request sets a limit, so that instances may go. */
export function givesLimit(attributes: AttributeMap = {}): boolean {
  return limits.some((name) => Object.hasOwn(attributes, name));
}

/** How many instances there are, and their size; a flexible container has them only as its limits say (TS-0001 9.6.35). */
export const counters: readonly string[] = ['cni', 'cbs'];

/** All attributes that may be others, or absent, once these are given. */
export function namedBy(attributes: AttributeMap = {}): readonly string[] {
  const isLimiting = givesLimit(attributes) || Object.hasOwn(attributes, 'fcied');
  return [...Object.keys(attributes), 'cs', ...(isLimiting ? counters : [])];
}

/** Milliseconds before something expires, in which nobody can tell. */
const margin = 2_000;

/** Whether it and all above it are certainly there at a time, in milliseconds since the start of the run. */
export function isThere(one: KnownResource, at: number): boolean {
  // What goes takes with it what is below, so that this is the quicker question.
  if (one.state !== 'there' || (one.parent !== undefined && !isThere(one.parent, at))) return false;
  return !mayHaveExpired(one, at) && !countsDown(one);
}

/** Whether notifications or reads bring it to its end by their number (TS-0004 7.5.1.2.2; TS-0001 9.6.7, deletionCnt). */
function countsDown({ requested, updated }: KnownResource): boolean {
  return ['exc', 'dcnt'].some((name) => requested.has(name) || updated.has(name));
}

function mayHaveExpired(one: KnownResource, at: number): boolean {
  return (lifetimeOf(one) !== undefined && !certainlyLasts(one, at)) || mayHaveAged(one, at);
}

/** Whether its container keeps instances no longer, in seconds (TS-0001 9.6.6, maxInstanceAge). */
function mayHaveAged({ type, parent, createdAt }: KnownResource, at: number): boolean {
  if (parent === undefined || !type.endsWith('-instance') || !mayAge(parent)) return false;
  return !(at - createdAt <= Number(limitOf(parent, 'mia')) * 1000 - margin);
}

/** Whether it is known to live until then, if nobody removes it. */
export function certainlyLasts(one: KnownResource, at: number): boolean {
  const lasts = lifetimeOf(one);
  return lasts !== undefined && at - one.createdAt <= lasts - margin;
}

/** What the last read of it has shown to the same sender; nothing where something below it may have gone by itself since. */
export function recentOf(resource: KnownResource, sender: Requester, at: number): AttributeMap {
  const { recent } = resource;
  if (recent === undefined || !isSame(recent.sender, sender)) return {};
  return mayLose(resource, at) ? {} : recent.returned;
}

/** Whether something below it may have gone by itself, be it known or not. */
export function mayLose(resource: KnownResource, at: number): boolean {
  return !resource.isComplete || mayAge(resource) || resource.children.some((one) => mayHaveExpired(one, at));
}

interface Lifetime {
  readonly created: unknown;
  readonly expires: unknown;
  readonly lasts: number | undefined;
}

/** As it was shown last: it is asked for far more often than it changes. */
const lifetimes = new WeakMap<KnownResource, Lifetime>();

/** Milliseconds, as it was shown. */
function lifetimeOf(one: KnownResource): number | undefined {
  const [created, expires] = [one.returned.get('ct'), one.returned.get('et')];
  const known = lifetimes.get(one);
  if (known !== undefined && known.created === created && known.expires === expires) return known.lasts;
  const [ct, et] = [created, expires].map((time) => (typeof time === 'string' ? parseTimestamp(time) : undefined));
  const lasts = ct === undefined || et === undefined ? undefined : Number((et - ct) / 1000n);
  lifetimes.set(one, { created, expires, lasts });
  return lasts;
}

/** Whether it, or something above it, was certainly removed. */
export function isGone({ state, parent }: KnownResource): boolean {
  return state === 'gone' || (parent !== undefined && isGone(parent));
}

export function instancesOf({ children }: KnownResource): KnownResource[] {
  return children.filter(({ type, state }) => type.endsWith('-instance') && state !== 'gone');
}

export function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** It and all below it. */
export function withAllBelow(one: KnownResource): KnownResource[] {
  return [one, ...one.children.flatMap(withAllBelow)];
}

/** Takes what an answer shows of some attributes for what they are now. */
export function takeOver(
  { returned }: KnownResource,
  attributes: Readonly<Record<string, unknown>>,
  names: readonly string[],
): void {
  for (const one of names) if (Object.hasOwn(attributes, one)) returned.set(one, attributes[one]);
}

/** Attributes that a service chooses once. */
export const lasting = ['ri', 'pi', 'ct', 'aei', 'nl', 'cr'] as const;

/** Takes what a read shows of them for certain where it was shown before. */
export function confirm({ returned, confirmed }: KnownResource, attributes: Readonly<Record<string, unknown>>): void {
  for (const one of lasting) {
    // Deployed CSEs show null for what was not asked for.
    if ((attributes[one] ?? null) === null) continue;
    if (!returned.has(one)) returned.set(one, attributes[one]);
    else if (returned.get(one) === attributes[one]) confirmed.add(one);
  }
}

/** So many resources are remembered, the latest, however long a recording is. */
const mostHeld = 2_000;

/** Of what is no longer remembered nothing is said, nor of how many there are where it stood. Says whether any were too many. */
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

/** The last of its names; it has one. */
export const nameOf = ({ names }: Pick<KnownResource, 'names'>): string => names.at(-1) ?? '';

/** Such as `a/b`, whatever the names are. */
export const keyOf = (names: readonly string[]): string => JSON.stringify(names);

/** Something may have been made or removed below it. */
export function leaveOpen(resource: KnownResource): void {
  resource.isComplete = false;
  resource.tag = undefined;
}
