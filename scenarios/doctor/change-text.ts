/** The line that changes a set-up: of a target file, or of a command. */

import { readFileSync } from 'node:fs';
import { isScalar, LineCounter, parseDocument } from 'yaml';
import type { SetupChange } from './remark.ts';

/** Whoever has a target file is told its line. */
export function changeText(change: SetupChange, file?: string): string {
  if ('elsewhere' in change) return change.elsewhere;
  if (file === undefined) return change.flag;
  const { line, written } = lineFor(file, change.key.split('.'), change.value);
  return `${file}${line === undefined ? '' : `:${line}`}: ${written}`;
}

/** Without a line where nothing says it yet. */
function lineFor(path: string, keys: readonly string[], value: string | boolean) {
  const lines = new LineCounter();
  const node = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines }).getIn(keys, true);
  const written = `${keys.map((key) => `${key}: `).join('{ ')}${value}${' }'.repeat(keys.length - 1)}`;
  const at = isScalar(node) ? node.range?.[0] : undefined;
  return { written, ...(at !== undefined && { line: lines.linePos(at).line }) };
}
