import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { type Problem, unreadable } from '../basics/diagnostics.ts';
import type { SourceLocation } from '../results/result.ts';

export type DataPath = readonly PropertyKey[];

/** The initial working directory. Files are shown relative to it, and cached results belong to it. */
export const workingDirectory = process.cwd();

/** A parsed YAML file: its value, and the place of each part of it in the text. */
export interface SourceFile {
  /** As shown to people: relative to the `workingDirectory`. */
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
  place(path: DataPath): SourceLocation;
  /** `within` is the offending part of the text; `key` points at the key even where the value is a scalar. */
  problem(path: DataPath, message: string, pointAt?: { key?: boolean; within?: string }): Problem;
}

/** Reads one file; a file that cannot be read or parsed gives only problems. */
export function readSource(path: string): { source?: SourceFile; problems: Problem[] } {
  const name = relative(workingDirectory, path) || path;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { problems: [{ ...nowhere(name), message: unreadable(name, error).message }] };
  }
  return parseSource(name, path, text);
}

export function parseSource(name: string, path: string, text: string): { source?: SourceFile; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true });
  const locate = locator(name, text, lines);
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) {
    const messageOf = ({ code, message }: YAMLError) => plainly.get(code) ?? message.trimEnd();
    return { problems: errors.map((one) => locate(wholeWord(text, one.pos), messageOf(one))) };
  }
  try {
    const value: unknown = document.toJS();
    return { source: sourceFile(name, path, value, document, locate), problems: [] };
  } catch (error) {
    const { message } = error as Error;
    const alias = unresolvedAlias(document);
    return { problems: [alias ? locate(alias, message) : { ...nowhere(name), message }] };
  }
}

/** Mistakes that the parser words for programmers. */
const plainly: ReadonlyMap<string, string> = new Map([
  ['DUPLICATE_KEY', 'this key occurs twice in the same map'],
  ['MULTIPLE_DOCS', 'a file is one document; another begins here'],
]);

function unresolvedAlias(document: Document): Range | undefined {
  let found: Range | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      found = rangeOfNode(alias);
      return visit.BREAK;
    },
  });
  return found;
}

function sourceFile(name: string, path: string, value: unknown, document: Document, locate: Locate): SourceFile {
  const problem: SourceFile['problem'] = (at, message, pointAt = {}) => {
    const range = rangeOf(document, at, pointAt.key ?? false);
    return locate(range, message, pointAt.within);
  };
  return {
    name,
    path,
    value,
    problem,
    place(at) {
      const { file, line, column } = problem(at, '', { key: true });
      return { file, line, column };
    },
  };
}

/** The parser often points at the first character only. */
function wholeWord(text: string, [from, to]: Range): Range {
  const word = /^[\w.-]+/.exec(text.slice(from, from + 200))?.[0] ?? '';
  return [from, Math.max(to, from + word.length)];
}

function nowhere(file: string): Omit<Problem, 'message'> {
  return { file, line: 1, column: 1, length: 1, sourceLine: '' };
}

type Range = readonly [number, number];
type Locate = (range: Range, message: string, within?: string) => Problem;

function locator(file: string, text: string, lines: LineCounter): Locate {
  const sourceLines = text.split(/\r?\n/);
  return ([from, to], message, within) => {
    const offset = within === undefined ? -1 : text.slice(from, to).indexOf(within);
    const start = offset < 0 ? from : from + offset;
    const end = offset < 0 ? to : start + (within ?? '').length;
    const { line, col } = lines.linePos(start);
    const sourceLine = sourceLines[line - 1] ?? '';
    const length = Math.max(1, Math.min(end - start, sourceLine.length - col + 1));
    return { file, line, column: col, length, message, sourceLine };
  };
}

/** The text range of the value at `path`; for a map or list, that of its key or of its first key. */
function rangeOf(document: Document, path: DataPath, key: boolean): Range {
  let node: unknown = document.contents;
  let keyNode: unknown;
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    const pair: Pair | undefined = isMap(node)
      ? node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(segment))
      : undefined;
    const next = pair?.value ?? (isSeq(node) ? node.items[Number(segment)] : undefined);
    if (pair === undefined && next === undefined) break;
    keyNode = pair?.key;
    node = next;
  }
  if (!key && isScalar(node) && node.range) return [node.range[0], node.range[1]];
  const firstKey = isMap(node) ? node.items[0]?.key : undefined;
  return rangeOfNode(keyNode) ?? rangeOfNode(firstKey) ?? rangeOfNode(node) ?? [0, 1];
}

function rangeOfNode(node: unknown): Range | undefined {
  const range = (node as Node | null | undefined)?.range;
  return range ? [range[0], range[1]] : undefined;
}
