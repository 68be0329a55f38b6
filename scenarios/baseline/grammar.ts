/**
 * The grammar of baseline files: the known deviations of one target, each with its owner. The TypeScript type, the validation and
 * `baseline.schema.json` all come from here.
 */

import { z } from 'zod';
import { dialects } from '../engine/grammar/dialects.ts';

const Day = z
  .string()
  .refine(isDay, 'write a day that exists, as 2027-03-31')
  .meta({ id: 'Day', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

const Range = z.string().refine(isRange, "write a version such as 1.2, or bounds such as '>=1.2 <2'");

const When = z
  .strictObject({
    dialect: z.enum(dialects).describe('Only in runs with this dialect.'),
    product: z.string().describe('Only for the product with this name in the target file.'),
    version: z
      .union([Range, z.array(Range).min(1)])
      .describe("Only for these versions of the product: 1.2 (and 1.2.5), '>=1.2 <2', or a list of such."),
  })
  .partial()
  .refine((when) => Object.keys(when).length > 0, 'a condition names a dialect, a product or a version');

const ExcusedDeviation = z
  .strictObject({
    scenario: z
      .string()
      .describe("Id of the scenario, such as documented/ae/create; '*' for what a rule finds in any scenario."),
    requirement: z.string().describe('Id of the requirement that is violated, such as ae.ri.'),
    step: z
      .string()
      .describe(
        'The note or title of the step whose check fails, as reports show it; absent: any step of the scenario.',
      )
      .optional(),
    nth: z.int().min(2).describe('Which of several equal checks of equal steps, from 2; absent: the first.').optional(),
    when: When.describe('Where the entry applies; elsewhere it is neither used nor stale.').optional(),
    signature: z
      .string()
      .regex(/^[0-9a-f]{10}(\s|$)/, 'begin with the ten characters that `cselab baseline update` writes')
      .describe(
        'Ten characters that stand for the behaviour of the target, and words for people, which have no effect.',
      ),
    reason: z.string().describe('Why it is excused.').optional(),
    ticket: z.string().describe('Where it is worked on.').optional(),
    owner: z.string().describe('Who answers for it.').optional(),
    expires: Day.describe('The last day on which it is excused.').optional(),
    intermittent: z
      .boolean()
      .describe('True: it comes and goes, so that passing is no reason to remove it.')
      .optional(),
    'first seen': Day.optional(),
    'last seen': Day.optional(),
  })
  .meta({ id: 'Deviation', description: 'A failed check that is known.' });
export type ExcusedDeviation = z.infer<typeof ExcusedDeviation>;

export const BaselineFile = z
  .strictObject({
    about: z.string().describe('For people.').optional(),
    deviations: z.array(ExcusedDeviation),
  })
  .meta({ id: 'BaselineFile', title: 'cselab baseline file' });
export type BaselineFile = z.infer<typeof BaselineFile>;

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * Version ranges in baselines: a prefix such as `1.2`, which includes 1.2.5, or bounds that must all hold, such as `>=1.2 <2`.
 * Versions in the field follow no one scheme: their parts are compared as numbers if both are numbers, else as texts, and a leading
 * `v` is ignored.
 */
const term = /^(>=|<=|>|<|=)?v?(\d[0-9A-Za-z.+_-]*)$/;

export function isRange(text: string): boolean {
  const terms = termsOf(text);
  return terms.length > 0 && terms.every((one) => term.test(one));
}

/** Whether a version is in one of the ranges, which must be valid by `isRange`. */
export function inRange(version: string, ranges: string | readonly string[]): boolean {
  return [ranges].flat().some((range) => termsOf(range).every((one) => holds(version, one)));
}

function termsOf(range: string): string[] {
  return range
    .replace(/([<>=])\s+/g, '$1')
    .split(/\s+/)
    .filter((one) => one !== '');
}

/** Order of a version and a bound, by operator; without one, only the parts of the bound count. */
const operators: ReadonlyMap<string | undefined, (order: number) => boolean> = new Map([
  ['>=', (order) => order >= 0],
  ['>', (order) => order > 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
]);
const isEqual = (order: number) => order === 0;

function holds(version: string, text: string): boolean {
  const [, operator, bound = ''] = term.exec(text) ?? [];
  const [parts, bounds] = [partsOf(version), partsOf(bound)];
  const counting = operator === undefined ? parts.slice(0, bounds.length) : parts;
  return (operators.get(operator) ?? isEqual)(compare(counting, bounds));
}

function partsOf(version: string): string[] {
  return version.replace(/^v/, '').split(/[.+_-]/);
}

/** A missing part counts as 0. */
function compare(a: readonly string[], b: readonly string[]): number {
  const orders = Array.from({ length: Math.max(a.length, b.length) }, (_, at) =>
    compareParts(a[at] ?? '0', b[at] ?? '0'),
  );
  return orders.find((order) => order !== 0) ?? 0;
}

function compareParts(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b);
  return a === b ? 0 : a < b ? -1 : 1;
}
