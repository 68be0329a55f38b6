/** The words of rows, and whether a row has others. */
import { closest } from 'fastest-levenshtein';
import { answerOperators } from './answer-changes.ts';
import { partNames } from './exchange.ts';
import { memoryOperators } from './memory.ts';
import { sendingParts } from './outgoing.ts';
import { requestOperators } from './request-changes.ts';
import type { DeviationRow } from './schema.ts';
import { selectorWords } from './selector.ts';
import { sendingOperators } from './sending.ts';

/** A reference to `each` in place of a value that is no text. */
export const eachPattern = /^<each[\w.-]*>$/;

const parts = [...partNames, ...sendingParts];
const path = new RegExp(`^(?:${parts.join('|')})(?:\\.(?:[\\w:-]|<each[\\w.-]*>)+)*$`);

export const isCondition = (key: string): boolean =>
  selectorWords.includes(key) || eachPattern.test(key) || path.test(key);

const direct = ['refuse', 'pretend', 'temporarily', 'retry', 'extra-request', 'notify', 'permanently'];

/** What `does` can have. */
export const operators: readonly string[] = [
  ...direct,
  ...requestOperators,
  ...answerOperators,
  ...memoryOperators.keys(),
];

/** A row as data, which no schema has checked. Throws a TypeError for a word with which it would silently do nothing. */
export function checkedRow(row: DeviationRow): DeviationRow {
  if (typeof row?.id !== 'string') throw new TypeError('a deviation is an id, or a row with an id, when and does');
  const { id, when = {}, does = {}, outgoing } = row;
  const conditions = Object.keys({ ...when, ...outgoing?.when }).filter((key) => !isCondition(key));
  check(id, 'a condition (when)', conditions, [...selectorWords, ...parts]);
  check(id, 'an operator (does)', without(does, operators), operators);
  check(id, 'an operator (outgoing.does)', without(outgoing?.does ?? {}, sendingOperators), sendingOperators);
  return row;
}

const without = (object: object, known: readonly string[]) => Object.keys(object).filter((key) => !known.includes(key));

function check(id: string, what: string, [unknown]: readonly string[], known: readonly string[]): void {
  if (unknown === undefined) return;
  throw new TypeError(`${id}: "${unknown}" is not ${what}; the nearest is "${closest(unknown, [...known])}"`);
}
