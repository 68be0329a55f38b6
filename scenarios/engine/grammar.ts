/**
 * The grammar of scenario and requirement files: the one source of truth.
 * The TypeScript types, the validation of files and `scenario.schema.json` all come from here.
 */
import { z } from 'zod';

const Template = z.string().describe('Text in which ${name} stands for an actor, a capture or a built-in value.');
const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Json = z.json();

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

/** The ways in which a captured timestamp can be written again. */
export const timestampForms = [
  'as documented',
  'with a space',
  'basic',
  'basic without zone',
  'without zone',
  'with Z',
  'to the second, rounded up',
] as const;
export type TimestampForm = (typeof timestampForms)[number];

export interface MatcherObject {
  is?: ValueShape | undefined;
  equals?: z.infer<typeof Json> | undefined;
  'same as'?: string | undefined;
  matching?: string | undefined;
  'starts with'?: string | undefined;
  contains?: Matcher | undefined;
  'contains exactly'?: Matcher[] | undefined;
  every?: Matcher | undefined;
  length?: number | undefined;
  between?: [number, number] | undefined;
  after?: string | undefined;
  before?: string | undefined;
  fields?: Record<string, Matcher> | undefined;
  not?: Matcher | undefined;
  'when present'?: Matcher | undefined;
  'one of'?: Matcher[] | undefined;
  'all of'?: Matcher[] | undefined;
}
/** A plain scalar means "equal to it"; an object holds exactly one named matcher. */
export type Matcher = string | number | boolean | null | MatcherObject;

const Matcher: z.ZodType<Matcher> = z
  .lazy(() => z.union([Scalar, MatcherObject]))
  .describe('A plain value (equal to it), or one named matcher.')
  .meta({ id: 'Matcher' });

