/** The documented dialect: how values look in `interface-spec`'s examples, with its gaps filled as this project decided. */
import type { Dialect, Unreadable } from '../core/dialect.ts';
import type { AttributeType, Value } from '../core/resource-type.ts';
import { readTimestamp, writeTimestamp } from './timestamp.ts';

const unreadable = (must: string): Unreadable => ({ unreadable: `must be ${must}` });

const booleanTexts: Readonly<Record<string, boolean>> = { TRUE: true, true: true, FALSE: false, false: false };

const readers: Readonly<Record<AttributeType, (value: unknown) => Value | Unreadable>> = {
  text: (value) => (typeof value === 'string' ? value : unreadable('a text')),
  'list of text': (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : unreadable('a list of texts'),
  'list of integer': (value) =>
    Array.isArray(value) && value.every(isCount) ? value : unreadable('a list of non-negative integers'),
  integer: (value) => (isCount(value) ? value : unreadable('a non-negative integer')),
  boolean(value) {
    if (typeof value === 'boolean') return value;
    const read = typeof value === 'string' && Object.hasOwn(booleanTexts, value) ? booleanTexts[value] : undefined;
    return read ?? unreadable('a boolean or one of the texts TRUE, true, FALSE, false');
  },
  timestamp: (value) =>
    (typeof value === 'string' ? readTimestamp(value) : undefined) ?? unreadable('an ISO 8601 date and time'),
  'state tag': () => unreadable('left to the CSE'),
  'node link': () => unreadable('left to the CSE'),
};

export const documented: Dialect = {
  name: 'documented',
  read: (type, value) => readers[type](value),
  write(type, value) {
    if (type === 'node link') return 'dummy';
    if (value === undefined) return undefined;
    if (type === 'timestamp') return writeTimestamp(value as number);
    return type === 'state tag' ? String(value) : value;
  },
  // Deployed application frameworks send every attribute, null or [] for those that they do not mean.
  isAbsent: (value) => value === null || (Array.isArray(value) && value.length === 0),
  resultContent: { create: 1, retrieve: 5, update: 1, delete: 1 },
};

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
