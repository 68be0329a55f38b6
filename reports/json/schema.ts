/**
 * The JSON report as a schema: what `report.schema.json` is made from. It repeats the types of the engine on purpose:
 * the report is a published format, and its test fails when the two part.
 */
import { z } from 'zod';

export const schemaVersion = 3;
/** Names the format; `report.schema.json` beside the reporters carries it as its `$id`. */
export const schemaId = 'urn:cselab:report:3';

const Place = z
  .object({ file: z.string(), line: z.int().min(1), column: z.int().min(1) })
  .readonly()
  .meta({ id: 'Place', description: 'Where something stands in a scenario file; line and column count from 1.' });

const Headers = z.array(z.tuple([z.string(), z.string()]).readonly()).readonly();

const sent = {
  method: z.string(),
  path: z.string().describe('Request target as sent: path and query.'),
  headers: Headers,
  body: z.string().exactOptional(),
  exactBytes: z.boolean().describe('True: `body` holds all bytes that were sent, as text.').exactOptional(),
};

const TlsFacts = z
  .object({
    handshake: z
      .enum(['completed', 'refused', 'dropped'])
      .describe('`dropped`: completed, but the target cut the connection before any answer.')
      .exactOptional(),
    version: z.string().describe('Such as `TLS 1.3`.').exactOptional(),
    alert: z.string().describe('What the target sent, such as `unknown ca`.').exactOptional(),
    server: z
      .object({
        verification: z.string().describe('`verified`, or why not; absent with -k.').exactOptional(),
        uris: z.array(z.string()).readonly().describe('URIs among the alternative names.'),
      })
      .readonly()
      .describe('The certificate of the target.')
      .exactOptional(),
  })
  .readonly()
  .meta({ id: 'TlsFacts' });

const Exchange = z
  .object({
    request: z.object(sent).readonly(),
    answer: z.object({ status: z.int(), headers: Headers, body: z.string() }).readonly().exactOptional(),
    failure: z
      .object({
        kind: z.enum([
          'refused',
          'unreachable',
          'tls',
          'reset',
          'closed',
          'cut',
          'timeout',
          'malformed',
          'interrupted',
        ]),
        message: z.string(),
      })
      .readonly()
      .describe('Why no answer came.')
      .exactOptional(),
    connection: z.enum(['open', 'closed']).describe('What became of the connection (raw steps).').exactOptional(),
    surplus: z.int().min(1).describe('Bytes that came after the answer (raw steps).').exactOptional(),
    certificate: z.string().describe('Name of the client certificate that was presented.').exactOptional(),
    over: z.string().describe('What the step insisted on, such as `TLS 1.2`.').exactOptional(),
    tls: TlsFacts.describe('For exchanges over TLS on a connection of their own.').exactOptional(),
    at: z.number().describe('Milliseconds since the start of the run.'),
    took: z.number().describe('Milliseconds from sending to the end of the answer.'),
    curl: z.string().describe('A command line that sends the same request.'),
  })
  .readonly()
  .meta({ id: 'Exchange', description: 'One request with what came back.' });

const checkStates = ['passed', 'failed', 'lost', 'not testable', 'left out', 'not applicable', 'fault'] as const;
const Check = z
  .object({
    requirement: z.string(),
    state: z.enum(checkStates),
    expected: z.array(z.string()).readonly().describe('Each permitted outcome.'),
    actual: z.string().describe('What the target did.'),
    reason: z.string().describe('Why it is not testable, or what is at fault.').exactOptional(),
    variant: z.string().describe('The name of the permitted outcome that was taken.').exactOptional(),
    level: z
      .enum(['documented', 'gap', 'standard', 'advisory'])
      .describe(
        'A failed check of a gap only differs from the reference CSE; an advisory one is told and does not count.',
      )
      .exactOptional(),
    excused: z
      .boolean()
      .describe('For `not testable`: true when nothing is missing that could have been seen.')
      .exactOptional(),
    denied: z
      .boolean()
      .describe('For `not applicable`: true when the conformance statement of the target says so.')
      .exactOptional(),
    byChoice: z
      .boolean()
      .describe('For `not applicable`: true when the run left it out by choice, whatever the target has.')
      .exactOptional(),
    asReference: z
      .boolean()
      .describe('Of a gap: whether the reference CSE was seen to do the same here.')
      .exactOptional(),
    intermittent: z
      .boolean()
      .describe('For `failed`: true when it passed as the scenario ran once more, alone.')
      .exactOptional(),
    byRule: z
      .literal(true)
      .describe('For `failed`: true where no check looks at it, but a rule that holds for every exchange.')
      .exactOptional(),
    known: z
      .object({
        reason: z.string().exactOptional(),
        ticket: z.string().exactOptional(),
        owner: z.string().exactOptional(),
        expires: z.string().describe('The last day on which it is excused.').exactOptional(),
      })
      .readonly()
      .describe('For `failed`: the entry of the baseline that speaks of this failure.')
      .exactOptional(),
    place: Place,
  })
  .readonly()
  .meta({ id: 'Check' });

