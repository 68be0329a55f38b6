import { createHash } from 'node:crypto';
import type { CheckResult } from '../engine/results/result.ts';
import type { Normalise } from './normalise.ts';

/** Identifies a failure in a baseline: ten characters, and words for people. */
export interface Signature {
  readonly hash: string;
  /** Such as `3f9a1c07b2 attribute ri is absent`. */
  readonly text: string;
}

const hashLength = 10;
/** Characters of the words. */
const longestText = 120;
/** Characters of a value that count: sentences cut long ones. */
const longestValue = 60;
/** Length at which sentences of checks cut a value. */
const shownValue = 160;

/** The same behaviour of the target has the same signature, in any run and at any address. */
export function signatureOf({ actual }: Pick<CheckResult, 'actual'>, normalise: Normalise): Signature {
  const text = normalise(withValues(actual, normalise)).replace(/\s+/g, ' ').trim();
  const hash = createHash('sha256').update(text).digest('hex').slice(0, hashLength);
  const words = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return { hash, text: `${hash} ${words}` };
}

/** The significant characters of a signature in a file. */
export function hashOf(signature: string): string {
  return signature.slice(0, hashLength);
}

/** The sentence with quoted JSON values shortened to what counts. */
function withValues(sentence: string, normalise: Normalise): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = sentence.indexOf(' is '); at >= 0; at = sentence.indexOf(' is ', from)) {
    const start = at + ' is '.length;
    const end = '"[{'.includes(sentence[start] ?? '-') ? endOfValue(sentence, start) : start;
    parts.push(sentence.slice(from, start), valueShape(sentence.slice(start, end), normalise));
    from = end;
  }
  return parts.join('') + sentence.slice(from);
}

const cutMark = /^… \(\d+ characters\)/;

/** JSON tokens: a text, a bracket, or anything between. */
const tokens = /"(?:[^"\\]|\\.)*"|[[{\]}]|[^"[{\]}]+/g;

function endOfValue(sentence: string, start: number): number {
  const cut = cutMark.exec(sentence.slice(start + shownValue));
  if (cut !== null) return start + shownValue + cut[0].length;
  let depth = 0;
  for (const token of sentence.slice(start).matchAll(tokens)) {
    if ('[{'.includes(token[0])) depth += 1;
    else if (']}'.includes(token[0])) depth -= 1;
    if (depth === 0) return start + token.index + token[0].length;
  }
  return sentence.length;
}

function valueShape(value: string, normalise: Normalise): string {
  if (value.startsWith('[') && value.includes('"/')) return pathsShape(value, normalise);
  const shape = normalise(value.replace(/… \(\d+ characters\)$/, ''));
  return shape.length > longestValue ? `${shape.slice(0, longestValue)}…` : shape;
}

/** Discovery results depend on resources of other scenarios, and have no order. */
function pathsShape(value: string, normalise: Normalise): string {
  if (/characters\)$/.test(value)) return '[paths …]';
  const paths = [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path = '']) => normalise(path));
  const shapes = paths.map((path) => (path.includes('${other}') ? '${other}' : path));
  return `[${[...new Set(shapes)].sort().join(', ')}]`;
}
