/**
 * The scenarios of the sample run: what the reporters' tests render.
 * Hostile text is everywhere in it where text of a target can appear.
 */
import type {
  CheckResult,
  CheckState,
  Exchange,
  ScenarioResult,
  ScenarioState,
  StepResult,
} from '../../scenarios/words.ts';

/** Text that breaks a careless reporter: markup, a CDATA end, escapes for a terminal, control characters, emoji. */
export const hostileText =
  '</script><script>alert(1)</script> ]]> <!-- & "quoted" \'single\' \u001b[31mred\u001b[0m \u0007\u0000\u009b31m \u202Ereversed 🚪👩‍🔧 \ud800 end';

const json = 'application/vnd.onem2m-res+json';
const base = '/onem2m/cselab-7f3a';

interface SentMessage {
  method?: string;
  path: string;
  body?: unknown;
  exactBytes?: string;
}
interface AnswerMessage {
  status?: number;
  body?: unknown;
  type?: string;
  failure?: Exchange['failure'];
  took?: number;
}

let clock = 0;

function exchange(sent: SentMessage, got: AnswerMessage): Exchange {
  clock += 7;
  const method = sent.method ?? 'GET';
  const body = sent.exactBytes ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
  const curl = [
    'curl -sS -i',
    method === 'GET' ? '' : `-X ${method}`,
    body === undefined ? '' : `-H 'Content-Type: ${json}' --data-binary '${body}'`,
    `'http://127.0.0.1:8000${sent.path}'`,
  ];
  return {
    request: {
      method,
      path: sent.path,
      headers: [
        ['Host', '127.0.0.1:8000'],
        ['Accept', json],
        ['X-M2M-RI', `cselab-7f3a-${clock}`],
        ...(body === undefined ? [] : ([['Content-Type', json]] as const)),
      ],
      ...(body === undefined ? {} : { body }),
      ...(sent.exactBytes === undefined ? {} : { exactBytes: true }),
    },
    ...(got.failure === undefined ? { answer: answer(got) } : { failure: got.failure }),
    ...(sent.exactBytes === undefined ? {} : { connection: 'closed' as const }),
    at: clock,
    took: got.took ?? 3.25,
    curl: curl.filter((part) => part !== '').join(' '),
  };
}

function answer(got: AnswerMessage): NonNullable<Exchange['answer']> {
  return {
    status: got.status ?? 200,
    headers: [
      ['Content-Type', got.type ?? json],
      ['X-M2M-RSC', '2000'],
    ],
    body: typeof got.body === 'string' ? got.body : got.body === undefined ? '' : JSON.stringify(got.body),
  };
}

function check(
  requirement: string,
  state: CheckState,
  expected: string | readonly string[],
  actual: string,
  more: { line?: number; file?: string } & Partial<Pick<CheckResult, 'reason' | 'variant' | 'level' | 'excused'>> = {},
): CheckResult {
  const { line = 18, file = 'scenarios/documented/ae.yaml', ...rest } = more;
  return {
    requirement,
    state,
    expected: typeof expected === 'string' ? [expected] : expected,
    actual,
    ...rest,
    place: { file, line, column: 11 },
  };
}

function step(title: string, of: Exchange | undefined, checks: readonly CheckResult[] = []): StepResult {
  return { phase: 'step', title, ...(of === undefined ? {} : { exchange: of }), checks };
}

function scenario(id: string, title: string, state: ScenarioState, steps: readonly StepResult[]): ScenarioResult {
  const [folder = '', feature = ''] = id.split('/');
  return {
    id,
    feature: feature.replaceAll('-', ' '),
    title,
    tags: [folder],
    place: { file: `scenarios/${folder}/${feature}.yaml`, line: 12, column: 3 },
    state,
    steps,
    leftBehind: [],
    took: 21.5,
  };
}

const ae = {
  'm2m:ae': {
    ri: 'ae0',
    rn: 'sensors',
    ty: 2,
    pi: 'cb0',
    ct: '2025-03-02T16:12:53.350093+00:00',
    lt: '2025-03-02T16:12:53.350093+00:00',
    et: '2025-03-02T16:46:13.350093+00:00',
    aei: 'C0',
    api: 'org.example.sensors',
    rr: 'TRUE',
    nl: 'dummy',
  },
};
const container = {
  'm2m:cnt': { ri: 'cnt0', rn: 'data', ty: 3, pi: 'ae0', cr: 'nobody', cni: 0, cbs: 0, st: 0 },
};
const stateTag = (line: number): CheckResult =>
  check('container.state-tag-is-text', 'failed', 'attribute st equal to the text "0"', 'st is the integer 0', {
    line,
    file: 'scenarios/documented/container.yaml',
  });