const Received = z
  .object({ ...sent, at: z.number().describe('Milliseconds since the start of the run.') })
  .readonly()
  .meta({ id: 'Received', description: 'A request that the target sent to the harness.' });

const Step = z
  .object({
    phase: z.enum(['given', 'step', 'cleanup']),
    title: z.string(),
    note: z.string().exactOptional(),
    place: Place.exactOptional(),
    on: z.literal('backend').describe('Absent for the gateway, or the only CSE.').exactOptional(),
    exchange: Exchange.describe('Absent when the step was not sent.').exactOptional(),
    received: Received.describe('The request of the target that the step waited for.').exactOptional(),
    notifications: z
      .object({
        inbox: z.string(),
        url: z.string().describe('Where they were to come.'),
        waited: z.number().describe('Milliseconds that the step waited.'),
        count: z.int().min(0),
        shown: z.array(Received).readonly().describe('The first of them.'),
      })
      .readonly()
      .describe('What the step found in an inbox.')
      .exactOptional(),
    passed: z
      .object({ duration: z.string(), how: z.enum(['virtual', 'waited']) })
      .readonly()
      .describe('Time that passed: on the clock of the embedded target, or really.')
      .exactOptional(),
    checks: z.array(Check).readonly(),
    problem: z.string().describe('Why it was not sent, or why what follows is blocked.').exactOptional(),
  })
  .readonly()
  .meta({ id: 'Step' });

const scenarioStates = [
  'passed',
  'failed',
  'lost',
  'blocked',
  'not testable',
  'left out',
  'not applicable',
  'fault',
  'interrupted',
] as const;
const Scenario = z
  .object({
    id: z.string(),
    feature: z.string(),
    title: z.string(),
    tags: z.array(z.string()).readonly(),
    place: Place,
    installation: z.string().describe('Where it ran; absent when it did not.').exactOptional(),
    state: z.enum(scenarioStates),
    reason: z.string().exactOptional(),
    steps: z.array(Step).readonly(),
    leftBehind: z.array(z.string()).readonly().describe('Paths of what could not be removed.'),
    again: z
      .enum(scenarioStates)
      .describe('What became of a failed scenario when it ran once more, alone.')
      .exactOptional(),
    took: z.number().describe('Milliseconds.'),
  })
  .readonly()
  .meta({ id: 'Scenario' });

const verdicts = [
  'violated',
  'intermittent',
  'advisory',
  'satisfied',
  'observed',
  'lost',
  'not testable',
  'not asked',
  'left out',
  'not applicable',
  'excluded',
  'harness fault',
] as const;
const reference = {
  scenario: z.string().describe('Scenario id.'),
  step: z.int().min(0).describe('Position of the step in the scenario, from 0.'),
  check: z.int().min(0).describe('Position of the check in the step, from 0.'),
};
const Requirement = z
  .object({
    id: z.string(),
    level: z.enum(['documented', 'gap', 'standard']),
    answers: z.array(z.string()).readonly().describe('Test purposes that it answers.').exactOptional(),
    section: z.string(),
    source: z.string(),
    says: z.string(),
    verdict: z.enum(verdicts),
    observations: z.int().min(0).describe('Number of checks that passed.'),
    reason: z.string().exactOptional(),
    violations: z.array(z.object(reference).readonly()).readonly(),
    known: z.boolean().describe('True when the baseline knows every failure.').exactOptional(),
    untestable: z.boolean().describe('True when no client of any target can see it.').exactOptional(),
    denied: z
      .boolean()
      .describe('True when it is not applicable, as the conformance statement of the target says.')
      .exactOptional(),
    gaps: z
      .array(
        z
          .object({
            ...reference,
            actual: z.string().describe('What the target did.'),
            asReference: z.boolean().describe('True when the reference CSE does the same.'),
            variant: z.string().exactOptional(),
          })
          .readonly(),
      )
      .readonly(),
  })
  .readonly()
  .meta({ id: 'Requirement' });

