/** The part of the grammar that says what a value is expected to be. */
import { z } from 'zod';
import { replaceNames } from './names.ts';

/** Text in which names are replaced. */
export const Template = z
  .string()
  .describe('Text in which ${name} stands for an actor, a capture or a built-in value.');
export const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const Json = z.json();

/** What a value can be asked to be, by name. */
export const valueShapes = [
  'text',
  'integer',
  'number',
  'boolean',
  'list',
  'object',
  'timestamp',
  'present',
  'absent',
] as const;
export type ValueShape = (typeof valueShapes)[number];

/** A plain scalar means "equal to it"; an object holds exactly one named matcher. */
export type Matcher = z.infer<typeof Scalar> | MatcherObject;

export const Matcher: z.ZodType<Matcher> = z
  .lazy(() => z.union([Scalar, OneMatcher]))
  .describe('A plain value (equal to it), or one named matcher.')
  .meta({ id: 'Matcher' });

const Expression = z.string().check(({ value, issues }) => {
  try {
    new RegExp(
      replaceNames(value, () => 'x'),
      'u',
    );
  } catch (error) {
    const fault = (error as Error).message.replace(/^Invalid regular expression: /, '');
    issues.push({ code: 'custom', input: value, message: `not a regular expression: ${fault}` });
  }
});

const OneMatcher = z
  .strictObject({
    is: z.enum(valueShapes).describe('Of this shape; `timestamp` is the documented one.'),
    equals: Json.describe('Equal to this JSON value (lists and objects too; texts may hold ${…}).'),
    'same as': Template.describe('Equal, with its type, to a capture: ${name}.'),
    matching: Expression.describe('A text that this regular expression matches.'),
    'starts with': Template,
    'ends with': Template,
    contains: Matcher.describe('A text that contains this text, or a list with an element that matches.'),
    'contains exactly': z.array(Matcher).describe('A list of exactly these, in any order.'),
    every: Matcher.describe('A list, each element of which matches.'),
    length: z
      .union([
        z.int().min(0),
        z.string().regex(/^\$\{[a-z][a-z0-9]*\}$/, { error: 'write a number, or a name of `each`' }),
      ])
      .describe('Characters of a text, elements of a list; a name of `each` stands for a number.'),
    between: z.tuple([z.number(), z.number()]).describe('A number from the first to the second, both included.'),
    after: Template.describe('A timestamp strictly after this one.'),
    before: Template.describe('A timestamp strictly before this one.'),
    fields: z.record(z.string(), Matcher).describe('An object with at least these fields.'),
    not: Matcher,
    'when present': Matcher.describe('Not judged when the value is absent.'),
    'one of': z.array(Matcher).min(1),
    'all of': z.array(Matcher).min(1),
  })
  .partial()
  .refine((matcher) => Object.keys(matcher).length === 1, { error: 'a matcher has exactly one key' })
  .meta({ id: 'MatcherObject', minProperties: 1, maxProperties: 1 });
/** By its name, with what it is given. */
export interface MatcherObject extends z.infer<typeof OneMatcher> {}
