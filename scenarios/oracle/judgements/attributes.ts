/** What the standard demands of the attributes of a representation, by the tables of its resource types. */

import type { Check, Matcher } from '../../engine/grammar/grammar-check.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { match } from '../../engine/judging/matchers.ts';
import { attributeTables, clientOnly, isKept, isLimit } from '../observation/attribute-tables.ts';
import { fullIn } from '../observation/effects.ts';
import type { Subject } from '../observation/facts.ts';
import {
  counters,
  isLimited,
  isNothing,
  type KnownResource,
  mayLose,
  namedBy,
  type Requester,
} from '../observation/known-resource.ts';
import type { AttributeMap, ParsedRequest } from '../observation/parsed-request.ts';
import { type TypeName, typeFacts, typeOfRoot } from '../observation/resource-types.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import { asRequested, countedDown, unchanged } from './as-requested.ts';
import type { Judgement } from './judgements.ts';

type ExpectedValues = ReadonlyArray<readonly [name: string, matcher: Matcher]>;
type ExpectationOf = (seen: SeenExchange, subject: Subject, full: AttributeMap) => ExpectedValues;

/** A judgement on the attributes of a full representation; it demands only those that are wrong. */
function onFull(expectedIn: ExpectationOf): Judgement {
  return (seen, subject) => {
    const full = fullIn(seen);
    if (full === undefined) return undefined;
    const expected = expectedIn(seen, subject, full);
    return missingIn(
      full,
      expected.filter(([name]) => subject.resource?.wrong.has(name) !== true),
    );
  };
}

function missingIn(full: AttributeMap, expected: ExpectedValues): Check | undefined {
  const wrong = expected.filter(([name, matcher]) => match(matcher, full[name]) === 'failed');
  return wrong.length === 0 ? undefined : { attributes: Object.fromEntries(wrong) };
}

const asRequestedNow = onFull(({ request, sender }, { resource, requested }) => {
  if (request.operation === 'create') return expectedOf(request.type ?? '', byItself(requested, sender));
  if (resource === undefined) return [];
  const before = byItself(resource.requested, resource.createdBy);
  for (const name of Object.keys(attributesOf(request))) before.delete(name);
  return expectedOf(resource.type, before, resource);
});

/** The requested attributes, without a `csi` other than From, by which the CSE replaces it (TS-0004 7.4.4.2.1). */
function byItself(requested: ReadonlyMap<string, unknown>, { originator }: Requester): Map<string, unknown> {
  return new Map([...requested].filter(([name, value]) => name !== 'csi' || value === originator));
}

/** An accepted update counts at once, before the observation takes note of it. */
const changed = onFull(({ request }, { resource }) => {
  if (resource === undefined) return [];
  const own = attributesOf(request);
  const all = new Map([...resource.updated, ...Object.entries(own)]);
  return expectedOf(resource.type, all, resource, true).map(([name, matcher]) => [
    name,
    name === 'exc' && typeof own.exc === 'number' ? countedDown(own.exc) : matcher,
  ]);
});

function attributesOf({ operation, attributes = {} }: ParsedRequest): AttributeMap {
  return operation === 'update' ? attributes : {};
}

function expectedOf(
  type: string,
  requested: ReadonlyMap<string, unknown>,
  resource?: KnownResource,
  isUpdate = false,
): ExpectedValues {
  return [...requested].flatMap(([name, value]): ExpectedValues => {
    if (isLimit(name) && typeof value === 'number') return [[name, { is: 'integer' }]];
    const isCertain =
      value !== undefined &&
      isKept(type, name, isUpdate) &&
      isFollowed(name, value) &&
      (name !== 'mid' || keepsMembers(resource, requested));
    if (!isCertain) return [];
    if (value === null) return isRequired(type, name) ? [] : [[name, { is: 'absent' }]];
    return isNothing(value) || JSON.stringify(value).includes('${') ? [] : [[name, asRequested(name, value)]];
  });
}

