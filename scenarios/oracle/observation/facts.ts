import { headerOf } from '../../engine/basics/body.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { parseTimestamp, writeTimestamp } from '../../engine/judging/timestamp.ts';
import type { NamedValue, Names } from '../../engine/messages/interpolate.ts';
import {
  givesLimit,
  type Held,
  instancesOf,
  isGiven,
  isLimited,
  isNothing,
  isThere,
  mayAge,
  recentOf,
} from './held.ts';
import type { Observation } from './observation.ts';
import type { Seen } from './seen.ts';

/** Microseconds by which the time of an event may differ from the Date header, which tells whole seconds (RFC 9110 6.6.1). */
const skew = 5_000_000n;

/** What an answer shows, or is to show: what a creation makes is not held yet. */
export interface Subject {
  readonly held?: Held;
  readonly parent?: Held;
  readonly given: ReadonlyMap<string, unknown>;
}

/** Undefined where it is not known which resource that is. */
export function subjectOf({ asked, held, exchange }: Seen): Subject | undefined {
  if (asked.operation === 'create') {
    const given = new Map(Object.entries(asked.given ?? {}).filter(([name, value]) => isGiven(name, value)));
    return { ...(held && { parent: held }), given };
  }
  const shown = asked.virtual === undefined ? held : instanceAt(asked.virtual, held, exchange.at);
  if (shown === undefined) return undefined;
  return { held: shown, ...(shown.parent && { parent: shown.parent }), given: shown.given };
}

/** The instance that was created last, or first, where it is certain which ones there are. */
export function instanceAt(end: 'latest' | 'oldest', container: Held | undefined, at: number): Held | undefined {
  const instances = container && heldInstances(container, at);
  const found = instances?.at(end === 'latest' ? -1 : 0);
  return found?.isTwin === true ? undefined : found;
}

/** Undefined where it cannot be told which instances a container holds. */
function heldInstances(container: Held, at: number): Held[] | undefined {
  const instances = instancesOf(container);
  const isSure = !isLimited(container) || (instances.every(({ isSeen }) => isSeen) && !mayAge(container));
  const isKnown = container.isComplete && isThere(container, at) && (isSure || instances.length === 0);
  return isKnown && instances.every((one) => isThere(one, at)) ? instances : undefined;
}

type Say = (name: string, value: unknown) => void;

/** What is known of an exchange, by the names with which rules refer to it. What is not known is not there. */
export function factsOf(subject: Subject, seen: Seen, observation: Observation): Names {
  const facts = new Map<string, NamedValue>();
  const say: Say = (name, value) => value !== undefined && facts.set(name, { value });
  const { held, parent, given } = subject;
  for (const [name, value] of given) if (isTaken(name, value)) say(`given.${name}`, value);
  sayWire(seen, say);
  say('asked.identifier', seen.exchange.request.headers.find(([name]) => name === 'X-M2M-RI')?.[1]);
  const content = given.get('con');
  if (typeof content === 'string') {
    say('content.length', content.length);
    say('content.bytes', Buffer.byteLength(content));
  }
  if (parent?.confirmed.has('ri') === true) say('parent.ri', parent.shown.get('ri'));
  if (parent === undefined) say('base.ri', observation.baseIdentifier);
  if (held !== undefined) sayShown(held, seen, say);
  const created = viewOf(seen.exchange).attributes?.ct;
  if (typeof created === 'string' && parseTimestamp(created) !== undefined) say('answer.ct', created);
  if (created !== undefined && !observation.timePassed) sayTime(seen, say);
  return facts;
}

function sayWire({ exchange: { wire } }: Seen, say: Say): void {
  const { asked = {}, ...came } = wire ?? {};
  for (const [name, value] of Object.entries(came)) say(`wire.${name}`, value);
  for (const [name, value] of Object.entries(asked)) say(`asked.${name}`, value);
}

function sayShown(held: Held, { asked, exchange, sender }: Seen, say: Say): void {
  say('name', held.names.at(-1));
  for (const [name, value] of held.updated) if (isTaken(name, value)) say(`updated.${name}`, value);
  for (const [name, value] of held.shown) {
    say(`shown.${name}`, value);
    if (held.confirmed.has(name)) say(`read.${name}`, value);
  }
  for (const [name, value] of Object.entries(recentOf(held, sender, exchange.at))) say(`recent.${name}`, value);
  // A limit that an update sets makes instances go.
  const isLimiting = asked.operation === 'update' && givesLimit(asked.given);
  if (!isLimiting && (held.type === 'container' || held.type === 'time-series')) sayInstances(held, exchange.at, say);
}

/** A service that was busy with the answer may have taken the time of its head before or after. */
function sayTime({ exchange }: Seen, say: Say): void {
  const date = Date.parse(String(headerOf(exchange.answer?.headers ?? [], 'date')));
  if (Number.isNaN(date)) return;
  const tolerance = skew + BigInt(Math.ceil(exchange.took)) * 1000n;
  say('date.earliest', writeTimestamp(BigInt(date) * 1000n - tolerance, 'as documented'));
  say('date.latest', writeTimestamp(BigInt(date) * 1000n + tolerance, 'as documented'));
}

function sayInstances(container: Held, at: number, say: Say): void {
  // What becomes of what the service counts itself, once a request that gives it is accepted, is left open.
  if (['cni', 'cbs'].some((name) => container.given.has(name))) return;
  const instances = heldInstances(container, at);
  if (instances === undefined) return;
  const contents = instances.map(({ given }) => given.get('con'));
  say('instances.count', instances.length);
  const sizes = instances.map(sizeOf);
  const size = sizes.reduce<number | undefined>(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );
  const isAlone = container.children.every(({ type }) => type === 'content-instance');
  const isLess = container.children.some(({ type, state }) => type.endsWith('-instance') && state === 'gone');
  const since = isLess ? 'left' : instances.length > 0 ? 'grown' : isAlone ? 'none' : 'beside';
  say(`instances.${since}.count`, instances.length);
  say(`instances.${since}.size`, size);
  if (!contents.every((one) => typeof one === 'string')) return;
  say(
    'instances.bytes',
    contents.reduce((sum, one) => sum + Buffer.byteLength(one), 0),
  );
}

/** Bytes of plain text; what encoded content counts as is not certain. */
export function sizeOf({ given }: Held): number | undefined {
  const [con, cnf] = [given.get('con'), given.get('cnf')];
  if (typeof con !== 'string' || !/^[ -~]*$/.test(con)) return undefined;
  // Without a type it is plain text.
  return cnf === undefined || /^[^:]*(:0(:0)?)?$/.test(String(cnf)) ? con.length : undefined;
}

/** Labels that are no list are to be refused. */
function isTaken(name: string, value: unknown): boolean {
  return !isNothing(value) && (name !== 'lbl' || Array.isArray(value));
}
