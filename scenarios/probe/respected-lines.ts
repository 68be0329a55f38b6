import { stringify } from 'yaml';
import { defined } from '../engine/defined.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import { indented, line } from './target-file-lines.ts';

/** How a run goes about, apart from its target. */
export interface Paces {
  /** Scenarios at the same time. */
  readonly jobs?: number;
  /** Milliseconds for each request. */
  readonly timeout?: number;
}

/** What no probe finds out, as it was told: what a run has to respect, and what it reaches and is reached by. */
export function respected(choice: UrlChoice, paces: Paces = {}): string[] {
  const { lifetime, waitBudget, handsOff, inboxHost, reachesHarness, backend, risky, risks } = choice;
  const said = defined({
    limits: limitsOf(choice, paces),
    lifetime: lifetime === 'none' ? lifetime : durationText(lifetime),
    waits: durationText(waitBudget),
    risky: risky === 'all' ? 'allowed' : risky,
    risks,
    'hands off': handsOff,
    notifications: reachesHarness === false ? 'none' : inboxHost && { host: inboxHost },
    backend: backend && defined({ url: backend.url, base: backend.base, 'cse id': backend.cseId }),
  });
  return Object.entries(said).flatMap(([key, value]) => linesOf(key, value));
}

function linesOf(key: string, value: unknown): string[] {
  if (key === 'risks')
    return stringify({ [key]: value }, { lineWidth: 0 })
      .trimEnd()
      .split('\n');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return line(key, value);
  const inner = Object.entries(value).flatMap(([name, one]) => line(name, one));
  return [`${key}:`, ...indented(inner)];
}

function limitsOf({ rate, connections, bodyLimit }: UrlChoice, { jobs, timeout }: Paces): object | undefined {
  const limits = defined({
    rate: rate && `${rate.requests}/${rate.per === 1000 ? 's' : 'm'}`,
    connections,
    jobs,
    timeout: durationText(timeout),
    body: bodyLimit === undefined ? undefined : sizeText(bodyLimit),
  });
  return Object.keys(limits).length === 0 ? undefined : limits;
}

const durations = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;
const sizes = [
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['B', 1],
] as const;

/** In the largest unit of which it is a whole number. */
function inUnits(value: number, units: ReadonlyArray<readonly [name: string, size: number]>): string {
  const [name, size] = units.find(([, one]) => value % one === 0) ?? ['', 1];
  return `${value / size}${name}`;
}

function durationText(time: number | undefined): string | undefined {
  return time === undefined ? undefined : inUnits(time, durations);
}

function sizeText(bytes: number): string {
  return inUnits(bytes, sizes);
}
