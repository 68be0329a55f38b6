/** The grammar of steps. */
import { z } from 'zod';
import { Checks, Control, Json, Matcher, Scalar, Template } from './grammar-check.ts';
import { RiskMark } from './grammar-risk.ts';
import { cannotTell, certificateNames, factsOf, largestUpload, resourceTypes } from './vocabulary.ts';

/** Formats in which a captured timestamp can be rewritten. */
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
/** RFC 9110, 5.6.2. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const Headers = z.record(z.string(), z.union([z.string(), z.null()]));

export const Certificate = z
  .enum(['none', ...certificateNames])
  .describe('The client certificate that is presented. Default: `own` where the target requires one, else none.');

/** Transports that a step can insist on. */
export const ways = ['plain TCP', 'TLS 1.2', 'TLS 1.3'] as const;
export type Over = (typeof ways)[number];

const note = { note: z.string().describe('A note for the reader.').optional() };
const checkable = {
  ...note,
  capture: z.record(z.string(), Capture).describe('Names for values of the answer.').optional(),
  check: Checks.optional(),
  control: Control.optional(),
};
const common = {
  ...checkable,
  as: z.string().describe('The actor whose originator is sent, with its certificate; `admin` is built in.').optional(),
  on: z.enum(['gateway', 'backend']).describe('Which CSE of a pair. Default: the gateway.').optional(),
  certificate: Certificate.optional(),
  over: z.enum(ways).describe('Plain bytes even to a TLS port, or TLS of exactly this version.').optional(),
  expect: z
    .enum(['success', 'refusal', 'either'])
    .describe('Default success: an answer other than 2xx then blocks the rest of the scenario.')
    .optional(),
  risky: RiskMark.optional(),
};
const exchange = {
  query: Query.describe('Query parameters; a list repeats the parameter.').optional(),
  headers: Headers.refine((headers) => Object.keys(headers).every((name) => headerName.test(name)), {
    error: 'a header name has letters, digits and hyphens, and no spaces',
  })
    .describe('Further request headers; null leaves a usual one out.')
    .optional(),
};
const Root = z.string().regex(/^\S+$/).describe('The only key of the payload, if not that of the resource type.');

const rootless = { error: 'a resource type without a root of its own needs `root`', path: ['root'] };

const CreateStep = z
  .strictObject({
    create: z.enum(resourceTypes),
    in: Template.describe('Path of the parent.'),
    root: Root.optional(),
    ty: z
      .int()
      .min(0)
      .describe('The type in the content type (onem2m dialect), if not that of the resource type.')
      .optional(),
    attributes: z
      .record(z.string(), Json)
      .describe('Attributes to send, below the root key of the resource type.')
      .optional(),
    ...exchange,
    ...common,
  })
  .refine(({ create, root }) => (root ?? factsOf(create).root) !== undefined, rootless);
const RetrieveStep = z.strictObject({ retrieve: Template.describe('Path.'), ...exchange, ...common });
const UpdateStep = z
  .strictObject({
    update: Template.describe('Path.'),
    kind: z.enum(resourceTypes),
    root: Root.optional(),
    attributes: z.record(z.string(), Json),
    ...exchange,
    ...common,
  })
  .refine(({ kind, root }) => (root ?? factsOf(kind).root) !== undefined, rootless);
const DeleteStep = z.strictObject({ delete: Template.describe('Path.'), ...exchange, ...common });
const DiscoverStep = z.strictObject({
  discover: Template.describe('Path where the discovery starts.'),
  where: Query.describe('Filter criteria; fu=1 is added.').optional(),
  headers: exchange.headers,
  ...common,
});

/** In bytes: a longer one would fill the memory. */
const largestBody = 64 * 1024 * 1024;
const Repetition = z
  .strictObject({ repeat: z.string(), times: z.int().min(0).max(20_000_000) })
  .refine(({ repeat, times }) => Buffer.byteLength(repeat) * times <= largestBody, {
    error: `the repeated text is longer than ${largestBody} bytes`,
    path: ['times'],
  });
const BodyPart = z.union([Template, Repetition, z.strictObject({ hex: z.string().regex(/^([0-9a-f]{2})*$/i) })]);
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
  creates: Template.describe('Path of a resource that this may create, to be removed afterwards.').optional(),
  ...common,
});

