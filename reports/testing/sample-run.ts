/** A run as the engine would yield it, with one of everything. The reporters' tests render it. */
import type {
  CheckReference,
  CheckResult,
  CheckState,
  Exit,
  GapObservation,
  RequirementResult,
  RunResult,
  RunSummary,
  ScenarioResult,
  ScenarioState,
  TargetDescription,
  Verdict,
} from '../../scenarios/words.ts';
import { hostileText, sampleScenarios } from './sample-scenarios.ts';

interface SampleRequirement {
  id: string;
  section: string;
  source: string;
  says: string;
  level?: 'gap';
  /** Fixed where no check decides: excluded and not applicable requirements. */
  verdict?: Verdict;
  reason?: string;
  untestable?: true;
}

const wire = 'Wire conventions';
const aeFields = 'Resources and their fields: AE';
const containerFields = 'Resources and their fields: Container';
const instanceFields = 'Resources and their fields: Content instance';
const endpoints = 'Endpoints';
const authentication = 'Authentication';
const errors = 'Errors';

const sampleRequirements: readonly SampleRequirement[] = (
  [
    ['wire.content-type', wire, 'table, row Payload format', 'Bodies are JSON and say so.'],
    [
      'wire.timestamps',
      wire,
      'table, row Timestamps',
      'Timestamps are ISO 8601 with microseconds and a UTC offset.',
      { verdict: 'not testable', reason: 'no scenario that ran checks it', untestable: true },
    ],
    ['ae.create-answers-201', aeFields, 'Endpoints, row 1', 'Creating an AE answers 201.'],
    ['ae.retrieve-answers-200', aeFields, 'Endpoints, row 2', 'Retrieving an AE answers 200.'],
    ['ae.api-echoed', aeFields, 'response fields, row api', 'The answer repeats api as sent.'],
    [
      'ae.reachability-is-boolean',
      aeFields,
      'response fields, row rr',
      'Request reachability is sent as the text TRUE and returned as the boolean true.',
    ],
    [
      'ae.notification-form',
      aeFields,
      'closing sentence',
      'An AE may declare points of access.',
      { verdict: 'excluded', reason: 'the form on the wire is not shown', untestable: true },
    ],
    ['container.create-answers-201', containerFields, 'Endpoints, row 3', 'Creating a container answers 201.'],
    [
      'container.state-tag-is-text',
      containerFields,
      'response fields, row st',
      'The state tag of a new container is returned as the text 0.',
    ],
    ['content-instance.content-echoed', instanceFields, 'response fields', 'The answer repeats the content.'],
    [
      'content-instance.latest-is-newest',
      endpoints,
      'row 7 and note 4',
      `The address <container>/latest stands for the newest content instance, whatever its content is: ${hostileText}`,
    ],
    ['discovery.by-label', endpoints, 'row 11', 'Discovery by label lists what carries it.'],
    ['discovery.since', endpoints, 'row 12', 'Discovery can be restricted to newer resources.'],
    [
      'tls.certificate-accepted',
      authentication,
      'HTTP transport plugin, rule 2',
      'A client that presents its certificate is served.',
    ],
    [
      'registration.interval',
      authentication,
      'RegistrationHandler, row interval',
      'A gateway registers to its backend.',
      { verdict: 'not applicable', reason: 'the target was given without a backend' },
    ],
    [
      'errors.unknown-path',
      errors,
      'closing sentence',
      'What a request for an unknown path is answered with.',
      { level: 'gap' },
    ],
    [
      'errors.malformed-body',
      errors,
      'closing sentence',
      'What a body that is not JSON is answered with.',
      { level: 'gap' },
    ],
  ] as const satisfies ReadonlyArray<readonly [string, string, string, string, Partial<SampleRequirement>?]>
).map(([id, section, source, says, more]) => ({ id, section, source, says, ...more }));

interface FoundCheck {
  reference: CheckReference;
  result: CheckResult;
}

function checksOf(requirement: string, scenarios: readonly ScenarioResult[]): FoundCheck[] {
  return scenarios.flatMap((scenario) =>
    scenario.steps.flatMap((step, stepIndex) =>
      step.checks.flatMap((result, checkIndex) =>
        result.requirement === requirement
          ? [{ reference: { scenario: scenario.id, step: stepIndex, check: checkIndex }, result }]
          : [],
      ),
    ),
  );
}

function verdictOf(states: readonly CheckState[], level: 'documented' | 'gap'): Verdict {
  if (states.includes('failed')) return level === 'gap' ? 'implementation-defined' : 'violated';
  if (states.includes('fault')) return 'harness fault';
  if (states.includes('passed')) return level === 'gap' ? 'implementation-defined' : 'satisfied';
  return states.includes('not testable') ? 'not testable' : 'not applicable';
}

