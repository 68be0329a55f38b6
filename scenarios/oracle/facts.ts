import { writeTimestamp } from '../engine/judging/timestamp.ts';
import type { Named } from '../engine/messages/interpolate.ts';
import { type Held, instancesOf, isLimited, isThere } from './held.ts';
import type { Observation, Seen } from './observation.ts';

/** What is known of an exchange, by the names with which rules refer to it. What is not known is not there. */
export type Facts = ReadonlyMap<string, Named>;

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
    const given = new Map(Object.entries(asked.given ?? {}).filter(([, value]) => !isNothing(value)));
    return { ...(held && { parent: held }), given };
  }
  const shown = asked.virtual === undefined ? held : newestOf(held, exchange.at);
  if (shown === undefined || asked.virtual === 'oldest') return undefined;
  return { held: shown, ...(shown.parent && { parent: shown.parent }), given: shown.given };
}

/** The instance that was created last, where it is certain which ones there are. */
export function newestOf(container: Held | undefined, at: number): Held | undefined {
  const instances = container && heldInstances(container, at);
  return instances?.at(-1);
}

/** Undefined where it cannot be told which instances a container holds. */
export function heldInstances(container: Held, at: number): Held[] | undefined {
  const instances = instancesOf(container);
  const isKnown = container.isComplete && !isLimited(container) && isThere(container, at);
  return isKnown && instances.every((one) => isThere(one, at)) ? instances : undefined;
}

export function factsOf({ held, parent, given }: Subject, seen: Seen, observation: Observation): Facts {
  const facts = new Map<string, Named>();
  const say = (name: string, value: unknown) => value !== undefined && facts.set(name, { value });
  for (const [name, value] of given) say(`given.${name}`, value);
  for (const [name, value] of held?.shown ?? []) {
    say(`shown.${name}`, value);
    if (held?.confirmed.has(name) === true) say(`read.${name}`, value);
  }
  const content = given.get('con');
  if (typeof content === 'string') say('content.length', content.length);
  if (parent?.confirmed.has('ri') === true) say('parent.ri', parent.shown.get('ri'));
  for (const [name, value] of Object.entries(held?.recent ?? {})) say(`recent.${name}`, value);
  if (held?.type === 'container') sayInstances(held, seen.exchange.at, say);
  const date =
    observation.timePassed || seen.asked.operation !== 'create' ? Number.NaN : Date.parse(headerOf(seen, 'date') ?? '');
  if (!Number.isNaN(date)) {
    say('date.earliest', writeTimestamp(BigInt(date) * 1000n - skew, 'as documented'));
    say('date.latest', writeTimestamp(BigInt(date) * 1000n + skew, 'as documented'));
  }
  return facts;
}

function sayInstances(container: Held, at: number, say: (name: string, value: unknown) => void): void {
  const instances = heldInstances(container, at);
  if (instances === undefined) return;
  const contents = instances.map(({ given }) => given.get('con'));
  say('instances.count', instances.length);
  if (!contents.every((one) => typeof one === 'string')) return;
  say(
    'instances.bytes',
    contents.reduce((sum, one) => sum + Buffer.byteLength(one), 0),
  );
}

function headerOf({ exchange }: Seen, name: string): string | undefined {
  return exchange.answer?.headers.find(([one]) => one.toLowerCase() === name)?.[1];
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
