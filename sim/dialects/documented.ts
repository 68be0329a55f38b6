/** The documented dialect: values as in `interface-spec`'s examples, with its gaps filled by this project's decisions. */
import { readStructured, type SimpleType, Unreadable, type Value, writeStructured } from '../core/attribute-types.ts';
import type { DialectCodec } from '../core/configuration.ts';
import { readTimestamp, writeTimestamp } from './timestamp.ts';

const unreadable = (must: string) => new Unreadable(`must be ${must}`);

const booleanTexts: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ TRUE: true, true: true, FALSE: false, false: false }),
);

function readTexts(value: unknown): Value | Unreadable {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : unreadable('a list of texts');
}

const readers: Readonly<Record<SimpleType, (value: unknown) => Value | Unreadable>> = {
  text: (value) => (typeof value === 'string' ? value : unreadable('a text')),
  'list of text': readTexts,
  'list of token': readTexts,
  'list of integer': (value) =>
    Array.isArray(value) && value.every(isCount) ? value : unreadable('a list of non-negative integers'),
  integer: (value) => (isCount(value) ? value : unreadable('a non-negative integer')),
  'positive integer': (value) => (isCount(value) && value > 0 ? value : unreadable('a positive integer')),
  'any integer': (value) => (Number.isSafeInteger(value) ? (value as number) : unreadable('an integer')),
  number: (value) => (typeof value === 'number' ? value : unreadable('a number')),
  boolean(value) {
    if (typeof value === 'boolean') return value;
    const read = typeof value === 'string' ? booleanTexts.get(value) : undefined;
    return read ?? unreadable('a boolean or one of the texts TRUE, true, FALSE, false');
  },
  timestamp: (value) =>
    (typeof value === 'string' ? readTimestamp(value) : undefined) ?? unreadable('an ISO 8601 date and time'),
  'absolute or relative timestamp': (value) => readMoment(value) ?? unreadable('a date and time or milliseconds'),
  duration: (value) => (isDuration(value) ? value : unreadable('a duration such as PT1M30S')),
  any: (value) => value as Value,
  'access control operations': readOperations,
  'state tag': () => unreadable('left to the CSE'),
};

export const documented: DialectCodec = {
  name: 'documented',
  read: (type, value) => readStructured(type, value, readSimple),
  write: (type, value) => (value === undefined ? undefined : writeStructured(type, value, writeSimple)),
  // Deployed application frameworks send every attribute, with null or [] for absent ones.
  isAbsent: (value) => value === null || (Array.isArray(value) && value.length === 0),
  absentInUpdate: 'no change',
  resultContent: { create: 1, retrieve: 5, update: 1, delete: 1, notify: 0 },
  criteriaSelectChildren: false,
  identifiers: 'counted',
};

const readSimple = (type: SimpleType, value: unknown): Value | Unreadable => readers[type](value);

function writeSimple(type: SimpleType, value: Value): unknown {
  if (type === 'timestamp') return writeTimestamp(value as number);
  return type === 'state tag' ? String(value) : value;
}

/** A sum of the bits 1 to 32; deployed application frameworks send them as a list. */
function readOperations(value: unknown): Value | Unreadable {
  const sum = Array.isArray(value) ? value.reduce((all: number, one) => all | Number(one), 0) : value;
  return isCount(sum) && sum <= 63 ? sum : unreadable('a sum of 1, 2, 4, 8, 16 and 32');
}

function readMoment(value: unknown): Value | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && (/^-?\d+$/.test(value) || readTimestamp(value) !== undefined) ? value : undefined;
}

export const durationForm = /^P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;

const isDuration = (value: unknown): value is string => typeof value === 'string' && durationForm.test(value);

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
