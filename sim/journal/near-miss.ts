/** Why no request matched: the nearest one, and its differences. */
import { differencesOf, type Mismatch, type RequestCriteria } from './criteria.ts';
import type { JournalEntry } from './entry.ts';

/** No request matched, or an unexpected one came. The message names the nearest. */
export class RequestExpectationError extends Error {
  override readonly name = 'RequestExpectationError';
  /** The nearest or unexpected request; undefined when none came at all. */
  readonly nearest: JournalEntry | undefined;
  readonly differences: readonly Mismatch[];

  constructor(message: string, nearest: JournalEntry | undefined, differences: readonly Mismatch[]) {
    super(message);
    this.nearest = nearest;
    this.differences = differences;
  }
}

interface Search {
  readonly entries: readonly JournalEntry[];
  readonly dropped: number;
  /** How the wait ended. */
  readonly ending: string;
}

export function nearMiss(criteria: RequestCriteria, { entries, dropped, ending }: Search): RequestExpectationError {
  const summary = `No request matched${ending}:\n  ${criteriaText(criteria)}`;
  const forgotten = dropped === 0 ? '' : ` (${dropped} older ones were dropped)`;
  const found = nearestOf(entries, criteria);
  if (found === undefined)
    return new RequestExpectationError(`${summary}\nNo request came${forgotten}.`, undefined, []);
  const { entry, differences } = found;
  const lines = differences.map(
    ({ part, expected: value, actual }) => `  ${part}: expected ${format(value)}, was ${format(actual)}`,
  );
  const count = entries.length === 1 ? 'the only request' : `the nearest of ${entries.length} requests`;
  const which = `no. ${entry.number}, ${count}${forgotten}, differs`;
  return new RequestExpectationError(`${summary}\n${which}:\n  ${entry}\n${lines.join('\n')}`, entry, differences);
}

/** The one with the least differences; of several the latest. */
function nearestOf(entries: readonly JournalEntry[], criteria: RequestCriteria) {
  let nearest: { entry: JournalEntry; differences: readonly Mismatch[]; distance: number } | undefined;
  for (const entry of entries) {
    const differences = differencesOf(entry, criteria);
    const distance = differences.reduce((sum, difference) => sum + weightOf(difference), 0);
    if (nearest === undefined || distance <= nearest.distance) nearest = { entry, differences, distance };
  }
  return nearest;
}

/** Path and operation weigh more than content; a path with the same beginning is nearer. */
function weightOf({ part, expected, actual }: Mismatch): number {
  if (part === 'method' || part === 'operation') return 2;
  if (part !== 'path') return 1;
  if (typeof expected !== 'string') return 2;
  const [expectedPath, actualPath] = [expected, String(actual)].map((path) => path.split('/'));
  const same = (expectedPath ?? []).filter((name, at) => name === actualPath?.[at]).length;
  return 3 - (2 * same) / Math.max(expectedPath?.length ?? 1, actualPath?.length ?? 1);
}

function criteriaText({ method, operation, path, originator, ...others }: RequestCriteria): string {
  const begin = [method ?? operation ?? 'any request', path === undefined ? '' : textOf(path)].join(' ').trim();
  const from = originator === undefined ? '' : ` from ${textOf(originator)}`;
  const rest = Object.entries(others).map(([part, expected]) => `, ${part} ${format(expected)}`);
  return `${begin}${from}${rest.join('')}`;
}

const textOf = (text: string | RegExp) => String(text);

const maxLength = 200;

function format(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return value.name === '' ? 'what a function accepts' : `what ${value.name} accepts`;
  if (value instanceof RegExp) return String(value);
  const text = JSON.stringify(value, (_, inner) =>
    inner instanceof RegExp || typeof inner === 'function' ? String(inner) : inner,
  );
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
