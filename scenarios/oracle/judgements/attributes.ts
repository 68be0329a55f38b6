/** What the standard demands of the attributes of any representation, by the tables of its types. */

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

/** A judgement on the attributes of an answer that shows a resource whole: it speaks of those alone that are not as they have to be. */
function onFull(expectedIn: ExpectationOf): Judgement {
  return (seen, subject) => {
    const full = fullIn(seen);
    if (full === undefined) return undefined;
    const isNew = (name: string) => subject.resource?.wrong.has(name) !== true;
    return missingIn(
      full,
      expectedIn(seen, subject, full).filter(([name]) => isNew(name)),
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

/** What a create gave, without what it gave in another's name: of a remote CSE the identifier is From (TS-0004 7.4.4.2.1). */
function byItself(requested: ReadonlyMap<string, unknown>, { originator }: Requester): Map<string, unknown> {
  return new Map([...requested].filter(([name, value]) => name !== 'csi' || value === originator));
}

/** What an update gives counts as soon as it is accepted, before it is taken note of. */
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

/** Content that is a number may come back as its text; labels that are no list are to be refused. */
function isFollowed(name: string, value: unknown): boolean {
  if (name === 'con') return typeof value === 'string';
  return name !== 'lbl' || value === null || Array.isArray(value);
}

/** Which members a group keeps is decided by its type and its strategy, and each once (TS-0004 7.4.13.2.1). */
function keepsMembers(resource: KnownResource | undefined, requested: ReadonlyMap<string, unknown>): boolean {
  const type = requested.has('mt') || resource === undefined ? requested.get('mt') : resource.requested.get('mt');
  const members = requested.get('mid');
  const isDistinct = Array.isArray(members) && new Set(members.map(lastPart)).size === members.length;
  return (type ?? 0) === 0 && isDistinct;
}

function lastPart(member: unknown): string | undefined {
  return String(member).split('/').at(-1);
}

/** Neither its creation nor an update gave it, and no other has a part in it; some services show that it is empty. */
const unrequested = onFull(({ request }, { resource, requested }, full) => {
  if (resource === undefined && request.operation !== 'create') return [];
  const type = resource?.type ?? request.type ?? '';
  const named = new Set([...requested.keys(), ...Object.keys(attributesOf(request))]);
  const isOpen = (name: string) => named.has(name) || !clientOnly.has(name) || !isKept(type, name);
  return Object.keys(full).flatMap((name) => (isOpen(name) ? [] : [[name, nothing] as const]));
});

const nothing: Matcher = { 'one of': [{ is: 'absent' }, { equals: null }, { equals: '' }, { equals: [] }] };

/** Whatever is shown, whoever created it. */
const present = onFull(({ exchange }, _subject, full) => {
  const { root } = viewOf(exchange);
  // What a flexible container was like before has its root too (TS-0001 9.6.68).
  if (full.ty === 58) return [];
  const type = root === 'm2m:cb' ? 'base' : typeOfRoot(root)?.name;
  if (type === undefined) return [];
  return (attributeTables.get(type)?.always ?? []).map((name) => [
    name,
    name === 'ty' ? typeCalled(type) : { is: 'present' },
  ]);
});

/** What is announced of a flexible container has a root of that kind, too. */
function typeCalled(type: TypeName | 'base'): Matcher {
  const number = type === 'base' ? 5 : typeFacts[type].number;
  return { 'one of': type === 'flex-container' ? [number, 10_000 + number] : [number] };
}

/** What an answer showed stays so until an update names it (TS-0004 7.3.3.7). */
const stays = onFull((seen, { resource }) => {
  if (resource === undefined) return [];
  const isUpdate = seen.request.operation === 'update';
  const named = isUpdate ? namedBy(seen.request.attributes) : [];
  const known = new Map([...resource.full].flatMap(([name, value]) => steadyIn(resource, name, value)));
  // Of a read that is a matter of the creation (TS-0004 7.3.3.3).
  const et = isUpdate ? resource.full.get('et') : undefined;
  if (typeof et === 'string') known.set('et', unchanged('et', et));
  const recent = isUpdate ? [] : stillIn(resource);
  for (const name of recent) known.set(name, unchanged(name, resource.recent?.returned[name]));
  return [...known].filter(([name]) => !named.includes(name));
});

/** A counter that was there once is there, however far it counts meanwhile. */
function steadyIn(resource: KnownResource, name: string, value: unknown): ExpectedValues {
  if (counters.includes(name)) return [[name, { is: 'present' }]];
  return isSteady(resource, name) ? [[name, unchanged(name, value)]] : [];
}

/** What an update alone changes (TS-0001 9.6.1.3.1, 9.6.35), where nothing was changed since the last read, and nothing stands below. */
function stillIn({ type, recent, children }: KnownResource): readonly string[] {
  if (recent === undefined || restless.has(type) || children.length > 0) return [];
  return ['lt', 'cs'].filter((name) => recent.returned[name] !== undefined);
}

/** What happens elsewhere, or does not happen, changes these. */
const restless = new Set('ae node polling-channel remote-cse subscription time-series'.split(' '));

/** The CSE base has the name by which it is addressed, and keeps what it was shown with: no request updates it (TS-0004 7.4.3.2.3). */
const baseStays: Judgement = (seen, _, observation) => {
  const full = seen.atBase ? fullIn(seen) : undefined;
  if (full === undefined) return undefined;
  const known = [...observation.base].map(([name, value]) => [name, unchanged(name, value)] as const);
  return missingIn(full, [['rn', observation.names.base], ['ty', 5], ...known]);
};

/** Of a time that tells more than milliseconds, what is modified later is modified at another one. */
const modified = onFull(({ request }, { resource }) => {
  const before = request.operation === 'update' ? resource?.returned.get('lt') : resource?.modifiedAfter;
  const isPrecise = typeof before === 'string' && /,\d{3}(?!000)\d{3}$/.test(before);
  return isPrecise ? [['lt', { not: before }]] : [];
});

const chosenOnce = new Set(['ri', 'pi', 'rn', 'ty', 'ct', 'aei', 'cs', 'cr', 'csi', 'cnd', 'mgd', 'cnf']);

/** They follow other attributes, where nobody gives them (TS-0004 7.4.38.2), or what happens. */
const derived = new Set(['peid', 'mdt', 'mid', 'exc', 'dcnt']);

function isSteady({ type }: KnownResource, name: string): boolean {
  // An instance is never changed, and has the state tag that it was stored with (TS-0001 9.6.7).
  if (name === 'st') return type === 'content-instance';
  return chosenOnce.has(name) || isLimit(name) || (isKept(type, name) && !derived.has(name));
}

const counted = onFull((_seen, _subject, { cnm, mid }) => {
  return cnm === undefined || !Array.isArray(mid) ? [] : [['cnm', mid.length]];
});

/** Nobody can tell which of the two is wrong. */
const createdAtOnce = onFull((_seen, _subject, { ct, lt }) =>
  typeof ct === 'string' ? [['lt', ct], ...(typeof lt === 'string' ? [['ct', lt] as const] : [])] : [],
);

const tagOf = (resource: KnownResource, at: number): KnownResource['tag'] =>
  mayLose(resource, at) ? undefined : resource.tag;

/**
 * The state tag of an instance is that of its container, which "should" grow before (TS-0001 9.6.7), or 0, as of anything that is new
 * (TS-0001 9.6.1.3.2).
 */
const taggedAlike = onFull(({ resource, exchange }) => {
  const tag = resource?.type === 'container' && !isLimited(resource) ? tagOf(resource, exchange.at) : undefined;
  return tag === undefined ? [] : [['st', { 'one of': [{ is: 'absent' }, 0, { between: [tag.least, tag.most + 1] }] }]];
});

/** A state tag grows by one with each change, where nothing else can have made it grow: a limit makes instances go. */
const tagged = onFull(({ request, exchange }, { resource }) => {
  const tag = resource && tagOf(resource, exchange.at);
  const isLimiting = Object.keys(request.attributes ?? {}).some(isLimit);
  if (tag === undefined || isLimiting) return [];
  const own = request.operation === 'update' ? 1 : 0;
  return [['st', { between: [tag.least + own, tag.most + own] }]];
});

export const ofAttributes: Readonly<Record<string, Judgement>> = {
  'what was given is shown': asRequestedNow,
  'what nobody gave is absent': unrequested,
  'what is always there is shown': present,
  'what was shown stays': stays,
  'what an update gave is shown': changed,
  'the CSE base stays': baseStays,
  'an update is a modification': modified,
  'the members are counted': counted,
  'it was modified when it was created': createdAtOnce,
  'the state tag counts changes': tagged,
  'the state tag is that of the container': taggedAlike,
};
