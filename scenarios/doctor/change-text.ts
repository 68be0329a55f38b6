/** The line that fixes a set-up, in a target file or a command. */

import { readFileSync } from 'node:fs';
import { isScalar, LineCounter, parseDocument } from 'yaml';
import type { SetupChange } from './remark.ts';

/** The line of the target file, if there is one. */
export function changeText(change: SetupChange, file?: string): string {
  if ('elsewhere' in change) return change.elsewhere;
  if (file === undefined) return change.flag;
  const { line, written } = lineFor(file, change.key.split('.'), change.value);
  return `${file}${line === undefined ? '' : `:${line}`}: ${written}`;
}

/** Without `line` if the key is not in the file yet. */
function lineFor(path: string, keys: readonly string[], value: string | boolean) {
  const lines = new LineCounter();
  const node = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines }).getIn(keys, true);
  const written = `${keys.map((key) => `${key}: `).join('{ ')}${value}${' }'.repeat(keys.length - 1)}`;
  const at = isScalar(node) ? node.range?.[0] : undefined;
  return { written, ...(at !== undefined && { line: lines.linePos(at).line }) };
}