function isRequired(type: string, name: string): boolean {
  return type === 'flex-container' || attributeTables.get(type)?.always.includes(name) === true;
}

/** Content that is a number may come back as text; labels that are no list should have been refused. */
function isFollowed(name: string, value: unknown): boolean {
  if (name === 'con') return typeof value === 'string';
  return name !== 'lbl' || value === null || Array.isArray(value);
}

/** Whether a group keeps all members: its type and strategy may remove some, and duplicates go (TS-0004 7.4.13.2.1). */
function keepsMembers(resource: KnownResource | undefined, requested: ReadonlyMap<string, unknown>): boolean {
  const type = requested.has('mt') || resource === undefined ? requested.get('mt') : resource.requested.get('mt');
  const members = requested.get('mid');
  const isDistinct = Array.isArray(members) && new Set(members.map(lastPart)).size === members.length;
  return (type ?? 0) === 0 && isDistinct;
}

function lastPart(member: unknown): string | undefined {
  return String(member).split('/').at(-1);
}

/** Client-only attributes that neither the creation nor an update gave; some services return them empty. */
const unrequested = onFull(({ request }, { resource, requested }, full) => {
  if (resource === undefined && request.operation !== 'create') return [];
  const type = resource?.type ?? request.type ?? '';
  const named = new Set([...requested.keys(), ...Object.keys(attributesOf(request))]);
  const isOpen = (name: string) => named.has(name) || !clientOnly.has(name) || !isKept(type, name);
  return Object.keys(full).flatMap((name) => (isOpen(name) ? [] : [[name, nothing] as const]));
});

const nothing: Matcher = { 'one of': [{ is: 'absent' }, { equals: null }, { equals: '' }, { equals: [] }] };

/** Mandatory attributes, whoever created the resource. */
const present = onFull(({ exchange }, _subject, full) => {
  const { root } = viewOf(exchange);
  // An instance of a flexible container has the same root (TS-0001 9.6.68).
  if (full.ty === 58) return [];
  const type = root === 'm2m:cb' ? 'base' : typeOfRoot(root)?.name;
  if (type === undefined) return [];
  const always = attributeTables.get(type)?.always ?? [];
  return always.map((name) => [name, name === 'ty' ? typeCalled(type) : { is: 'present' }]);
});

/** An announced flexible container has such a root, too. */
function typeCalled(type: TypeName | 'base'): Matcher {
  const number = type === 'base' ? 5 : typeFacts[type].number;
  return { 'one of': type === 'flex-container' ? [number, 10_000 + number] : [number] };
}

/** Returned attributes stay the same until an update names them (TS-0004 7.3.3.7). */
const stays = onFull((seen, { resource }) => {
  if (resource === undefined) return [];
  const isUpdate = seen.request.operation === 'update';
  const named = isUpdate ? namedBy(seen.request.attributes) : [];
  const known = new Map([...resource.full].flatMap(([name, value]) => steadyIn(resource, name, value)));
  // For reads, rules about the creation check this (TS-0004 7.3.3.3).
  const et = isUpdate ? resource.full.get('et') : undefined;
  if (typeof et === 'string') known.set('et', unchanged('et', et));
  const recent = isUpdate ? [] : stillIn(resource);
  for (const name of recent) known.set(name, unchanged(name, resource.recent?.returned[name]));
  return [...known].filter(([name]) => !named.includes(name));
});

/** A counter stays present, whatever its value. */
function steadyIn(resource: KnownResource, name: string, value: unknown): ExpectedValues {
  if (counters.includes(name)) return [[name, { is: 'present' }]];
  return isSteady(resource, name) ? [[name, unchanged(name, value)]] : [];
}

/** Attributes that only an update changes (TS-0001 9.6.1.3.1, 9.6.35), if nothing changed since the last read, and there are no children. */
function stillIn({ type, recent, children }: KnownResource): readonly string[] {
  if (recent === undefined || restless.has(type) || children.length > 0) return [];
  return ['lt', 'cs'].filter((name) => recent.returned[name] !== undefined);
}

