/** Effects of requests and answers on a known resource. */
import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { isSuccess, viewOf } from '../../engine/judging/answer.ts';
import { limits, references } from './attribute-tables.ts';
import { fullIn } from './effects.ts';
import {
  givesLimit,
  instancesOf,
  isLimited,
  isNothing,
  type KnownResource,
  lasting,
  leaveOpen,
  namedBy,
  takeOver,
  withAllBelow,
} from './known-resource.ts';
import { type AttributeMap, requestedIn } from './parsed-request.ts';
import type { TypeName } from './resource-types.ts';
import type { SeenExchange } from './seen-exchange.ts';

export interface NewResource {
  readonly name: string;
  readonly type: TypeName;
  readonly parent?: KnownResource;
}

export function resourceFrom(seen: SeenExchange, { name, type, parent }: NewResource, dialect: Dialect): KnownResource {
  const { request, exchange } = seen;
  const resource: KnownResource = {
    names: [...(parent?.names ?? []), name],
    type,
    ...(parent && { parent }),
    requested: requestedIn(request.attributes),
    updated: new Map(),
    returned: new Map(),
    full: new Map(),
    wrong: new Set(),
    confirmed: new Set(),
    ...{ createdBy: seen.sender, createdIn: request.form, isConcurrent: seen.isConcurrent },
    ...{ release: request.headers.get('x-m2m-rvi'), accept: request.headers.get('accept') },
    ...{ begunAt: exchange.at, createdAt: exchange.at + exchange.took },
    children: [],
    state: 'there',
    isComplete: true,
    members: membersIn(request.attributes),
  };
  const { attributes = {} } = viewOf(exchange);
  takeOver(resource, attributes, [...lasting, 'et', 'lt', ...limits]);
  if (dialect === 'documented') takeLabels(resource, resource.requested.get('lbl'), attributes);
  return resource;
}

const labelsAfter = (resource: KnownResource, { lbl }: AttributeMap = {}) =>
  (isNothing(lbl) ? undefined : lbl) ?? resource.requested.get('lbl');

/** The specification does not show how labels are set: they count once the answer has them. */
function takeLabels({ requested }: KnownResource, labels: unknown, { lbl }: AttributeMap = {}): void {
  const isSet = labels !== undefined || requested.has('lbl');
  if (isSet) requested.set('lbl', isDeepStrictEqual(lbl, labels) ? labels : undefined);
}

/** Takes note of an update. Returns whether it certainly took effect. `isConfirmed`: its answer is about this resource. */
export function updateOf(resource: KnownResource, seen: SeenExchange, dialect: Dialect, isConfirmed: boolean): boolean {
  const { request, exchange } = seen;
  const { attributes, virtual } = request;
  doubtWhatGoes(resource, attributes, dialect);
  const labels = labelsAfter(resource, attributes);
  const isKnown = isConfirmed && virtual === undefined && isSuccess(exchange) && attributes !== undefined;
  const counts = isKnown && dialect === 'onem2m' && exchange.answer?.status === 200 && isUsual(resource, seen);
  const changed = noteRequested(resource, attributes, isKnown, counts);
  if (changed.includes('mid')) resource.members = counts ? membersIn(attributes) : undefined;
  if (dialect === 'documented') takeLabels(resource, labels, viewOf(exchange).attributes);
  // Children do not outlive their parent (TS-0004 7.3.3.3).
  const expires = attributes === undefined || 'et' in attributes;
  for (const { returned } of expires ? withAllBelow(resource) : [resource]) returned.delete('et');
  resource.modifiedAfter = counts ? resource.returned.get('lt') : undefined;
  if (counts) renewFull(resource, seen, [...changed, ...namedBy(attributes)]);
  else forgetFull(resource);
  countChange(resource.parent, false);
  return counts;
}

/** Unchanged attributes stay, others are as the answer returns them. */
function renewFull(resource: KnownResource, seen: SeenExchange, changed: readonly string[]): void {
  countChange(resource, true);
  for (const name of changed) resource.full.delete(name);
  for (const [name, value] of Object.entries(fullIn(seen) ?? {})) resource.full.set(name, value);
}

