import type { Matcher, MatcherObject, ValueShape } from '../grammar/grammar-check.ts';
import type { DiscoverStep, NotifiedStep, ReceiveStep, Step } from '../grammar/grammar-step.ts';
import { show } from '../messages/display.ts';
import { interpolateToText, type Names } from '../messages/interpolate.ts';

const shapeNames: Readonly<Record<ValueShape, string>> = {
  text: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  list: 'an array',
  object: 'an object',
  timestamp: 'a timestamp of the shape YYYY-MM-DDTHH:MM:SS.ffffff+00:00',
  present: 'present',
  absent: 'absent',
};

/** A matcher as the predicate of a sentence: `is a string`, `starts with "C"`. */
export function predicate(matcher: Matcher): string {
  if (isScalar(matcher)) return `is ${show(matcher)}`;
  // A matcher has one key.
  const [words = ''] = Object.entries(matcher).map(([name, argument]) =>
    (predicates[name as Named] as (argument: unknown) => string)(argument),
  );
  return words;
}

type Named = keyof MatcherObject;
const predicates: { readonly [K in Named]-?: (argument: Exclude<MatcherObject[K], undefined>) => string } = {
  is: (shape) => `is ${shapeNames[shape]}`,
  equals: (value) => `is ${show(value)}`,
  'same as': (value) => `is ${show(value)}`,
  matching: (pattern) => `matches /${pattern}/`,
  'starts with': (start) => `starts with ${show(start)}`,
  'ends with': (end) => `ends with ${show(end)}`,
  contains: (part) => (isScalar(part) ? `contains ${show(part)}` : `contains an element that ${predicate(part)}`),
  'contains exactly': (parts) =>
    parts.length === 0
      ? 'is an empty array'
      : `has exactly these elements, in any order: ${parts.map(element).join(', ')}`,
  every: (each) => `has only elements of which each ${predicate(each)}`,
  length: (length) => `has the length ${length}`,
  between: ([from, to]) => `is between ${from} and ${to}`,
  after: (bound) => `is after ${bound}`,
  before: (bound) => `is before ${bound}`,
  fields: (fields) => {
    const each = Object.entries(fields).map(([name, matcher]) => `${name} ${predicate(matcher)}`);
    return `has fields of which ${each.join(' and ')}`;
  },
  not: (matcher) => {
    const choice = isScalar(matcher) ? undefined : matcher['one of'];
    if (choice?.every(isScalar)) return `is none of ${choice.map(show).join(', ')}`;
    const isCompound = !isScalar(matcher) && Object.keys(matcher).some((key) => compound.has(key));
    return isCompound ? `is not so that it ${predicate(matcher)}` : negated(predicate(matcher));
  },
  'when present': (matcher) => `${predicate(matcher)}, when it is present`,
  'one of': (matchers) =>
    matchers.every(isScalar) ? `is ${alternatives(matchers.map(show))}` : alternatives(matchers.map(predicate)),
  'all of': (matchers) => matchers.map(predicate).join(' and '),
};

function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function element(matcher: Matcher): string {
  return isScalar(matcher) ? show(matcher) : `one that ${predicate(matcher)}`;
}

/** Whose words are a list of predicates. */
const compound: ReadonlySet<string> = new Set(['one of', 'all of', 'fields', 'when present', 'not']);

const negations: ReadonlyArray<readonly [RegExp, string]> = [
  [/^is /, 'is not '],
  [/^has /, 'does not have '],
  [/^contains /, 'does not contain '],
  [/^starts with /, 'does not start with '],
  [/^ends with /, 'does not end with '],
  [/^matches /, 'does not match '],
];

function negated(positive: string): string {
  const found = negations.find(([start]) => start.test(positive));
  return found === undefined ? `is not so that it ${positive}` : positive.replace(found[0], found[1]);
}

function isScalar(value: Matcher): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null;
}

/** Such as `create container in /onem2m/x`; names without a value stay as written. */
export function titleOf(step: Step, names: Names): string {
  const text = (template: string): string => {
    try {
      return interpolateToText(template, names);
    } catch {
      return template;
    }
  };
  if ('create' in step) return `create ${step.create} in ${text(step.in)}`;
  if ('update' in step) return `update ${step.kind} ${text(step.update)}`;
  if ('retrieve' in step) return `retrieve ${text(step.retrieve)}`;
  if ('delete' in step) return `delete ${text(step.delete)}`;
  if ('discover' in step) return `discover below ${text(step.discover)}${criteria(step)}`;
  if ('receive' in step) return `receive ${requestText(step.receive)}`;
  if ('notified' in step) return notificationText(step);
  if ('ask' in step) return `ask: ${text(step.ask)}`;
  if ('advance' in step) return `let ${step.advance} pass`;
  return 'bytes' in step.raw ? 'send exact bytes' : `send ${step.raw.method} ${text(step.raw.path)}`;
}

/** Whether it is the title of a `raw` step. */
export const isOfRaw = (title: string): boolean => title.startsWith('send ');

function requestText({ method, path, root }: ReceiveStep['receive']): string {
  const words = [
    method === undefined ? 'a request' : `a ${method} request`,
    path === undefined ? '' : `whose path ${predicate(path)}`,
    root === undefined ? '' : `whose root ${predicate(root)}`,
  ];
  return words.filter(Boolean).join(' ');
}

function notificationText({ notified, of = 'event', until = 1 }: NotifiedStep): string {
  const what = of === 'any' ? '' : `${of} `;
  if (until === 0) return `see which ${what}notifications have come to ${notified}`;
  return `await ${until} ${what}${until === 1 ? 'notification' : 'notifications'} at ${notified}`;
}

function criteria(step: DiscoverStep): string {
  const names = Object.keys(step.where ?? {});
  return names.length === 0 ? '' : ` by ${names.join(' and ')}`;
}