const createAe = exchange(
  {
    method: 'POST',
    path: '/onem2m',
    body: { 'm2m:ae': { rn: 'sensors', api: 'org.example.sensors', rr: 'TRUE' } },
  },
  { status: 201, body: ae },
);
const aeGivenStep: StepResult = {
  phase: 'given',
  title: 'create ae in /onem2m',
  exchange: createAe,
  checks: [],
};
const cleanup: StepResult = {
  phase: 'cleanup',
  title: `delete ${base}`,
  exchange: exchange({ method: 'DELETE', path: base }, { body: ae }),
  checks: [],
};

const registers = scenario('documented/ae/registers', 'An application registers below the CSE base', 'passed', [
  step('create ae in /onem2m', createAe, [
    check('ae.create-answers-201', 'passed', 'status 201', 'status 201'),
    check('wire.content-type', 'passed', `header Content-Type equal to ${json}`, `Content-Type is ${json}`),
  ]),
  step('retrieve /onem2m/sensors', exchange({ path: '/onem2m/sensors' }, { body: ae }), [
    check('ae.retrieve-answers-200', 'passed', 'status 200', 'status 200'),
  ]),
  cleanup,
]);

const echoes = scenario('documented/ae/echoes-what-was-sent', 'The answer repeats the attributes sent', 'failed', [
  step('create ae in /onem2m', createAe, [
    check('ae.api-echoed', 'passed', 'attribute api equal to "org.example.sensors"', 'api is "org.example.sensors"'),
    check(
      'ae.reachability-is-boolean',
      'failed',
      ['attribute rr equal to true (AE fields, row rr)', 'attribute rr equal to false (AE fields, row rr)'],
      'rr is the text "TRUE"',
      { line: 31 },
    ),
  ]),
  cleanup,
]);

const createsContainer = scenario('documented/container/creates', 'A container is created below an AE', 'failed', [
  aeGivenStep,
  step(
    'create container in /onem2m/sensors',
    exchange(
      { method: 'POST', path: '/onem2m/sensors', body: { 'm2m:cnt': { rn: 'data' } } },
      { status: 201, body: container },
    ),
    [check('container.create-answers-201', 'passed', 'status 201', 'status 201'), stateTag(22)],
  ),
  step('retrieve /onem2m/sensors/data', exchange({ path: '/onem2m/sensors/data' }, { body: container }), [
    stateTag(29),
  ]),
  cleanup,
]);

const nestsContainer = {
  ...scenario('documented/container/nests', 'A container is created below a container', 'failed', [
    aeGivenStep,
    step(
      'create container in /onem2m/sensors/data',
      exchange(
        { method: 'POST', path: '/onem2m/sensors/data', body: { 'm2m:cnt': { rn: 'inner' } } },
        { status: 201, body: container },
      ),
      [stateTag(47)],
    ),
    cleanup,
  ]),
  leftBehind: ['/onem2m/sensors/data/inner'],
};

const readings = Array.from({ length: 40 }, (_, index) => ({ at: index, value: `reading ${index}` }));
const latest = scenario('documented/content-instance/latest', 'latest is the newest instance', 'failed', [
  aeGivenStep,
  step(
    'create content instance in /onem2m/sensors/data',
    exchange(
      {
        method: 'POST',
        path: '/onem2m/sensors/data',
        body: { 'm2m:cin': { con: hostileText, cnf: 'text/plain:0' } },
      },
      { status: 201, body: { 'm2m:cin': { con: hostileText, cnf: 'text/plain:0', readings } } },
    ),
    [check('content-instance.content-echoed', 'passed', 'attribute con equal to what was sent', 'con is equal')],
  ),
  {
    ...step(
      'retrieve /onem2m/sensors/data/latest',
      exchange(
        { path: '/onem2m/sensors/data/latest' },
        {
          status: 500,
          type: 'text/html',
          body: `<html><body>${hostileText}\n${'stack frame of a very long line '.repeat(40)}\n${'x'.repeat(20_000)}</body></html>`,
        },
      ),
      [
        check(
          'content-instance.latest-is-newest',
          'failed',
          'status 200, attribute con equal to the last content sent',
          `status 500, body ${hostileText}`,
          { line: 64, file: 'scenarios/documented/content-instance.yaml' },
        ),
      ],
    ),
    note: 'Row 7 of the endpoints.',
  },
  cleanup,
]);