/** A limit may remove instances, and so may reenabled retrieval (TS-0001 9.6.6, disableRetrieval). */
function doubtWhatGoes(resource: KnownResource, attributes: AttributeMap | undefined, dialect: Dialect): void {
  const isSafe = dialect === 'onem2m' && attributes !== undefined;
  if (!isSafe || givesLimit(attributes) || Object.hasOwn(attributes, 'disr')) doubtInstances(resource);
}

/** Takes note of requested attributes. Returns the names of those that may have changed. */
function noteRequested(
  resource: KnownResource,
  attributes: AttributeMap = {},
  isKnown: boolean,
  counts: boolean,
): readonly string[] {
  const names = Object.keys(attributes);
  for (const name of isKnown ? names : resource.updated.keys()) resource.updated.delete(name);
  if (counts) for (const [name, value] of Object.entries(attributes)) resource.updated.set(name, value);
  const changed = isKnown ? names : [...names, ...resource.requested.keys()];
  for (const name of changed) resource.requested.set(name, undefined);
  return changed;
}

function isUsual({ type }: KnownResource, { request }: SeenExchange): boolean {
  const { query } = request;
  return request.type === type && (query.size === 0 || (query.size === 1 && query.has('rcn')));
}

export function noteFull(resource: KnownResource, seen: SeenExchange): void {
  const full = fullIn(seen);
  if (full === undefined) return;
  for (const [name, value] of Object.entries(full)) resource.full.set(name, value);
  resource.tag = typeof full.st === 'number' ? { least: full.st, most: full.st } : undefined;
}

/** Forgets references to a deleted resource, which implementations may keep or remove; without `gone`, all references. */
export function forgetReferences(all: readonly KnownResource[], gone?: KnownResource): void {
  const below = gone && withAllBelow(gone);
  const called = below && new Set(below.flatMap(({ names, returned }) => [names.at(-1), returned.get('ri')]));
  const isGone = (value: unknown) => called === undefined || partsOf(value).some((part) => called.has(part));
  for (const { requested, updated, full } of all) {
    forReferring(requested, isGone, (name) => requested.set(name, undefined));
    for (const known of [updated, full]) forReferring(known, isGone, (name) => known.delete(name));
  }
}

function forReferring(
  known: ReadonlyMap<string, unknown>,
  isGone: (value: unknown) => boolean,
  forget: (name: string) => void,
): void {
  for (const [name, value] of known) if (references.has(name) && isGone(value)) forget(name);
}

/** Names and identifiers in an address, or a list of addresses. */
function partsOf(value: unknown): readonly string[] {
  return value === undefined ? [] : JSON.stringify(value).split(/["/]/);
}

/** Anything may have changed. */
function forgetFull(resource: KnownResource): void {
  resource.full.clear();
  resource.tag = undefined;
}

/** Counts a change of the resource, certain or possible, in its state tag. */
export function countChange(resource: KnownResource | undefined, isCertain: boolean): void {
  if (resource?.tag === undefined) return;
  const { least, most } = resource.tag;
  resource.tag = isLimited(resource) ? undefined : { least: least + (isCertain ? 1 : 0), most: most + 1 };
}

/** Instances may have been removed; reads settle each. */
export function doubtInstances(container: KnownResource): void {
  for (const one of instancesOf(container)) unsettle(one);
}

/** It may have been removed, with its descendants. */
export function unsettle(resource: KnownResource): void {
  for (const one of withAllBelow(resource)) {
    if (one.state === 'there') one.state = 'unsettled';
    forgetFull(one);
  }
  if (resource.parent !== undefined) resource.parent.tag = undefined;
}

/** A read shows whether an unsettled resource still exists. */
export function settle(resource: KnownResource, isReturned: boolean): void {
  if (resource.state === 'unsettled') resource.state = isReturned ? 'there' : 'gone';
  resource.isSeen = isReturned;
}

/** It may exist, with its descendants, or not. */
export function doubt(resource: KnownResource): void {
  for (const one of withAllBelow(resource)) {
    if (one.state !== 'gone') one.state = 'doubtful';
    one.isComplete = false;
    forgetFull(one);
  }
  if (resource.parent !== undefined) leaveOpen(resource.parent);
}

/** The possible members: a CSE may leave out some of them (TS-0004 7.4.13.2.1). */
function membersIn({ mid }: AttributeMap = {}): readonly string[] | undefined {
  return Array.isArray(mid) && mid.every((one) => typeof one === 'string') ? mid : undefined;
}
