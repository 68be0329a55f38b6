/** The grammar of matchers and checks. */
import { z } from 'zod';
import { replaceNames } from './names.ts';

/** Text in which names are replaced. */
export const Template = z
  .string()
  .describe('Text in which ${name} stands for an actor, a capture or a built-in value.');
export const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const Json = z.json();

/** Shapes of values, by name. */
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
    const reason = (error as Error).message.replace(/^Invalid regular expression: /, '');
    issues.push({ code: 'custom', input: value, message: `not a regular expression: ${reason}` });
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
    between: z
      .tuple([z.number(), z.number()])
      .refine(([from, to]) => from <= to, { error: 'the first number is greater than the second' })
      .describe('A number from the first to the second, both included.'),
    after: Template.describe('A timestamp strictly after this one.'),
    before: Template.describe('A timestamp strictly before this one.'),
    fields: z.record(z.string(), Matcher).describe('An object with at least these fields.'),
    not: Matcher,
    'when present': Matcher.describe('Not checked when the value is absent.'),
    'one of': z.array(Matcher).min(1),
    'all of': z.array(Matcher).min(1),
  })
  .partial()
  .refine((matcher) => Object.keys(matcher).length === 1, { error: 'a matcher has exactly one key' })
  .meta({ id: 'MatcherObject', minProperties: 1, maxProperties: 1 });
/** The name of a matcher, with its argument. */
export interface MatcherObject extends z.infer<typeof OneMatcher> {}

const RequestExpectation = z
  .strictObject({
    method: Matcher.describe('HTTP method.'),
    path: Matcher.describe('Request target: path and query.'),
    header: z.record(z.string(), Matcher).describe('Headers of the request by name.'),
    root: Matcher.describe('The only key of the JSON object in the body, such as m2m:csr.'),
    attributes: z.record(z.string(), Matcher).describe('Attributes of the object below the root key.'),
  })
  .partial()
  .meta({ id: 'RequestExpectation' });

const NotificationExpectation = z
  .strictObject({
    event: Matcher.describe('notificationEventType, nev.net.'),
    root: Matcher.describe(
      'The only key of the representation, nev.rep, such as m2m:cin; else that of the whole body.',
    ),
    attributes: z.record(z.string(), Matcher).describe('Attributes of the object below that key.'),
    subscription: Matcher.describe('Address of the subscription, sur.'),
    creator: Matcher.describe('Who created the subscription, cr.'),
    path: Matcher.describe('Request target: path and query.'),
    header: z.record(z.string(), Matcher).describe('Headers of the request by name.'),
    body: Matcher.describe('The whole body: the JSON value, or the text when it is not JSON.'),
  })
  .partial()
  .meta({ id: 'NotificationExpectation' });

const expectationShape = {
  status: Matcher.describe('HTTP status code.'),
  rsc: Matcher.describe('Response status code: the header X-M2M-RSC as a number.'),
  header: z
    .record(z.string(), Matcher)
    .describe('Headers of the answer by name; a header that is not there is absent.'),
  root: Matcher.describe('The only key of the JSON object in the body, such as m2m:ae.'),
  attributes: z.record(z.string(), Matcher).describe('Attributes of the object below the root key.'),
  body: Matcher.describe('The whole body: the JSON value, or the text when it is not JSON; absent when empty.'),
  found: Matcher.describe('The list of paths in a discovery result.'),
  connection: z.enum(['open', 'closed']).describe('State of the connection afterwards (raw steps).'),
  handshake: Matcher.describe(
    'TLS: completed; refused by the target; or dropped: completed, but cut before an answer (TLS 1.3 judges certificates so late).',
  ),
  alert: Matcher.describe('TLS: the alert that the target sent, such as `unknown ca`; absent when it sent none.'),
  'server certificate': Matcher.describe('TLS: `verified`, or why the certificate of the target does not verify.'),
  'server uris': Matcher.describe('TLS: the list of URIs among the alternative names of the target’s certificate.'),
  wire: z
    .record(z.string(), Matcher)
    .describe('Facts of the binding by name, for a target that is not reached over HTTP.'),
  request: RequestExpectation.describe('The request of the target to the harness (receive steps).'),
  notifications: Matcher.describe('How many notifications came (notified steps).'),
  notification: NotificationExpectation.describe('One of the notifications, the first unless `which` names another.'),
  malformed: Matcher.describe('First lines of malformed HTTP requests (notified steps).'),
  answer: Matcher.describe('The answer of a person (ask steps).'),
  which: z.int().min(1).describe('Number of the notification to check, from 1.'),
};
const expectationKeys = Object.keys(expectationShape);
const numbers = ['status', 'rsc', 'notifications'] as const;
interface Typed extends Readonly<Partial<Record<(typeof numbers)[number], Matcher | undefined>>> {
  readonly header?: Readonly<Record<string, Matcher>> | undefined;
}

