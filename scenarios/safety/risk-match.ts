import type { RequestSelector } from '../engine/grammar/grammar-risk.ts';
import { factsOf } from '../engine/grammar/kinds.ts';
import { isObject } from '../engine/judging/body.ts';
import type { RequestParts } from './request-parts.ts';

/** Whether all of a selector holds for a request. `removed`: whether it speaks of what is gone by its identifier. */
export function isSelected(selector: RequestSelector, request: RequestParts, removed: () => boolean): boolean {
  return tests.every((test) => test(selector, request)) && (selector.removed === undefined || removed());
}

type Test = (selector: RequestSelector, request: RequestParts) => boolean;

const tests: readonly Test[] = [
  ({ method }, request) => method === undefined || listOf(method).includes(request.method),
  ({ 'method other than': others }, { method }) => others === undefined || !listOf(others).includes(method),
  ({ type }, { root }) => type === undefined || factsOf(type).root === root,
  ({ query }, { target }) => query === undefined || hasQuery(query, target),
  ({ attribute }, { attributes }) => attribute === undefined || valuesAt(attributes, attribute).some(isGiven),
  ({ 'without attribute': path }, { attributes }) => path === undefined || lacks(attributes, path),
  ({ 'without header': name }, { headers }) => name === undefined || !headers.has(name.toLowerCase()),
  ({ 'longer header': longer }, { headers }) =>
    longer === undefined || Buffer.byteLength(headers.get(longer.name.toLowerCase()) ?? '') > longer.bytes,
  ({ 'path ends with': ends }, { target }) => ends === undefined || listOf(ends).includes(lastSegment(target)),
  ({ body }, { hasBody, isJson }) => body === undefined || (hasBody && !isJson),
  ({ head }, { isWellFormed, isCut }) => head === undefined || (head === 'malformed' ? !isWellFormed : isCut),
  ({ 'larger chunk': bytes }, { largestChunk }) => bytes === undefined || largestChunk > bytes,
  ({ 'longer head': bytes }, { headLength }) => bytes === undefined || headLength > bytes,
];

function listOf(texts: string | readonly string[]): readonly string[] {
  return typeof texts === 'string' ? [texts] : texts;
}

function hasQuery(query: NonNullable<RequestSelector['query']>, target: string): boolean {
  const at = target.indexOf('?');
  const given = new URLSearchParams(at < 0 ? '' : target.slice(at + 1));
  return Object.entries(query).every(([name, values]) =>
    given.getAll(name).some((value) => listOf(values).some((one) => one === '*' || one === value)),
  );
}

function lastSegment(target: string): string {
  return target.split('?', 1)[0]?.split('/').at(-1) ?? '';
}

/** The values at `pv.acr`, of each element where there are lists on the way. */
function valuesAt(value: unknown, path: string): unknown[] {
  const step = (values: unknown[], key: string) =>
    values.flatMap((one) => (isObject(one) && Object.hasOwn(one, key) ? [one[key]].flat() : []));
  return path.split('.').reduce(step, [value]);
}

function lacks(attributes: unknown, path: string): boolean {
  const [last = '', ...before] = path.split('.').reverse();
  const holders = before.length === 0 ? [attributes] : valuesAt(attributes, before.reverse().join('.'));
  return holders.some((one) => isObject(one) && !valuesAt(one, last).some(isGiven));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
