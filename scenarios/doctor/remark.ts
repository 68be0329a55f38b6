import { readFileSync } from 'node:fs';
import { isScalar, LineCounter, parseDocument } from 'yaml';

/** Remarks of a doctor on a set-up, without a verdict on the CSE. */

/** A flag with the equivalent line of a target file, or a sentence if neither helps. */
export type SetupChange =
  | { readonly flag: string; readonly key: string; readonly value: string | boolean }
  | { readonly elsewhere: string };

export interface SetupRemark {
  /** Such as `host name`, or `CSE base`. */
  readonly about: string;
  /** `unknown`: it could not be determined, or is not configured. */
  readonly state: 'right' | 'wrong' | 'unknown';
  readonly says: string;
  readonly change?: SetupChange;
}

/** `interrupted`: with the remarks so far. */
export interface Diagnosis {
  readonly url: string;
  readonly outcome: 'right' | 'wrong' | 'interrupted';
  readonly remarks: readonly SetupRemark[];
  readonly requests: number;
  /** Milliseconds. */
  readonly took: number;
}

export const right = (about: string, says: string): SetupRemark => ({ about, state: 'right', says });
export const wrong = (about: string, says: string, change: SetupChange): SetupRemark => {
  return { about, state: 'wrong', says, change };
};
export const unknown = (about: string, says: string, change?: SetupChange): SetupRemark => {
  return { about, state: 'unknown', says, ...(change && { change }) };
};

/** `key`: in a target file, with dots between levels. */
export const setting = (flag: string, key: string, value: string | boolean): SetupChange => ({ flag, key, value });
export const elsewhere = (sentence: string): SetupChange => ({ elsewhere: sentence });

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
