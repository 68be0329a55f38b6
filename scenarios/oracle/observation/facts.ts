import { headerOf } from '../../engine/basics/body.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { parseTimestamp, writeTimestamp } from '../../engine/judging/timestamp.ts';
import type { NamedValue, Names } from '../../engine/messages/interpolate.ts';
import {
  givesLimit,
  instancesOf,
  isLimited,
  isNothing,
  isThere,
  type KnownResource,
  mayAge,
  recentOf,
} from './known-resource.ts';
import type { Observation } from './observation.ts';
import { requestedIn } from './parsed-request.ts';
import type { SeenExchange } from './seen-exchange.ts';

/** Microseconds by which an event may differ from the Date header, which has whole seconds (RFC 9110 6.6.1). */
const skew = 5_000_000n;

/** The resource of an answer; without `resource` for a creation. */
export interface Subject {
  readonly resource?: KnownResource;
  readonly parent?: KnownResource;
  readonly requested: ReadonlyMap<string, unknown>;
}

/** Undefined if the resource is unknown. */
export function subjectOf({ request, resource, exchange }: SeenExchange): Subject | undefined {
  if (request.operation === 'create')
    return { ...(resource && { parent: resource }), requested: requestedIn(request.attributes) };
  const subject = request.virtual === undefined ? resource : instanceAt(request.virtual, resource, exchange.at);
  if (subject === undefined) return undefined;
  return { resource: subject, ...(subject.parent && { parent: subject.parent }), requested: subject.requested };
}

/** The latest or oldest instance, if it is certain which ones exist. */
export function instanceAt(
  end: 'latest' | 'oldest',
  container: KnownResource | undefined,
  at: number,
): KnownResource | undefined {
  const instances = container && heldInstances(container, at);
  const found = instances?.at(end === 'latest' ? -1 : 0);
  return found?.isConcurrent === true ? undefined : found;
}

/** Undefined if the instances are uncertain. */
function heldInstances(container: KnownResource, at: number): KnownResource[] | undefined {
  const instances = instancesOf(container);
  const isSure = !isLimited(container) || (instances.every(({ isSeen }) => isSeen) && !mayAge(container));
  const isKnown = container.isComplete && isThere(container, at) && (isSure || instances.length === 0);
  return isKnown && instances.every((one) => isThere(one, at)) ? instances : undefined;
}

/** Beginnings of names of facts. */
export const factFamilies = [
  ...['name', 'requested', 'updated', 'returned', 'retrieved', 'current', 'request', 'response', 'parent', 'base'],
  ...['content', 'instances', 'date', 'wire'],
];

export const isFactName = (name: string): boolean => factFamilies.includes(name.split('.')[0] ?? '');

type Say = (name: string, value: unknown) => void;

/** Facts about an exchange, by their names in rules. Unknown ones are missing. */
export function factsOf(subject: Subject, seen: SeenExchange, observation: Observation): Names {
  const facts = new Map<string, NamedValue>();
  const say: Say = (name, value) => value !== undefined && facts.set(name, { value });
  const { resource, parent, requested } = subject;
  for (const [name, value] of requested) if (isUsable(name, value)) say(`requested.${name}`, value);
  sayWire(seen, say);
  say('request.identifier', seen.exchange.request.headers.find(([name]) => name === 'X-M2M-RI')?.[1]);
  const content = requested.get('con');
  const { con = content } = viewOf(seen.exchange).attributes ?? {};
  // The size is that of what is stored; where another con is returned, that is the deviation.
  if (typeof content === 'string' && con === content) {
    say('content.length', content.length);
    say('content.bytes', Buffer.byteLength(content));
  }
  if (parent?.confirmed.has('ri') === true) say('parent.ri', parent.returned.get('ri'));
  if (parent === undefined) say('base.ri', observation.baseIdentifier);
  if (resource !== undefined) sayResource(resource, seen, say);
  const created = viewOf(seen.exchange).attributes?.ct;
  if (typeof created === 'string' && parseTimestamp(created) !== undefined) say('response.ct', created);
  if (created !== undefined && !observation.timePassed) sayTime(seen, say);
  return facts;
}

function sayWire({ exchange: { wire } }: SeenExchange, say: Say): void {
  const { asked = {}, ...response } = wire ?? {};
  for (const [name, value] of Object.entries(response)) say(`wire.${name}`, value);
  for (const [name, value] of Object.entries(asked)) say(`request.${name}`, value);
}

function sayResource(resource: KnownResource, { request, exchange, sender }: SeenExchange, say: Say): void {
  say('name', resource.names.at(-1));
  for (const [name, value] of resource.updated) if (isUsable(name, value)) say(`updated.${name}`, value);
  for (const [name, value] of resource.returned) {
    say(`returned.${name}`, value);
    if (resource.confirmed.has(name)) say(`retrieved.${name}`, value);
  }
  for (const [name, value] of Object.entries(recentOf(resource, sender, exchange.at))) say(`current.${name}`, value);
  // A limit in an update removes instances.
  const isLimiting = request.operation === 'update' && givesLimit(request.attributes);
  const hasInstances = resource.type === 'container' || resource.type === 'time-series';
  if (hasInstances && !isLimiting) sayInstances(resource, exchange.at, say);
}

/** The Date header may have been written earlier or later than the resource. */
function sayTime({ exchange }: SeenExchange, say: Say): void {
  const date = Date.parse(String(headerOf(exchange.answer?.headers ?? [], 'date')));
  if (Number.isNaN(date)) return;
  const tolerance = skew + BigInt(Math.ceil(exchange.took)) * 1000n;
  say('date.earliest', writeTimestamp(BigInt(date) * 1000n - tolerance, 'as documented'));
  say('date.latest', writeTimestamp(BigInt(date) * 1000n + tolerance, 'as documented'));
}

function sayInstances(container: KnownResource, at: number, say: Say): void {
  // Counters that a request was allowed to set are implementation-defined.
  if (['cni', 'cbs'].some((name) => container.requested.has(name))) return;
  const instances = heldInstances(container, at);
  if (instances === undefined) return;
  const contents = instances.map(({ requested }) => requested.get('con'));
  say('instances.count', instances.length);
  const isAlone = container.children.every(({ type }) => type === 'content-instance');
  const isLess = container.children.some(({ type, state }) => type.endsWith('-instance') && state === 'gone');
  const since = isLess ? 'remaining' : instances.length > 0 ? 'added' : isAlone ? 'initial' : 'others';
  say(`instances.${since}.count`, instances.length);
  say(`instances.${since}.size`, sumOf(instances.map(sizeOf)));
  say('instances.bytes', sumOf(contents.map((one) => (typeof one === 'string' ? Buffer.byteLength(one) : undefined))));
}

/** Undefined if one is unknown. */
function sumOf(numbers: ReadonlyArray<number | undefined>): number | undefined {
  let sum = 0;
  for (const one of numbers) {
    if (one === undefined) return undefined;
    sum += one;
  }
  return sum;
}

/** Bytes of plain text; undefined for encoded content, whose size is ambiguous. */
export function sizeOf({ requested }: KnownResource): number | undefined {
  const [con, cnf] = [requested.get('con'), requested.get('cnf')];
  if (typeof con !== 'string' || !/^[ -~]*$/.test(con)) return undefined;
  // Without `cnf` it is plain text.
  return cnf === undefined || /^[^:]*(:0(:0)?)?$/.test(String(cnf)) ? con.length : undefined;
}

/** Labels that are no list should have been refused. */
function isUsable(name: string, value: unknown): boolean {
  return !isNothing(value) && (name !== 'lbl' || Array.isArray(value));
}
