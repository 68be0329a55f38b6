/** What is wrong with a file that somebody wrote, and where; line and column count from 1. */
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