const MatcherObject: z.ZodType<MatcherObject> = z
  .strictObject({
    is: z.enum(valueShapes).describe('Of this shape; `timestamp` is the documented one.'),
    equals: Json.describe('Equal to this JSON value (lists and objects too; texts may hold ${…}).'),
    'same as': Template.describe('Equal, with its type, to a capture: ${name}.'),
    matching: z.string().describe('A text that this regular expression matches.'),
    'starts with': Template,
    contains: Matcher.describe('A text that contains this text, or a list with an element that matches.'),
    'contains exactly': z.array(Matcher).describe('A list of exactly these, in any order.'),
    every: Matcher.describe('A list, each element of which matches.'),
    length: z.int().min(0).describe('Characters of a text, elements of a list.'),
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

const expectationShape = {
  status: Matcher.describe('HTTP status code.'),
  header: z
    .record(z.string(), Matcher)
    .describe('Headers of the answer by name; a header that is not there is absent.'),
  root: Matcher.describe('The only key of the JSON object in the body, such as m2m:ae.'),
  attributes: z.record(z.string(), Matcher).describe('Attributes of the object below the root key.'),
  body: Matcher.describe('The whole body: the JSON value, or the text when it is not JSON; absent when empty.'),
  found: Matcher.describe('The list of paths in a discovery result.'),
  connection: z.enum(['open', 'closed']).describe('What the target did with the connection (raw steps).'),
};
const expectationKeys = Object.keys(expectationShape);

/** One outcome that the source permits. */
const Outcome = z
  .strictObject({
    ...expectationShape,
    variant: z.string().describe('A short name for this outcome in reports.'),
    source: z.string().describe('The sentence or clause that permits this outcome.'),
  })
  .partial()
  .required({ source: true })
  .meta({ id: 'Outcome' });
export type Outcome = z.infer<typeof Outcome>;

const Check = z
  .strictObject({ ...expectationShape, 'one of': z.array(Outcome).min(1).describe('Permitted outcomes, each cited.') })
  .partial()
  .refine((check) => expectationKeys.some((key) => key in check) !== 'one of' in check, {
    error: 'a check has either expectations or `one of`',
  })
  .meta({ id: 'Check' });
export type Check = z.infer<typeof Check>;
export type Expectation = Pick<Outcome, 'status' | 'header' | 'root' | 'attributes' | 'body' | 'found' | 'connection'>;

/** Requirement id to what is expected, or to a list of such. */
const Checks = z.record(z.string(), z.union([Check, z.array(Check).min(1)])).describe('Checks by requirement id.');

const Capture = z
  .union([
    z.string().describe('Name of an attribute of the answer.'),
    z.strictObject({ header: z.string() }),
    z.strictObject({ attribute: z.string(), written: z.enum(timestampForms) }),
    z.strictObject({ found: z.int().min(0).describe('Position in the discovery result, from 0.') }),
  ])
  .meta({ id: 'Capture' });
export type Capture = z.infer<typeof Capture>;

const Query = z.record(z.string(), z.union([Scalar, z.array(Scalar)]));
const Headers = z.record(z.string(), z.union([z.string(), z.null()]));

export const kinds = ['ae', 'container', 'content instance'] as const;
export type Kind = (typeof kinds)[number];

const common = {
  note: z.string().describe('What this step is about, for the reader.').optional(),
  as: z.string().describe('The actor whose originator is sent.').optional(),
  expect: z
    .enum(['success', 'refusal', 'either'])
    .describe('Default success: an answer other than 2xx then blocks the rest of the scenario.')
    .optional(),
  capture: z.record(z.string(), Capture).describe('Names for values of the answer.').optional(),
  check: Checks.optional(),
};
const exchange = {
  query: Query.describe('Query parameters; a list repeats the parameter.').optional(),
  headers: Headers.describe('Further request headers; null leaves a usual one out.').optional(),
};

const CreateStep = z.strictObject({
  create: z.enum(kinds),
  in: Template.describe('Path of the parent.'),
  attributes: z.record(z.string(), Json).describe('Attributes to send, below the root key of the kind.').optional(),
  ...exchange,
  ...common,
});
const RetrieveStep = z.strictObject({ retrieve: Template.describe('Path.'), ...exchange, ...common });
const UpdateStep = z.strictObject({
  update: Template.describe('Path.'),
  kind: z.enum(kinds),
  attributes: z.record(z.string(), Json),
  ...exchange,
  ...common,
});
const DeleteStep = z.strictObject({ delete: Template.describe('Path.'), ...exchange, ...common });
const DiscoverStep = z.strictObject({
  discover: Template.describe('Path where the discovery starts.'),
  where: Query.describe('Filter criteria; fu=1 is added.').optional(),
  headers: exchange.headers,
  ...common,
});

const BodyPart = z.union([
  Template,
  z.strictObject({ repeat: z.string(), times: z.int().min(0).max(20_000_000) }),
  z.strictObject({ hex: z.string().regex(/^([0-9a-f]{2})*$/i) }),
]);
const RawRequest = z.strictObject({
  method: z.string(),
  path: Template.describe('Request target, sent exactly so.'),
  version: z.enum(['1.0', '1.1']).optional(),
  headers: Headers.describe('Host and Content-Length are added unless given; null leaves one out.').optional(),
  body: z.union([BodyPart, z.array(BodyPart)]).optional(),
});
const RawBytes = z.strictObject({
  bytes: z.union([BodyPart, z.array(BodyPart)]).describe('Sent exactly so on a new connection.'),
});
const RawStep = z.strictObject({
  raw: z.union([RawRequest, RawBytes]),
  creates: Template.describe('Path of what this may create, so that it is removed afterwards.').optional(),
  ...common,
});

const Step = z
  .union([CreateStep, RetrieveStep, UpdateStep, DeleteStep, DiscoverStep, RawStep])
  .meta({ id: 'Step', description: 'One request, and what is expected of its answer.' });
export type Step = z.infer<typeof Step>;
export type CreateStep = z.infer<typeof CreateStep>;
export type RetrieveStep = z.infer<typeof RetrieveStep>;
export type UpdateStep = z.infer<typeof UpdateStep>;
export type DeleteStep = z.infer<typeof DeleteStep>;
export type DiscoverStep = z.infer<typeof DiscoverStep>;
export type RawStep = z.infer<typeof RawStep>;
/** The words that say what a step does; each step has exactly one of them. */
export const verbs = ['create', 'retrieve', 'update', 'delete', 'discover', 'raw'] as const;

const Actor = z
  .strictObject({
    registered: z
      .boolean()
      .describe('Default true: registered as an AE before the steps, removed after them.')
      .optional(),
    originator: Template.describe('Sent as X-M2M-Origin by steps with `as`; none is sent when absent.').optional(),
  })
  .meta({ id: 'Actor', description: 'An application entity. ${name} of the actor is its resource name.' });
export type Actor = z.infer<typeof Actor>;

const key = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const Scenario = z.strictObject({
  title: z.string(),
  tags: z.array(z.string()).optional(),
  steps: z.array(Step).min(1),
});

export const ScenarioFile = z
  .strictObject({
    feature: z.string().describe('What this file is about, in a few words.'),
    about: z.string().optional(),
    tags: z.array(z.string()).optional(),
    actors: z.record(z.string().regex(/^[a-z][a-z0-9]*$/), Actor).optional(),
    given: z.array(Step).describe('Steps before each scenario of this file; they carry no checks.').optional(),
    scenarios: z.record(z.string().regex(key), Scenario),
  })
  .meta({ id: 'ScenarioFile', title: 'cselab scenario file' });
export type ScenarioFile = z.infer<typeof ScenarioFile>;

const Requirement = z.strictObject({
  says: z.string().describe('The statement, in our own words.'),
  level: z.enum(['documented', 'gap']),
  source: z.string().describe('The sentence, row or note of the section.'),
  untestable: z.string().describe('Why it cannot be tested from outside.').optional(),
});
export const RequirementFile = z.strictObject({
  specification: z.string(),
  sections: z.array(
    z.strictObject({
      section: z.string(),
      requirements: z.record(z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+$/), Requirement),
    }),
  ),
});
export type RequirementFile = z.infer<typeof RequirementFile>;
