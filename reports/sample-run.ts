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
} from '../scenarios/index.ts';
import { hostileText, sampleScenarios } from './sample-scenarios.ts';

interface Statement {
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

const statements: readonly Statement[] = [
  { id: 'wire.content-type', section: wire, source: 'table, row Payload format', says: 'Bodies are JSON and say so.' },
  {
    id: 'wire.timestamps',
    section: wire,
    source: 'table, row Timestamps',
    says: 'Timestamps are ISO 8601 with microseconds and a UTC offset.',
    verdict: 'not testable',
    reason: 'no scenario that ran checks it',
    untestable: true,
  },
  { id: 'ae.create-answers-201', section: aeFields, source: 'Endpoints, row 1', says: 'Creating an AE answers 201.' },
  {
    id: 'ae.retrieve-answers-200',
    section: aeFields,
    source: 'Endpoints, row 2',
    says: 'Retrieving an AE answers 200.',
  },
  {
    id: 'ae.api-echoed',
    section: aeFields,
    source: 'response fields, row api',
    says: 'The answer repeats api as sent.',
  },
  {
    id: 'ae.reachability-is-boolean',
    section: aeFields,
    source: 'response fields, row rr',
    says: 'Request reachability is sent as the text TRUE and returned as the boolean true.',
  },
  {
    id: 'ae.notification-form',
    section: aeFields,
    source: 'closing sentence',
    says: 'An AE may declare points of access.',
    verdict: 'excluded',
    reason: 'the form on the wire is not shown',
    untestable: true,
  },
  {
    id: 'container.create-answers-201',
    section: containerFields,
    source: 'Endpoints, row 3',
    says: 'Creating a container answers 201.',
  },
  {
    id: 'container.state-tag-is-text',
    section: containerFields,
    source: 'response fields, row st',
    says: 'The state tag of a new container is returned as the text 0.',
  },
  {
    id: 'content-instance.content-echoed',
    section: instanceFields,
    source: 'response fields',
    says: 'The answer repeats the content.',
  },
  {
    id: 'content-instance.latest-is-newest',
    section: endpoints,
    source: 'row 7 and note 4',
    says: `The address <container>/latest stands for the newest content instance, whatever its content is: ${hostileText}`,
  },
  { id: 'discovery.by-label', section: endpoints, source: 'row 11', says: 'Discovery by label lists what carries it.' },
  {
    id: 'discovery.since',
    section: endpoints,
    source: 'row 12',
    says: 'Discovery can be restricted to newer resources.',
  },
  {
    id: 'tls.certificate-accepted',
    section: authentication,
    source: 'HTTP transport plugin, rule 2',
    says: 'A client that presents its certificate is served.',
  },
  {
    id: 'registration.interval',
    section: authentication,
    source: 'RegistrationHandler, row interval',
    says: 'A gateway registers to its backend.',
    verdict: 'not applicable',
    reason: 'the target was given without a backend',
  },
  {
    id: 'errors.unknown-path',
    section: errors,
    source: 'closing sentence',
    says: 'What a request for an unknown path is answered with.',
    level: 'gap',
  },
  {
    id: 'errors.malformed-body',
    section: errors,
    source: 'closing sentence',
    says: 'What a body that is not JSON is answered with.',
    level: 'gap',
  },
];

interface Found {
  reference: CheckReference;
  result: CheckResult;
}

function checksOf(requirement: string, scenarios: readonly ScenarioResult[]): Found[] {
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
  if (states.includes('failed')) return level === 'gap' ? 'observed' : 'violated';
  if (states.includes('fault')) return 'harness fault';
  if (states.includes('passed')) return level === 'gap' ? 'observed' : 'satisfied';
  return states.includes('not testable') ? 'not testable' : 'not applicable';
}

function judge(statement: Statement, scenarios: readonly ScenarioResult[]): RequirementResult {
  const found = checksOf(statement.id, scenarios);
  const level = statement.level ?? 'documented';
  const states = found.map(({ result }) => result.state);
  const reason = statement.reason ?? found.find(({ result }) => result.reason !== undefined)?.result.reason;
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
    id: statement.id,
    level,
    section: statement.section,
    source: statement.source,
    says: statement.says,
    verdict: statement.verdict ?? verdictOf(states, level),
    observations: states.filter((state) => state === 'passed').length,
    ...(reason === undefined ? {} : { reason }),
    violations: found
      .filter(({ result }) => result.state === 'failed' && level !== 'gap')
      .map(({ reference }) => reference),
    ...(statement.untestable && { untestable: true }),
    gaps,
  };
}

function count<Key extends string>(keys: readonly Key[], items: readonly Key[]): Record<Key, number> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
  for (const item of items) counts[item] += 1;
  return counts;
}

const verdicts: readonly Verdict[] = [
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
];
const checkStates: readonly CheckState[] = [
  'passed',
  'failed',
  'lost',
  'not testable',
  'left out',
  'not applicable',
  'fault',
];
const scenarioStates: readonly ScenarioState[] = [
  'passed',
  'failed',
  'lost',
  'blocked',
  'not testable',
  'left out',
  'not applicable',
  'fault',
  'interrupted',
];

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
  const requirements = statements
    .filter((statement) => statement.verdict !== undefined || present.has(statement.id))
    .map((statement) => judge(statement, scenarios));
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