/** Resource types that change by events elsewhere. */
const restless = new Set('ae node polling-channel remote-cse subscription time-series'.split(' '));

/** The CSE base has the name in its address, and never changes: no request updates it (TS-0004 7.4.3.2.3). */
const baseStays: Judgement = (seen, _, observation) => {
  const full = seen.atBase ? fullIn(seen) : undefined;
  if (full === undefined) return undefined;
  const known = [...observation.base].map(([name, value]) => [name, unchanged(name, value)] as const);
  return missingIn(full, [['rn', observation.names.base], ['ty', 5], ...known]);
};

/** With times finer than milliseconds, a later modification has another time. */
const modified = onFull(({ request }, { resource }) => {
  const before = request.operation === 'update' ? resource?.returned.get('lt') : resource?.modifiedAfter;
  const isPrecise = typeof before === 'string' && /,\d{3}(?!000)\d{3}$/.test(before);
  return isPrecise ? [['lt', { not: before }]] : [];
});

const chosenOnce = new Set(['ri', 'pi', 'rn', 'ty', 'ct', 'aei', 'cs', 'cr', 'csi', 'cnd', 'mgd', 'cnf']);

/** Derived from other attributes unless requested (TS-0004 7.4.38.2), or changed by events. */
const derived = new Set(['peid', 'mdt', 'mid', 'exc', 'dcnt']);

function isSteady({ type }: KnownResource, name: string): boolean {
  // An instance never changes, nor does its state tag (TS-0001 9.6.7).
  if (name === 'st') return type === 'content-instance';
  return chosenOnce.has(name) || isLimit(name) || (isKept(type, name) && !derived.has(name));
}

const counted = onFull((_seen, _subject, { cnm, mid }) => {
  return cnm === undefined || !Array.isArray(mid) ? [] : [['cnm', mid.length]];
});

/** Either of the two may be the wrong one. */
const createdAtOnce = onFull((_seen, _subject, { ct, lt }) =>
  typeof ct === 'string' ? [['lt', ct], ...(typeof lt === 'string' ? [['ct', lt] as const] : [])] : [],
);

const tagOf = (resource: KnownResource, at: number): KnownResource['tag'] =>
  mayLose(resource, at) ? undefined : resource.tag;

/**
 * The state tag of an instance is that of its container, which "should" be incremented before (TS-0001 9.6.7), or 0, as of any new
 * resource (TS-0001 9.6.1.3.2).
 */
const taggedAlike = onFull(({ resource, exchange }) => {
  const tag = resource?.type === 'container' && !isLimited(resource) ? tagOf(resource, exchange.at) : undefined;
  return tag === undefined ? [] : [['st', { 'one of': [{ is: 'absent' }, 0, { between: [tag.least, tag.most + 1] }] }]];
});

/** Each change increments the state tag by one. Nothing is demanded where a limit may have removed instances. */
const tagged = onFull(({ request, exchange }, { resource }) => {
  const tag = resource && tagOf(resource, exchange.at);
  const isLimiting = Object.keys(request.attributes ?? {}).some(isLimit);
  if (tag === undefined || isLimiting) return [];
  const own = request.operation === 'update' ? 1 : 0;
  return [['st', { between: [tag.least + own, tag.most + own] }]];
});

export const ofAttributes: Readonly<Record<string, Judgement>> = {
  'requested attributes are returned': asRequestedNow,
  'attributes that were not requested are absent': unrequested,
  'mandatory attributes are returned': present,
  'returned attributes stay the same': stays,
  'updated attributes are returned': changed,
  'the CSE base stays the same': baseStays,
  'an update changes lt': modified,
  'cnm counts the members': counted,
  'lt equals ct': createdAtOnce,
  'st counts changes': tagged,
  'st is that of the container': taggedAlike,
};