/** Codes and counts are numbers, headers are texts: neither equals what is written as the other. */
function checkTypes({ value, issues }: z.core.ParsePayload<Typed>): void {
  const report = (path: PropertyKey[], message: string) => issues.push({ code: 'custom', input: value, path, message });
  const isText = (plain: unknown) => typeof plain === 'string' && !plain.includes('${');
  for (const key of numbers)
    if (isEqualTo(value[key], isText)) report([key], 'this is a number, which is written without quotes');
  for (const [name, matcher] of Object.entries(value.header ?? {}))
    if (isEqualTo(matcher, (plain) => typeof plain === 'number' || typeof plain === 'boolean'))
      report(['header', name], 'a header is a text, which is written in quotes');
}

/** Whether a matcher holds for such plain values at most. */
function isEqualTo(matcher: Matcher | undefined, isSuch: (plain: unknown) => boolean): boolean {
  if (typeof matcher !== 'object' || matcher === null) return isSuch(matcher);
  const { 'one of': some, 'when present': present, equals } = matcher;
  if (present !== undefined) return isEqualTo(present, isSuch);
  return some?.every((one) => isEqualTo(one, isSuch)) ?? isSuch(equals);
}

/** One outcome that the source permits. */
const Outcome = z
  .strictObject({
    ...expectationShape,
    variant: z.string().describe('A short name for this outcome in reports.'),
    before: z.enum(['3']).describe('Permitted only to targets of releases before this one.'),
    source: z.string().describe('The sentence or clause that permits this outcome.'),
  })
  .partial()
  .required({ source: true })
  .check(checkTypes)
  .meta({ id: 'Outcome' });
type Outcome = z.infer<typeof Outcome>;

export const Check = z
  .strictObject({ ...expectationShape, 'one of': z.array(Outcome).min(1).describe('Permitted outcomes, each cited.') })
  .partial()
  .refine((check) => expectationKeys.some((key) => key in check) !== 'one of' in check, {
    error: 'a check has either expectations or `one of`',
  })
  .refine((check) => check.which === undefined || check.notification !== undefined, {
    error: '`which` selects a `notification` and needs one',
  })
  .check(checkTypes)
  .meta({ id: 'Check' });
export type Check = z.infer<typeof Check>;
export type Expectation = Omit<Outcome, 'variant' | 'source' | 'before'>;
/** An expectation by itself, or one of several outcomes. */
export type Permitted = Expectation & Partial<Outcome>;

/** Preconditions of the checks of a step and of later ones, by requirement id. */
export const Control = z
  .record(z.string(), z.strictObject(expectationShape).partial().check(checkTypes).meta({ id: 'Expected' }))
  .describe(
    'Preconditions of the checks of this step and of later ones, by requirement: one that does not hold blocks them.',
  )
  .meta({ id: 'Control' });
export type Control = z.infer<typeof Control>;

/** Requirement id to what is expected, or to a list of such. */
export const Checks = z
  .record(z.string(), z.union([Check, z.array(Check).min(1)]))
  .describe('Checks by requirement id.');
