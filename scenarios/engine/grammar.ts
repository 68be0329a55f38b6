/**
 * The grammar of scenario and requirement files, with its parts for checks and matchers: the one source of truth.
 * The TypeScript types, the validation of files and `scenario.schema.json` all come from here.
 */
import { z } from 'zod';
import { Checks } from './grammar-check.ts';
import { Json, Matcher, Scalar, Template } from './grammar-matcher.ts';

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

/** What an installation of a target can have, and a scenario need. */
export const needs = [
  'plain HTTP',
  'https',
  'certificate optional',
  'certificate required',
  'backend',
  'played backend',
  'any originator',
] as const;
export type Need = (typeof needs)[number];
const Needs = z
  .array(z.enum(needs))
  .describe('What a target must have for this to be judged; where it has not, this is not applicable.');

/** Certificates that a client can present. Those after `backend` are to be refused, or speak for somebody else. */
export const certificateNames = [
  'own',
  'other',
  'gateway',
  'backend',
  'expired',
  'not yet valid',
  'other authority',
  'self-signed',
  'server only',
  'no alternative names',
  'dns only',
  'two uris',
  'wrong identifier',
] as const;
export type CertificateName = (typeof certificateNames)[number];
const Certificate = z
  .enum(['none', ...certificateNames])
  .describe('The client certificate that is presented. Default: `own` where the target requires one, else none.');

/** Ways over the wire that a step can insist on. */
export const ways = ['plain TCP', 'TLS 1.2', 'TLS 1.3'] as const;
export type Over = (typeof ways)[number];

const telling = {
  note: z.string().describe('What this step is about, for the reader.').optional(),
  capture: z.record(z.string(), Capture).describe('Names for values of the answer.').optional(),
  check: Checks.optional(),
};
const common = {
  ...telling,
  as: z.string().describe('The actor whose originator is sent, with its certificate.').optional(),
  on: z.enum(['gateway', 'backend']).describe('Which CSE of a pair. Default: the gateway.').optional(),
  certificate: Certificate.optional(),
  over: z.enum(ways).describe('Plain bytes even to a TLS port, or TLS of exactly this version.').optional(),
  expect: z
    .enum(['success', 'refusal', 'either'])
    .describe('Default success: an answer other than 2xx then blocks the rest of the scenario.')
    .optional(),
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

const ReceiveStep = z.strictObject({
  receive: z
    .strictObject({ method: z.string(), path: Matcher, root: Matcher })
    .partial()
    .describe('Waits for a request that the target sends to the harness, which plays its backend.'),
  within: z
    .string()
    .regex(/^\d+(\.\d+)?(ms|s|m)$/, { error: 'write a time as 30s, 500ms or 1m' })
    .describe('How long to wait; default 30s.')
    .optional(),
  expect: z
    .enum(['success', 'either'])
    .describe('Default success: when nothing came, the rest of the scenario is blocked.')
    .optional(),
  ...telling,
});

const Step = z
  .union([CreateStep, RetrieveStep, UpdateStep, DeleteStep, DiscoverStep, RawStep, ReceiveStep])
  .meta({ id: 'Step', description: 'One request, and what is expected of its answer.' });
export type Step = z.infer<typeof Step>;
export type CreateStep = z.infer<typeof CreateStep>;
export type RetrieveStep = z.infer<typeof RetrieveStep>;
export type UpdateStep = z.infer<typeof UpdateStep>;
export type DeleteStep = z.infer<typeof DeleteStep>;
export type DiscoverStep = z.infer<typeof DiscoverStep>;
export type RawStep = z.infer<typeof RawStep>;
export type ReceiveStep = z.infer<typeof ReceiveStep>;
/** A step in which the harness asks and the target answers. */
export type SendingStep = Exclude<Step, ReceiveStep>;
/** The words that say what a step does; each step has exactly one of them. */
export const verbs = ['create', 'retrieve', 'update', 'delete', 'discover', 'raw', 'receive'] as const;

const Actor = z
  .strictObject({
    registered: z
      .boolean()
      .describe('Default true: registered as an AE before the steps of each scenario that speaks of it, removed after.')
      .optional(),
    originator: Template.describe(
      'Sent as X-M2M-Origin by steps with `as`. When absent: the first URI of its certificate, or none.',
    ).optional(),
    certificate: Certificate.optional(),
  })
  .meta({ id: 'Actor', description: 'An application entity. ${name} of the actor is its resource name.' });
export type Actor = z.infer<typeof Actor>;

const key = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const Scenario = z.strictObject({
  title: z.string(),
  tags: z.array(z.string()).optional(),
  needs: Needs.optional(),
  steps: z.array(Step).min(1),
});

export const ScenarioFile = z
  .strictObject({
    feature: z.string().describe('What this file is about, in a few words.'),
    about: z.string().optional(),
    tags: z.array(z.string()).optional(),
    needs: Needs.describe('What every scenario of this file needs.').optional(),
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
