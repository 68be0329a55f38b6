/** Lines of a target file for people to read and change. */

import { stringify } from 'yaml';
import { defined } from '../engine/basics/defined.ts';
import { ownValue } from '../engine/basics/own-value.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import { featureOf } from '../ics/features.ts';
import type { Ics } from '../ics/ics.ts';
import { sizes } from '../target-files/read-target-file.ts';
import { type FeatureFinding, type Finding, isFeatureFinding } from './finding.ts';

/** Characters of a line of comment. */
const width = 110;

/**
 * With `evidence` as a comment above it, and short lists inline. A missing value is a comment, if there is evidence.
 */
export function line(key: string, value: unknown, evidence = ''): string[] {
  if (value === undefined) return evidence === '' ? [] : comment(`not found: ${key}: ${evidence}`);
  const text = stringify({ [key]: value }, { lineWidth: 0, collectionStyle: Array.isArray(value) ? 'flow' : 'any' });
  const bare = Array.isArray(value) ? text.trim().replace(/^\{ (.*) \}$/s, '$1') : text.trimEnd();
  return [...(evidence === '' ? [] : comment(evidence)), ...bare.split('\n')];
}

/** Lines below a key; empty if there are none. */
export function section(key: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${key}:`, ...lines.map((one) => (one === '' ? one : `  ${one}`))];
}

export function comment(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((one) => `# ${one}`);
}

// The ICS of a target file, with evidence for each line.

/** Claims from before the probe. */
export interface PriorClaims {
  readonly ics: Ics | undefined;
  /** Their source, as a clause. */
  readonly source: string;
}

export function implemented(findings: readonly Finding[], before: PriorClaims): string[] {
  const claims = findings.filter(isFeatureFinding).flatMap((finding) => claimLines(finding, before));
  return ['', ...section('implements', claims)];
}

/** The finding, else the prior claim. A denial has its reason, for reports. */
function claimLines({ id, name, found, evidence }: FeatureFinding, { ics, source }: PriorClaims): string[] {
  if (found === 'yes') return line(id, found, `${name}: ${evidence}`);
  if (found === 'no') return line(id, { no: evidence }, name);
  const claim = ownValue(ics?.claims, id) ?? 'unknown';
  const reason = ownValue(ics?.reasons, id);
  if (claim === 'no') return line(id, reason === undefined ? claim : { no: reason }, `${name}: ${evidence}; ${source}`);
  if (claim === 'yes') return line(id, claim, `${name}: ${evidence}; ${source}`);
  return featureOf(id).core ? line(`${id}, ${name}`, undefined, evidence) : line(id, claim, `${name}: ${evidence}`);
}

/** Pace of a run, apart from its target. */
export interface Paces {
  /** Scenarios at the same time. */
  readonly jobs?: number;
  /** Milliseconds for each request. */
  readonly timeout?: number;
}

/** Options that a probe cannot find out, as configured: constraints on a run, and addresses. */
export function respected(choice: UrlChoice, paces: Paces = {}): string[] {
  const { lifetime, waitBudget, handsOff, inboxHost, reachesHarness, backend, risky, risks } = choice;
  const values = defined({
    limits: limitsOf(choice, paces),
    lifetime: lifetime === 'none' ? lifetime : durationText(lifetime),
    waits: durationText(waitBudget),
    risky: risky === 'all' ? 'allowed' : risky,
    risks,
    'hands off': handsOff,
    notifications: reachesHarness === false ? 'none' : inboxHost && { host: inboxHost },
    backend: backend && defined({ url: backend.url, base: backend.base, 'cse id': backend.cseId }),
  });
  const block = (value: unknown) => stringify({ risks: value }, { lineWidth: 0 }).trimEnd().split('\n');
  return Object.entries(values).flatMap(([key, value]) => (key === 'risks' ? block(value) : line(key, value)));
}

function limitsOf({ rate, connections, bodyLimit }: UrlChoice, { jobs, timeout }: Paces): object | undefined {
  const limits = defined({
    rate: rate && `${rate.requests}/${rate.per === 1000 ? 's' : 'm'}`,
    connections,
    jobs,
    timeout: durationText(timeout),
    body: bodyLimit === undefined ? undefined : inUnits(bodyLimit, sizes),
  });
  return Object.keys(limits).length === 0 ? undefined : limits;
}

const durations = Object.entries({ h: 3_600_000, m: 60_000, s: 1000, ms: 1 });

/** In the largest unit that gives a whole number. */
function inUnits(value: number, units: ReadonlyArray<readonly [name: string, size: number]>): string {
  const [name, size] = units.find(([, one]) => value % one === 0) ?? ['', 1];
  return `${value / size}${name}`;
}

function durationText(time: number | undefined): string | undefined {
  return time === undefined ? undefined : inUnits(time, durations);
}
