/**
 * The grammar of baseline files: the deviations of one target that are known, each with who answers for it. The TypeScript
 * type, the validation and `baseline.schema.json` all come from here.
 */

import { z } from 'zod';
import { dialects } from '../engine/grammar/dialects.ts';
import { isRange } from './version-range.ts';

const Day = z
  .string()
  .refine(isDay, 'write a day that exists, as 2027-03-31')
  .meta({ id: 'Day', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

const Range = z.string().refine(isRange, "write a version such as 1.2, or bounds such as '>=1.2 <2'");

const When = z
  .strictObject({
    dialect: z.enum(dialects).describe('Only where the target is spoken to in this dialect.'),
    product: z.string().describe('Only for the product that the target file names so.'),
    version: z
      .union([Range, z.array(Range).min(1)])
      .describe("Only for these versions of the product: 1.2 (and 1.2.5), '>=1.2 <2', or a list of such."),
  })
  .partial()
  .refine((when) => Object.keys(when).length > 0, 'a condition names a dialect, a product or a version');
export type When = z.infer<typeof When>;

const Deviation = z
  .strictObject({
    scenario: z
      .string()
      .describe("Id of the scenario, such as documented/ae/create; '*' for what a rule finds wherever it is."),
    requirement: z.string().describe('Id of the requirement that is violated, such as ae.ri.'),
    step: z
      .string()
      .describe(
        'The note or title of the step whose check fails, as reports show it; absent: any step of the scenario.',
      )
      .optional(),
    nth: z.int().min(2).describe('Which of several equal checks of equal steps, from 2; absent: the first.').optional(),
    when: When.describe('Where the entry holds; elsewhere it is neither used nor stale.').optional(),
    signature: z
      .string()
      .regex(/^[0-9a-f]{10}(\s|$)/, 'begin with the ten characters that `cselab baseline update` writes')
      .describe('Ten characters that stand for what the target does, and words for people, which nothing depends on.'),
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
export type Deviation = z.infer<typeof Deviation>;

export const BaselineFile = z
  .strictObject({
    about: z.string().describe('For people.').optional(),
    deviations: z.array(Deviation),
  })
  .meta({ id: 'BaselineFile', title: 'cselab baseline file' });
export type BaselineFile = z.infer<typeof BaselineFile>;

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
