/** Reads the claims in a completed form of TS-0017. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { didYouMean, type Problem, ScenarioFilesError, unreadable } from '../engine/basics/diagnostics.ts';
import { type FeatureId, featureIds } from './features.ts';
import { featureOfItem, itemsOf, tableOfItem } from './ics-form.ts';

/** A cell of a table as written; line and column count from 1. */
interface Cell {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export interface ReadIcs {
  /** Without open items; of several items for a feature, an unsupported one decides. */
  readonly claims: ReadonlyMap<FeatureId, 'yes' | { readonly no: string } | 'no'>;
  /** Items of TS-0017 without a feature. */
  readonly unused: readonly string[];
}

/** Words in forms, in lower case. */
const supports: ReadonlyMap<string, 'yes' | 'no' | undefined> = new Map([
  ...['yes', 'y', 'true', 'x', '✓'].map((word) => [word, 'yes'] as const),
  ...['no', 'n', 'false'].map((word) => [word, 'no'] as const),
  ...['', '?', '-', 'n/a', 'unknown'].map((word) => [word, undefined] as const),
]);

/**
 * Reads a CSV table with the columns Item and Support, and optionally Remark; ignores lines before it. Throws UsageError for an
 * unreadable file, ScenarioFilesError with line and column of every error.
 */
export function readIcs(path: string): ReadIcs {
  const text = textOf(path);
  const rows = linesIn(text);
  const problem = problemsIn(relative(process.cwd(), path) || path, text);
  const at = rows.findIndex((row) => columnOf(row, 'item') >= 0 && columnOf(row, 'support') >= 0);
  const head = rows[at];
  if (head === undefined)
    throw new ScenarioFilesError([problem(nowhere, 'there is no table with the columns Item and Support')]);
  const items = rows.slice(at + 1).flatMap((row) => itemIn(row, head));
  const problems = items.flatMap((one) => errorsIn(one).map(([cell, message]) => problem(cell, message)));
  if (problems.length > 0) throw new ScenarioFilesError(problems);
  return claimsIn(items);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\u{feff}/u, '');
  } catch (error) {
    throw unreadable(path, error);
  }
}

const nowhere: Cell = { text: '', line: 1, column: 1 };

function problemsIn(file: string, text: string): (cell: Cell, message: string) => Problem {
  const lines = text.split(/\r?\n/);
  return ({ text: cellText, line, column }, message) => {
    return { file, line, column, length: Math.max(1, cellText.length), message, sourceLine: lines[line - 1] ?? '' };
  };
}

const columnOf = (row: readonly Cell[], name: string): number =>
  row.findIndex(({ text }) => text.toLowerCase() === name);

interface Item {
  readonly id: Cell;
  readonly feature: FeatureId | undefined;
  readonly support: Cell;
  readonly remark: string;
}

/** Ignores other lines. */
function itemIn(row: readonly Cell[], head: readonly Cell[]): Item[] {
  const cell = (name: string): Cell | undefined => row[columnOf(head, name)];
  const id = cell('item');
  if (id === undefined || !/^PICS_/i.test(id.text)) return [];
  const support = cell('support') ?? { ...id, text: '' };
  return [{ id, feature: featureOfItem(id.text), support, remark: cell('remark')?.text ?? '' }];
}

function errorsIn({ id, feature, support }: Item): Array<readonly [Cell, string]> {
  const isKnown = feature !== undefined || tableOfItem.has(id.text);
  const known = [...featureIds.flatMap(itemsOf), ...tableOfItem.keys()];
  const isWord = supports.has(support.text.toLowerCase());
  return [
    ...(isKnown ? [] : [[id, `unknown item "${id.text}"${didYouMean(id.text, known)}`] as const]),
    ...(isWord ? [] : [[support, `"${support.text}" is neither Yes nor No, nor nothing`] as const]),
  ];
}

function claimsIn(items: readonly Item[]): ReadIcs {
  const claims = new Map<FeatureId, 'yes' | 'no' | { readonly no: string }>();
  for (const { feature, support, remark } of items) {
    const claim = supports.get(support.text.toLowerCase());
    if (feature === undefined || claim === undefined || (claim === 'yes' && claims.has(feature))) continue;
    claims.set(feature, claim === 'no' && remark !== '' ? { no: remark } : claim);
  }
  return { claims, unused: items.flatMap(({ id, feature }) => (feature === undefined ? id.text : [])) };
}

/** Separated by semicolons if the header has more of these than commas. */
function linesIn(text: string): Cell[][] {
  const [head = ''] = /^.*\bsupport\b.*$/im.exec(text) ?? [];
  const separator = head.split(';').length > head.split(',').length ? ';' : ',';
  const cell = new RegExp(`(?:^|${separator}) *("(?:[^"]|"")*"|[^${separator}]*)`, 'g');
  return text.split(/\r?\n/).map((line, at) =>
    [...line.matchAll(cell)].map(({ 0: whole, 1: raw = '', index }) => {
      const content = raw
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"');
      return { text: content, line: at + 1, column: index + whole.length - raw.length + 1 };
    }),
  );
}
