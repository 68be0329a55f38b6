import type { AnswerView } from '../../engine/judging/answer.ts';
import type { Row } from './difference.ts';
import type { Answered, Pair, Parted } from './parted.ts';

/** Two answers beside each other, as they came, line by line: by the parts that are compared. */
export function rowsOf({ A, B }: Pair, parts: ReadonlySet<Parted['part']>): Row[] {
  const [a, b] = [linesOf(A), linesOf(B)];
  const names = [...new Set([...a.keys(), ...b.keys()])];
  return names.map((name) => {
    const [left, right] = [a.get(name), b.get(name)];
    const sides = { ...(left !== undefined && { A: left }), ...(right !== undefined && { B: right }) };
    return { name: name.replace(/^(attribute|header) /, ''), ...sides, differs: parts.has(name) };
  });
}

const shownHeaders = ['content-type', 'content-location', 'x-m2m-ri', 'x-m2m-rvi'];

function linesOf({ exchange, came: { view }, canonical }: Answered): Map<string, string> {
  const lines = new Map<string, string>();
  lines.set('status', canonical.get('status') ?? '');
  if (exchange.answer === undefined) return lines;
  if (view.headers.has('x-m2m-rsc')) lines.set('RSC', view.headers.get('x-m2m-rsc') ?? '');
  for (const name of shownHeaders) {
    const value = view.headers.get(name);
    if (value !== undefined) lines.set(`header ${name}`, value);
  }
  for (const [name, value] of contentOf(view)) lines.set(name, value ?? (exchange.answer.body || 'empty'));
  return lines;
}

/** Undefined stands for the whole body. */
function contentOf({ found, attributes, root = '' }: AnswerView): Array<readonly [string, string | undefined]> {
  if (found !== undefined) return [['found', found.length === 0 ? 'nothing' : found.map(textOf).join(', ')]];
  if (attributes === undefined) return [['body', undefined]];
  const named = Object.entries(attributes).map(
    ([name, value]) => [`attribute ${name}`, JSON.stringify(value)] as const,
  );
  return [['root', root], ...named];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