const Cause = z
  .object({
    requirement: z.string().describe('The one that leads: what the others follow, or what most scenarios show.'),
    verdict: z.enum(['violated', 'intermittent', 'advisory']).describe('Of all its requirements.'),
    known: z.literal(true).describe('The baseline knows every failure of it.').exactOptional(),
    others: z.array(z.string()).readonly().describe('The other requirements that it violates.'),
    failures: z.int().min(1).describe('Number of failed checks.'),
    scenarios: z.int().min(1).describe('Number of scenarios that show it.'),
    shown: z.object(reference).readonly().describe('The failure that the fewest steps lead to.'),
  })
  .readonly()
  .meta({ id: 'Cause', description: 'Failures that have one thing to mend.' });

const lostRequest = {
  method: z.string(),
  path: z.string().describe('Path and query, as sent.'),
  scenario: z.string().describe('Scenario id.'),
  step: z.int().min(0).describe('Position of the step in the scenario, from 0.'),
  curl: z.string().describe('A command line that sends the same request.'),
};
export const deathShape = {
  kind: z
    .enum(['died', 'hangs', 'closes', 'unavailable'])
    .describe('Nobody listens; nothing is answered; every connection is closed; a proxy says that it is gone.'),
  at: z.number().describe('Milliseconds since the start of the run.'),
  inFlight: z.array(z.object(lostRequest).readonly()).readonly().describe('What was under way, without an answer.'),
  culprit: z
    .object({
      ...lostRequest,
      seen: z.enum(['again', 'alone']).describe('It killed the target again alone, or was the only one under way.'),
    })
    .readonly()
    .exactOptional(),
  backAfter: z.number().describe('Milliseconds until it answered again; absent where it did not.').exactOptional(),
  restarted: z.literal(true).describe('The command of the user was run to bring it back.').exactOptional(),
};
const Death = z
  .object(deathShape)
  .readonly()
  .meta({ id: 'Death', description: 'The target stopped answering anything at all.' });

const countsOf = <const Keys extends readonly string[]>(keys: Keys) =>
  z.record(z.enum(keys), z.int().min(0)).readonly();

const Exit = z
  .object({
    code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(130)]),
    reason: z.string(),
  })
  .readonly()
  .describe(
    '0 no deviation in what was checked, 1 violated, 2 usage, 3 target unreachable or harness fault, 4 inconclusive, 130 interrupted.',
  );

const Target = z
  .object({
    kind: z.enum(['embedded', 'in-process', 'url', 'played', 'recorded']),
    url: z.string(),
    base: z.string(),
    cseId: z.string(),
    spId: z.string(),
    product: z.string().describe('As its target file says.').exactOptional(),
    version: z.string().describe('As its target file says.').exactOptional(),
  })
  .readonly()
  .meta({ id: 'Target', description: 'One CSE.' });

const Installation = z
  .object({
    name: z.string(),
    has: z.array(z.string()).readonly().describe('What scenarios can need and this has.'),
    gateway: Target,
    backend: Target.describe('The other CSE of a pair, or the harness in its place.').exactOptional(),
    originator: z.string().describe('Sent with every request without another certificate.').exactOptional(),
  })
  .readonly()
  .meta({ id: 'Installation' });

const Claim = z
  .object({ id: z.string(), name: z.string(), claim: z.enum(['yes', 'no', 'unknown']) })
  .readonly()
  .meta({ id: 'Claim', description: 'One line of an implementation conformance statement.' });