function judge(sample: SampleRequirement, scenarios: readonly ScenarioResult[]): RequirementResult {
  const found = checksOf(sample.id, scenarios);
  const level = sample.level ?? 'documented';
  const states = found.map(({ result }) => result.state);
  const reason = sample.reason ?? found.find(({ result }) => result.reason !== undefined)?.result.reason;
  const gaps: GapObservation[] =
    level === 'gap'
      ? found.map(({ reference, result }) => ({
          ...reference,
          actual: result.actual,
          asReference: result.state === 'passed',
          ...(result.variant === undefined ? {} : { variant: result.variant }),
        }))
      : [];
  return {
    id: sample.id,
    level,
    section: sample.section,
    source: sample.source,
    says: sample.says,
    verdict: sample.verdict ?? verdictOf(states, level),
    observations: states.filter((state) => state === 'passed').length,
    ...(reason === undefined ? {} : { reason }),
    violations: found
      .filter(({ result }) => result.state === 'failed' && level !== 'gap')
      .map(({ reference }) => reference),
    ...(sample.untestable && { untestable: true }),
    gaps,
  };
}

const verdicts: readonly Verdict[] = [
  'violated',
  'intermittent',
  'advisory',
  'harness fault',
  'lost',
  'not testable',
  'not asked',
  'left out',
  'satisfied',
  'implementation-defined',
  'not applicable',
  'excluded',
];

const checkStates: readonly CheckState[] = [
  'failed',
  'fault',
  'lost',
  'not testable',
  'left out',
  'not applicable',
  'passed',
];

const scenarioStates: readonly ScenarioState[] = [
  'failed',
  'fault',
  'interrupted',
  'lost',
  'blocked',
  'not testable',
  'left out',
  'not applicable',
  'passed',
];

function count<Key extends string>(keys: readonly Key[], items: readonly Key[]): Record<Key, number> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
  for (const item of items) counts[item] += 1;
  return counts;
}

function summarise(requirements: readonly RequirementResult[], scenarios: readonly ScenarioResult[]): RunSummary {
  const steps = scenarios.flatMap((scenario) => scenario.steps);
  return {
    verdicts: count(
      verdicts,
      requirements.map((requirement) => requirement.verdict),
    ),
    checks: count(
      checkStates,
      steps.flatMap((step) =>
        step.checks.filter(({ level }) => level !== 'gap' && level !== 'advisory').map(({ state }) => state),
      ),
    ),
    scenarios: count(
      scenarioStates,
      scenarios.map((scenario) => scenario.state),
    ),
    requests: steps.filter((step) => step.exchange !== undefined).length,
  };
}

const target: TargetDescription = {
  kind: 'url',
  url: 'http://127.0.0.1:8000',
  base: 'onem2m',
  cseId: 'mn-cse-1',
  spId: 'example.org',
};

/** A consistent result for these scenarios: verdicts and counts follow from their checks. */
export function runOf(scenarios: readonly ScenarioResult[], exit: Exit): RunResult {
  const present = new Set(
    scenarios.flatMap(({ steps }) => steps.flatMap(({ checks }) => checks.map((c) => c.requirement))),
  );
  const requirements = sampleRequirements
    .filter((sample) => sample.verdict !== undefined || present.has(sample.id))
    .map((sample) => judge(sample, scenarios));
  return {
    tool: { name: 'cselab', version: '0.1.0' },
    specification: 'Machine-to-Machine Gateway Service: REST Interface Specification',
    dialect: 'documented',
    run: 'cselab-7f3a',
    startedAt: '2025-03-02T16:12:53.000Z',
    took: 1834.6,
    target,
    installations: [{ name: 'target', has: ['plain HTTP', 'any originator'], gateway: target }],
    scenarios,
    requirements,
    strictness: { level: 'documented', failOn: ['violations', 'intermittent'], minEvidence: 1 },
    summary: summarise(requirements, scenarios),
    exit,
  };
}

export const sampleRun: RunResult = runOf(sampleScenarios, {
  code: 1,
  reason: '3 documented requirements are violated',
});

/** The same target with only what it does right. */
export const conformantRun: RunResult = runOf(
  sampleScenarios.filter((scenario) => scenario.state === 'passed'),
  { code: 0, reason: 'no documented requirement is violated' },
);

/** One of which a part was not asked for. */
export const partialRun: RunResult = {
  ...conformantRun,
  requirements: conformantRun.requirements.map((one, at) =>
    at === 0 ? { ...one, verdict: 'excluded', reason: 'not selected' } : one,
  ),
  exit: { code: 0, reason: 'no deviation in the 4 of 6 requirements that were checked' },
};
