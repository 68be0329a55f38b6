import { distance } from 'fastest-levenshtein';

/** What is wrong in a user's file, and where; line and column count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Characters of the offending text, at least 1. */
  readonly length: number;
  readonly message: string;
  readonly sourceLine: string;
}

/** `file:line:column: message`, the line, and a caret under the offending text. */
export function renderProblem(problem: Problem): string {
  const { file, line, column, message, sourceLine } = problem;
  const number = String(line);
  const before = sourceLine.slice(0, column - 1).replace(/[^\t]/g, ' ');
  const length = Math.max(1, Math.min(problem.length, sourceLine.length - column + 1));
  const gutter = ' '.repeat(number.length);
  return [
    `${file}:${line}:${column}: ${message}`,
    ` ${number} | ${sourceLine}`,
    ` ${gutter} | ${before}${'^'.repeat(length)}`,
  ].join('\n');
}

/** Scenario or requirement files that cannot be used: every problem of every file. */
export class ScenarioFilesError extends Error {
  override readonly name = 'ScenarioFilesError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(renderProblem).join('\n\n'));
    this.problems = problems;
  }
}

/** The caller asked for something that does not exist or cannot be done (exit code 2). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Why a file cannot be read: in our own words for common causes, else in those of the system. */
export function unreadable(path: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new UsageError(`there is no file "${path}"`);
  if (code === 'EISDIR') return new UsageError(`"${path}" is a directory, and no file`);
  return new UsageError(`"${path}" cannot be read: ${message}`);
}

/** Words suggested at most. */
const mostSuggested = 3;

/** `; did you mean "x" or "y"?`, with the nearest known words, best first; empty when none is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const lowerCase = word.toLowerCase();
  const limit = Math.max(1, Math.floor(word.length / 3));
  const near = [...new Set(known)]
    .map((candidate) => ({ candidate, distance: nearness(lowerCase, candidate.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate));
  const best = near[0]?.distance ?? 0;
  const suggested = near.filter(({ distance }) => distance <= best + 1).slice(0, mostSuggested);
  if (suggested.length === 0) return '';
  return `; did you mean ${suggested.map(({ candidate }) => `"${candidate}"`).join(' or ')}?`;
}

/** A word that contains the other is just near enough. */
function nearness(word: string, candidate: string, limit: number): number {
  const contains = word.length >= 4 && (candidate.includes(word) || word.includes(candidate));
  const edits = distance(word, candidate);
  return contains ? Math.min(limit, edits) : edits;
}