const Survey = z
  .object({
    before: z.int().min(0).describe('Number of resources before the run.'),
    after: z.int().min(0).describe('Number of resources after it.'),
    left: z.array(z.string()).readonly().describe('Paths of what the run created and the target still has.'),
    others: z.int().min(0).describe('Number of resources that came or went and are not of this run.'),
    reason: z.string().describe('Why the target could not be looked at, or not as a whole.').exactOptional(),
    damaged: z
      .string()
      .describe('How the target fails to be looked at after the run, though it did not before.')
      .exactOptional(),
    unsound: z.string().describe('How the target failed before the run already.').exactOptional(),
    earlier: z.array(z.string()).readonly().describe('Names of what earlier runs have left there.').exactOptional(),
  })
  .readonly()
  .meta({ id: 'Survey', description: 'What a live target held before and after the run.' });

const Baseline = z
  .object({
    file: z.string(),
    known: z.int().min(0).describe('Failed checks that it excuses.'),
    problems: z
      .array(
        z
          .object({
            kind: z.enum(['stale', 'expired', 'unknown']),
            scenario: z.string(),
            requirement: z.string(),
            says: z.string(),
          })
          .readonly(),
      )
      .readonly()
      .describe('Entries that cannot stand.'),
  })
  .readonly()
  .meta({ id: 'Baseline' });

const Strictness = z
  .object({
    level: z.enum(['documented', 'standard']),
    failOn: z.array(z.enum(['violations', 'intermittent', 'advice', 'untestable', 'left-behind'])).readonly(),
    minEvidence: z.int().min(1).describe('Checks that have to pass before a requirement counts as satisfied.'),
  })
  .readonly()
  .meta({ id: 'Strictness', description: 'By what the run is judged.' });

export const Report = z
  .object({
    $schema: z.literal(schemaId),
    schemaVersion: z.literal(schemaVersion),
    tool: z.object({ name: z.literal('cselab'), version: z.string() }).readonly(),
    specification: z.string(),
    dialect: z.enum(['documented', 'onem2m']).describe('How the target was spoken to.'),
    run: z.string(),
    startedAt: z.string(),
    took: z.number().describe('Milliseconds.'),
    target: Target.describe('The main installation.'),
    installations: z.array(Installation).readonly().describe('Those that were used, the main one first.'),
    scenarios: z.array(Scenario).readonly(),
    requirements: z.array(Requirement).readonly(),
    causes: z
      .array(Cause)
      .readonly()
      .describe('Each requirement that is not kept stands in exactly one; absent in older reports.')
      .exactOptional(),
    strictness: Strictness,
    shard: z
      .object({
        index: z.int().min(1),
        count: z.int().min(1),
        division: z
          .string()
          .describe('The same for all parts of a plan that was divided in the same way.')
          .exactOptional(),
      })
      .readonly()
      .describe('The part of the plan that was run.')
      .exactOptional(),
    assumed: z.array(z.string()).readonly().describe('What was taken for granted of the target.').exactOptional(),
    statement: z.array(Claim).readonly().describe('Implementation conformance statement.').exactOptional(),
    notes: z.array(z.string()).readonly().describe('What is worth knowing and no deviation.').exactOptional(),
    evidence: z
      .record(
        z.string(),
        z
          .object({
            exchanges: z.int().min(1),
            by: z
              .record(z.string(), z.record(z.string(), z.int().min(1)).readonly())
              .readonly()
              .describe('How many of them were of each kind, by what they differ in.'),
          })
          .readonly(),
      )
      .readonly()
      .describe('By requirement, the exchanges that could have broken it by a rule.')
      .exactOptional(),
    survey: Survey.exactOptional(),
    deaths: z.array(Death).readonly().describe('Each time when the target died.').exactOptional(),
    baseline: Baseline.exactOptional(),
    summary: z
      .object({
        verdicts: countsOf(verdicts),
        checks: countsOf(checkStates),
        scenarios: countsOf(scenarioStates),
        requests: z.int().min(0),
      })
      .readonly(),
    exit: Exit,
  })
  .readonly()
  .meta({ title: 'cselab report' });
export type Report = z.infer<typeof Report>;

/** A schema as the text of its file. Objects stay open: a later version may say more, never less. */
export function schemaTextOf(type: z.ZodType, $id: string): string {
  const schema = z.toJSONSchema(type, {
    io: 'input',
    target: 'draft-2020-12',
    // `readonly` is about our types; in a schema it would speak of who may change a value.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  });
  return `${JSON.stringify({ $id, ...schema }, undefined, 2)}\n`;
}