const waiting = {
  within: z
    .string()
    .regex(/^\d+(\.\d+)?(ms|s|m)$/, { error: 'write a time as 30s, 500ms or 1m' })
    .describe('How long to wait; default 30s for a request, 5s for notifications.')
    .optional(),
  expect: z
    .enum(['success', 'either'])
    .describe('Default success: without one, the rest of the scenario is blocked.')
    .optional(),
  ...checkable,
};
const ReceiveStep = z.strictObject({
  receive: z
    .strictObject({ method: z.string(), path: Matcher, root: Matcher })
    .partial()
    .describe('Waits for a request of the target to the harness as its backend.'),
  ...waiting,
});

/** The content of a notification. */
export const notificationKinds = ['event', 'verification', 'deletion', 'aggregate', 'response'] as const;
export type NotificationKind = (typeof notificationKinds)[number];
const NotifiedStep = z.strictObject({
  notified: z.string().describe('The inbox to read. Later steps do not see these notifications again.'),
  of: z
    .enum([...notificationKinds, 'any'])
    .describe('Which notifications count; default `event`. `response` is an m2m:rsp.')
    .optional(),
  until: z
    .int()
    .min(0)
    .describe(
      'Waits for so many notifications, or until `within` has passed; default 1. With 0 it waits as long as more may come.',
    )
    .optional(),
  ...waiting,
});
const AdvanceStep = z.strictObject({
  advance: z
    .string()
    .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, { error: 'write a time as 90s, 5m, 1h or 2d' })
    .describe('Time that passes: virtual at the embedded target, else real, within --wait-budget.'),
  countdown: Template.describe('Shown with the remaining time to a person, who may end the wait early.').optional(),
  ...note,
});

const AskStep = z
  .strictObject({
    ask: Template.describe('The question or task for a person. Without `choice` and `upload` the answer is a text.'),
    answer: z
      .string()
      .regex(/^[a-z][a-z0-9]*$/, { error: 'the name of an answer has small letters and digits' })
      .describe(
        'Name of the answer: ${name} in later steps and checks, and its key in a file of --answers: below `each`, `name.1` and so on.',
      ),
    choice: z
      .array(z.string().regex(/\S/))
      .min(1)
      .refine((all) => new Set([...all, cannotTell]).size > all.length, {
        error: `each can be chosen once, and "${cannotTell}" is there anyway`,
      })
      .describe('One of these.')
      .optional(),
    upload: z
      .literal('file')
      .describe(`A file, of ${largestUpload / 1024 / 1024} MiB at most; \${name} is its name.`)
      .optional(),
    expect: z
      .enum(['success', 'either'])
      .describe(
        `Default success: without an answer, or where one "${cannotTell}", the rest of the scenario is blocked.`,
      )
      .optional(),
    ...note,
    check: Checks.optional(),
  })
  .refine(({ choice, upload }) => choice === undefined || upload === undefined, {
    error: 'a question has either `choice` or `upload`',
  });

export const Step = z
  .union([
    CreateStep,
    RetrieveStep,
    UpdateStep,
    DeleteStep,
    DiscoverStep,
    RawStep,
    ReceiveStep,
    NotifiedStep,
    AdvanceStep,
    AskStep,
  ])
  .meta({ id: 'Step', description: 'One request, a wait, or a question to a person, and what is expected of it.' });
export type Step = z.infer<typeof Step>;
export type CreateStep = z.infer<typeof CreateStep>;
export type UpdateStep = z.infer<typeof UpdateStep>;
export type DiscoverStep = z.infer<typeof DiscoverStep>;
export type RawStep = z.infer<typeof RawStep>;
export type ReceiveStep = z.infer<typeof ReceiveStep>;
export type NotifiedStep = z.infer<typeof NotifiedStep>;
export type AdvanceStep = z.infer<typeof AdvanceStep>;
export type AskStep = z.infer<typeof AskStep>;
/** A step in which the harness sends a request to the target. */
export type SendingStep = Exclude<Step, ReceiveStep | NotifiedStep | AdvanceStep | AskStep>;
export type Expect = NonNullable<SendingStep['expect']>;

/** The verbs of steps, the first key of each; a step has exactly one of them. */
export const verbs = Step.options.flatMap(({ shape }) => Object.keys(shape).slice(0, 1));