const latestAfterReset = scenario('documented/content-instance/latest-again', 'latest stays readable', 'failed', [
  aeGivenStep,
  step(
    'retrieve /onem2m/sensors/data/latest',
    exchange(
      { path: '/onem2m/sensors/data/latest' },
      { failure: { kind: 'reset', message: `read ECONNRESET ${hostileText}` }, took: 812 },
    ),
    [
      check(
        'content-instance.latest-is-newest',
        'failed',
        'status 200, attribute con equal to the last content sent',
        'no answer: the target reset the connection',
        { line: 81, file: 'scenarios/documented/content-instance.yaml' },
      ),
    ],
  ),
]);

const noParent = 'the container that holds the instances could not be created: status 500 instead of 2xx';
const byLabel: ScenarioResult = {
  ...scenario('documented/discovery/by-label', 'Discovery finds what carries a label', 'blocked', [
    {
      ...step(
        'create container in /onem2m/sensors',
        exchange(
          { method: 'POST', path: '/onem2m/sensors', body: { 'm2m:cnt': { rn: 'labelled', lbl: ['a'] } } },
          { status: 500, type: 'text/plain', body: 'Internal Server Error' },
        ),
      ),
      problem: noParent,
    },
    {
      ...step('discover /onem2m', undefined, [
        check('discovery.by-label', 'not testable', 'a list that contains the container', 'not observed', {
          reason: noParent,
          file: 'scenarios/documented/discovery.yaml',
        }),
      ]),
      problem: 'not sent: an earlier step failed',
    },
  ]),
  reason: noParent,
};

const needsHttps = 'the target is addressed by http, not https';
const certificate: ScenarioResult = {
  ...scenario('documented/tls/certificate', 'A client shows its certificate', 'not testable', [
    {
      ...step('retrieve /onem2m', undefined, [
        check('tls.certificate-accepted', 'not testable', 'status 200', 'not observed', {
          reason: needsHttps,
          excused: true,
        }),
      ]),
      problem: needsHttps,
    },
  ]),
  reason: needsHttps,
};

const matcherBroke = 'matcher "after": the capture ${before} is not a timestamp';
const since: ScenarioResult = {
  ...scenario('documented/discovery/since', 'Discovery after a time leaves older ones out', 'fault', [
    step('discover /onem2m', exchange({ path: '/onem2m?fu=1&lbl=a' }, { body: { 'm2m:uril': [] } }), [
      check('discovery.since', 'fault', 'an empty list', 'a list of 0 paths', { reason: matcherBroke }),
    ]),
  ]),
  reason: matcherBroke,
};

const unknownPath = scenario('gaps/errors/unknown-path', 'What is not there is asked for', 'passed', [
  step(
    'retrieve /onem2m/nowhere',
    exchange({ path: '/onem2m/nowhere' }, { status: 404, body: { 'm2m:dbg': 'no resource there' } }),
    [check('errors.unknown-path', 'passed', 'status 404', 'status 404', { level: 'gap', variant: 'not found' })],
  ),
  step('delete /onem2m/nowhere', exchange({ method: 'DELETE', path: '/onem2m/nowhere' }, { status: 400 }), [
    check('errors.unknown-path', 'failed', 'status 404', `status 400, body ${hostileText}`, { level: 'gap' }),
  ]),
]);

const malformed = scenario('gaps/errors/malformed-body', 'A body that is no JSON', 'passed', [
  step(
    'raw POST /onem2m',
    exchange(
      {
        method: 'POST',
        path: '/onem2m',
        exactBytes: 'POST /onem2m HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n{"m2m:ae"\u0000\u001b[2J',
      },
      { failure: { kind: 'closed', message: 'socket hang up' } },
    ),
    [
      check('errors.malformed-body', 'failed', 'status 400', 'no answer: the target closed the connection', {
        level: 'gap',
      }),
    ],
  ),
]);

export const sampleScenarios: readonly ScenarioResult[] = [
  registers,
  echoes,
  createsContainer,
  nestsContainer,
  latest,
  latestAfterReset,
  byLabel,
  since,
  certificate,
  unknownPath,
  malformed,
];
