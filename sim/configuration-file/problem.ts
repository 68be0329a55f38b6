/** What is wrong or worth knowing about a configuration file, and where. */
/** A part of the text, in UTF-16 units. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}

/** Line and column count from 1; a file that cannot be read has its problem at 1:1, with an empty source line. */
export interface ConfigurationProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Characters of the offending text, at least 1. */
  readonly length: number;
  readonly message: string;
  readonly sourceLine: string;
  /** A file with errors cannot be used. A detail is a note for verbose output. */
  readonly severity: 'error' | 'note' | 'detail';
}

/** A configuration file that cannot be used: all of its errors, sorted by position. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    super(renderAll(problems));
    this.problems = problems;
  }
}

/** A file in another format altogether would fill the terminal. */
const mostRendered = 50;

function renderAll(problems: readonly ConfigurationProblem[]): string {
  const rendered = problems.slice(0, mostRendered).map(renderConfigurationProblem);
  const more = problems.length - rendered.length;
  return [...rendered, ...(more > 0 ? [`and ${more} more errors`] : [])].join('\n\n');
}

/** `file:line:column: message`, the line, and a caret under the offending text. */
export function renderConfigurationProblem(problem: ConfigurationProblem): string {
  const { file, line, column, message, sourceLine, severity } = problem;
  const heading = `${file}:${line}:${column}: ${severity === 'error' ? '' : 'note: '}${message}`;
  if (sourceLine === '') return heading;
  const window = windowOf(problem);
  const number = String(line);
  const before = window.text.slice(0, window.at).replace(/[^\t]/g, ' ');
  const carets = '^'.repeat(Math.max(1, Math.min(problem.length, window.text.length - window.at)));
  return [heading, ` ${number} | ${window.text}`, ` ${' '.repeat(number.length)} | ${before}${carets}`].join('\n');
}

const widest = 120;

/** The line, or the part of a long one around the position. Control characters are made visible. */
function windowOf({ sourceLine, column }: ConfigurationProblem): { text: string; at: number } {
  const start = sourceLine.length <= widest ? 0 : Math.max(0, column - 1 - widest / 2);
  const text = sourceLine.slice(start, start + widest).replace(/[^\P{Cc}\t]/gu, '\u{fffd}');
  return { text, at: column - 1 - start };
}

interface Finding extends Range {
  readonly severity: ConfigurationProblem['severity'];
  readonly message: string;
}

/** Collects the findings of one text. */
export class Findings {
  readonly #file: string;
  readonly #text: string;
  readonly #found: Finding[] = [];

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  readonly error = this.#finding('error');
  readonly note = this.#finding('note');
  readonly detail = this.#finding('detail');

  #finding(severity: Finding['severity']) {
    return ({ offset, length }: Range, message: string) => void this.#found.push({ offset, length, message, severity });
  }

  get errors(): readonly ConfigurationProblem[] {
    return this.#located(this.#found.filter(({ severity }) => severity === 'error'));
  }

  get notes(): readonly ConfigurationProblem[] {
    return this.#located(this.#found.filter(({ severity }) => severity !== 'error'));
  }

  /** Sorted by position. */
  #located(findings: readonly Finding[]): ConfigurationProblem[] {
    const lines = this.#text.split('\n').map((line) => line.replace(/\r$/, ''));
    return findings
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, length, message, severity }) => {
        const before = this.#text.slice(0, offset).split('\n');
        const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
        const sourceLine = lines[line - 1] ?? '';
        const visible = Math.max(1, Math.min(length, sourceLine.length - column + 1));
        return { file: this.#file, line, column, length: visible, message, sourceLine, severity };
      });
  }
}

const longestQuote = 60;

/** As in the file, shortened. */
export function quoted(value: string | number | boolean | null): string {
  const text = JSON.stringify(value);
  return text.length <= longestQuote ? text : `${text.slice(0, longestQuote)}…`;
}
