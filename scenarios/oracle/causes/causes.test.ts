import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementResult } from '../../engine/results/requirement-result.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../../engine/results/result.ts';
import { Cause, causesOf } from './causes.ts';

const place = { file: 'f.yaml', line: 1, column: 1 };
const target = { kind: 'url', url: 'http://t', base: 'cse-in', cseId: 'id-in', spId: 'sp' } as const;

/** What failed: a requirement, what the target did, and what was expected. */
type Failed = readonly [requirement: string, actual: string, expected: string, more?: Partial<CheckResult>];
/** Its attribute is absent. */
const absent = (name: string): Failed => [`std.${name}`, `attribute ${name} is absent`, `attribute ${name} is a text`];

/** A request line with the root of its body, and what failed of its answer. */
type Step = readonly [line: string, ...failed: readonly Failed[]];

function check([requirement, actual, expected, more]: Failed): CheckResult {
  return { requirement, state: 'failed', expected: [expected], actual, level: 'standard', place, ...more };
}

/** An exchange is answered where the line says by which code: `POST /x m2m:cnt 4000`, or by which status: `POST /x m2m:cnt - 403`. */
function step([line, ...failed]: Step): StepResult {
  const [method = '', path = '', root = 'm2m:cnt', code, status = 400] = line.split(' ');
  const request = { method, path, headers: [], body: JSON.stringify({ [root]: {} }) };
  const body = code?.startsWith('2') ? request.body : '';
  const answer = { status: Number(status), headers: [['X-M2M-RSC', code ?? '']] as const, body };
  const exchange = { request, ...(code !== undefined && { answer }), at: 0, took: 1, curl: '' };
  return { phase: 'step', title: line, checks: failed.map(check), ...(method !== 'see' && { exchange }) };
}

function scenario(id: string, steps: readonly Step[]): ScenarioResult {
  const about = { feature: '', title: '', tags: [], place, state: 'failed', leftBehind: [], took: 1 } as const;
  return { id, ...about, steps: steps.map(step) };
}

/** One that ended where something was refused. */
function blocked(id: string, line: string): ScenarioResult {
  return { ...scenario(id, []), state: 'blocked', steps: [{ ...step([line]), problem: 'refused' }] };
}

/** The causes of what failed in these scenarios, each as its requirements, the leading one first. */
function causes(
  steps: Readonly<Record<string, readonly Step[]>>,
  more: ReadonlyArray<Partial<RequirementResult> & { readonly id: string }> = [],
  ended: readonly ScenarioResult[] = [],
  dialect: 'documented' | 'onem2m' = 'onem2m',
) {
  const scenarios = [...Object.entries(steps).map(([id, own]) => scenario(id, own)), ...ended];
  const failed = scenarios.flatMap((one) =>
    one.steps.flatMap(({ checks }, at) =>
      checks.map(({ requirement }, index) => ({ requirement, at: { scenario: one.id, step: at, check: index } })),
    ),
  );
  const ids = [...new Set([...failed.map(({ requirement }) => requirement), ...more.map(({ id }) => id)])];
  const requirements = ids.map((id): RequirementResult => {
    const violations = failed.filter(({ requirement }) => requirement === id).map(({ at }) => at);
    const about = {
      level: 'standard',
      section: id.split('.')[1] ?? '',
      source: '',
      says: '',
      observations: 0,
    } as const;
    const own = more.find((one) => one.id === id);
    return { id, ...about, verdict: 'violated', violations, gaps: [], ...own };
  });
  return causesOf({ requirements, scenarios, dialect, run: 'r', target });
}

function names(found: ReturnType<typeof causes>): string[] {
  return found.map(({ requirement, others }) => [requirement, ...others].join(' '));
}

const accepted = (id: string, permitted = '4000'): Failed => [id, 'RSC 2001', `RSC ${permitted}`];

test('failures on the same exchange are one cause, failures on others are not', () => {
  const found = causes({ a: [['GET /x', absent('one'), absent('two')]], b: [['GET /y', absent('three')]] });
  assert.deepEqual(names(found), ['std.one std.two', 'std.three']);
  assert.deepEqual(
    found.map(({ failures, scenarios }) => [failures, scenarios]),
    [
      [2, 1],
      [1, 1],
    ],
  );
});

/** Each of these scenarios, with what fails in its one step. */
const one = (failed: Readonly<Record<string, readonly string[]>>): Record<string, readonly Step[]> =>
  Object.fromEntries(Object.entries(failed).map(([id, ids]) => [id, [['GET /x', ...ids.map(absent)]]]));
const many = (count: number, ...ids: readonly string[]) =>
  one(Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, ids])));

test('the cause with the most scenarios comes first', () => {
  assert.deepEqual(names(causes(one({ a: ['few'], b: ['some'], c: ['some'] }))), ['std.some', 'std.few']);
});

/** How many causes there are. */
const counts: ReadonlyArray<readonly [what: string, count: number, steps: Record<string, readonly Step[]>]> = [
  ['what fails together in five scenarios is one', 1, many(5, 'a', 'b')],
  ['in more that is chance', 2, many(6, 'a', 'b')],
  ['half of the exchanges are enough', 1, one({ a: ['a', 'b'], b: ['a'] })],
  ['less are not', 2, one({ a: ['a', 'b'], b: ['a'], c: ['a'] })],
  ['five that one exchange breaks may have causes of their own', 5, many(6, 'a', 'b', 'c', 'd', 'e')],
  ['two of a family are no feature', 2, one({ a: ['f.a'], b: ['f.b'] })],
  ['three are one', 1, one({ a: ['f.a'], b: ['f.b'], c: ['f.c'] })],
  ['three of the whole standard are not', 3, one({ a: ['a'], b: ['b'], c: ['c'] })],
];
for (const [what, count, steps] of counts)
  test(`the number of causes is right: ${what}`, () => {
    assert.equal(causes(steps).length, count);
  });

test('a family that was only partly checked may be missing, and one that is partly satisfied is not', () => {
  const three = one({ a: ['f.a'], b: ['f.b'], c: ['f.c'] });
  const beside = (verdict: RequirementResult['verdict']) => causes(three, [{ id: 'std.f.d', verdict }]).length;
  for (const verdict of ['not testable', 'not asked', 'not applicable'] as const) assert.equal(beside(verdict), 1);
  assert.equal(beside('satisfied'), 3);
});

test('half of the failures with a refused certificate are not most of them', () => {
  const refused: Failed = ['std.certificate.taken', 'RSC 4107', 'RSC is not 4107'];
  const certified: Step[] = [['POST /x', absent('one'), refused]];
  const others = many(6, 'one');
  const found = causes({
    ...others,
    ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, certified])),
  });
  assert.deepEqual(names(found), ['std.one', 'std.certificate.taken']);
});

const alike = (id: string): Failed => [id, 'attribute con is "x"', 'attribute con is "y"'];
test('of like failures the one that others show leads, and none that follows in each of its scenarios', () => {
  assert.deepEqual(names(causes({ a: [['GET /x', alike('std.a')]], b: [['GET /x', alike('std.b')]] })), [
    'std.a std.b',
  ]);
  const more = {
    a: [['GET /x', alike('std.a')]],
    b: [['GET /x', alike('std.b')]],
    c: [['GET /x', alike('std.b')]],
  } as const;
  assert.deepEqual(names(causes(more)), ['std.b std.a']);
  const follows = (first: string): Step[] => [
    ['GET /x', alike(first)],
    ['GET /y', alike('std.f')],
  ];
  const found = causes({ a: follows('std.a'), b: follows('std.b') });
  assert.deepEqual(names(found), ['std.a std.f std.b']);
  assert.deepEqual(found[0]?.shown, { scenario: 'a', step: 0, check: 0 });
});

test('a cause is represented by the failure with the fewest steps', () => {
  const sound: Step = ['GET /y'];
  const failing: Step = ['GET /x', absent('a')];
  const [found] = causes({ a: [sound, sound, failing], b: [sound, failing], c: [sound, failing] });
  assert.deepEqual(found?.shown, { scenario: 'b', step: 1, check: 0 });
});

test('failures with a refused certificate have that cause, whatever their number', () => {
  const refused: Failed = ['std.certificate.taken', 'RSC 4107', 'RSC is not 4107'];
  const steps = (id: string): Step[] => [['POST /x', absent(id), refused]];
  const beside: Step[] = [['GET /y', absent('other')]];
  const found = causes({ a: steps('one'), b: steps('one'), c: steps('two'), d: beside, e: beside });
  assert.deepEqual(names(found), ['std.certificate.taken std.one std.two', 'std.other']);
});

test('a later failure in a scenario is no cause of its own: the first one leads', () => {
  const nothing: Failed = ['std.create.nothing', 'RSC 2000', 'RSC 4004'];
  const found = causes({
    a: [
      ['POST /x', accepted('std.create.refused', '4103')],
      ['GET /x', nothing],
    ],
  });
  assert.deepEqual(names(found), ['std.create.refused std.create.nothing']);
  assert.deepEqual(found[0]?.shown, { scenario: 'a', step: 0, check: 0 });
});

test('a failure of many scenarios explains no other failure in them', () => {
  const everywhere = Object.fromEntries(
    Array.from({ length: 9 }, (_, at): [string, Step[]] => [
      `s${at}`,
      [['GET /x', absent('everywhere'), ...(at < 6 ? [absent('often')] : [])]],
    ]),
  );
  assert.deepEqual(names(causes(everywhere)), ['std.everywhere', 'std.often']);
});

test('the same wrong value is one cause, in any requirement and scenario', () => {
  const wrong = (id: string): Failed => [id, 'attribute cs is 2', 'attribute cs is 5'];
  const same = causes({ a: [['GET /x m2m:cin', wrong('std.a.one')]], b: [['GET /y m2m:cin', wrong('std.b.two')]] });
  assert.deepEqual(names(same), ['std.a.one std.b.two']);
  const elsewhere = causes({ a: [['GET /x m2m:cin', wrong('std.a.one')]], b: [['PUT /y m2m:ts', wrong('std.b.two')]] });
  assert.deepEqual(names(elsewhere), ['std.a.one', 'std.b.two']);
});

test('one text instead of another is one cause, in any attribute', () => {
  const cut = (id: string, held: string, list = false): Failed => {
    const [from, to] = list ? ['["http://h/"]', '["http://h"]'] : ['"http://h/"', '"http://h"'];
    return [id, `attribute ${held} is ${to}`, `RSC 2001; attribute ${held} is ${from} (7.3.3.5)`];
  };
  const same: Record<string, Step[]> = {
    a: [['POST /x m2m:ae', cut('std.a.one', 'poa', true)]],
    b: [['PUT /y m2m:sub', cut('std.b.two', 'nfu')]],
  };
  assert.deepEqual(names(causes(same)), ['std.a.one std.b.two']);
  const other: Failed = ['std.b.two', 'attribute nfu is "http://h"', 'attribute nfu is "http://h/else"'];
  const apart = causes({ a: [['POST /x m2m:ae', cut('std.a.one', 'poa')]], b: [['PUT /y m2m:sub', other]] });
  assert.deepEqual(names(apart), ['std.a.one', 'std.b.two']);
});

test('a parameter of a notification is one cause, in a header and through a polling channel', () => {
  const header: Failed = ['std.a.one', 'header X-M2M-EC of the notification is absent', 'header X-M2M-EC is "2"'];
  const member: Failed = ['std.b.two', 'attribute ec is absent', 'attribute ec is 2'];
  const see: Step = ['see', header];
  assert.deepEqual(names(causes({ a: [see], b: [['GET /ch/pcu m2m:rqp 2000', member]] })), ['std.a.one std.b.two']);
  assert.deepEqual(names(causes({ a: [see], b: [['GET /x m2m:cnt 2000', member]] })), ['std.a.one', 'std.b.two']);
});

test('a value that rarely violates a requirement does not identify it', () => {
  const wrong = (id: string, value: number): Failed => [id, `attribute cs is "${value}"`, 'attribute cs is 5'];
  const found = causes({
    a: [['GET /x m2m:cin', wrong('std.a.one', 1)]],
    b: [['GET /x m2m:cin', wrong('std.a.one', 2)]],
    c: [['GET /x m2m:cin', wrong('std.a.one', 3)]],
    d: [['GET /x m2m:cin', wrong('std.b.two', 3)]],
  });
  assert.deepEqual(names(found), ['std.a.one', 'std.b.two']);
});

test('one refusal instead of another is one cause if family, or code and subject, are the same', () => {
  const post = (failed: Failed): Step[] => [['POST /x', failed]];
  assert.deepEqual(
    names(causes({ a: post(accepted('std.update.blocked.a')), b: post(accepted('std.update.blocked.b')) })),
    ['std.update.blocked.a std.update.blocked.b'],
  );
  const other = { a: post(accepted('std.headers.ri.missing')), b: post(accepted('std.content.two-roots')) };
  assert.deepEqual(names(causes(other)), ['std.headers.ri.missing', 'std.content.two-roots']);
  const rare = { a: post(accepted('std.headers.gid.twice', '4104')), b: post(accepted('std.fan-out.again', '4104')) };
  assert.deepEqual(names(causes(rare)), ['std.headers.gid.twice std.fan-out.again']);
  const often = { a: post(accepted('std.headers.gid.twice', '4004')), b: post(accepted('std.fan-out.again', '4004')) };
  assert.deepEqual(names(causes(often)), ['std.headers.gid.twice', 'std.fan-out.again']);
});

test('a wrong header of a family is one cause for any request, a wrong attribute is not', () => {
  const found = (subject: string) => {
    const failed = (id: string, is: number): Failed => [id, `${subject} is ${is}`, `${subject} is 5`];
    const b: Step = ['PUT /y m2m:ts', failed('std.a.b.two', 3)];
    return names(causes({ a: [['GET /x m2m:cin', failed('std.a.b.one', 2)]], b: [b] }));
  };
  assert.deepEqual(found('header X-M2M-RVI'), ['std.a.b.one std.a.b.two']);
  assert.deepEqual(found('attribute cs'), ['std.a.b.one', 'std.a.b.two']);
});

test('a statement is one cause for any resource type and address form', () => {
  const failed = (about: string): Failed => [`std.${about}conditional.not-met`, 'RSC 2000', 'RSC 4004'];
  const words = ['create', 'retrieve', 'update', 'delete', 'sp-relative', 'latest', 'common', 'container', 'policy'];
  for (const word of words) {
    const found = causes({ a: [['GET /x', failed('')]], b: [['DELETE /x', failed(`${word}.`)]] });
    assert.equal(found.length, 1, word);
  }
  assert.equal(causes({ a: [['GET /x', failed('')]], b: [['DELETE /x', failed('other.')]] }).length, 2);
});

test('texts without a distinction are no sign: other words about a response, and codes within a sentence', () => {
  const body = (id: string): Failed => [id, 'body is "x"', 'body is an object'];
  assert.equal(causes({ a: [['GET /x', body('std.a.b.one')]], b: [['GET /x', body('std.a.b.two')]] }).length, 2);
  const status = (id: string, expected: string): Failed => [id, 'status 500', expected];
  const told = (expected: string) =>
    causes({ a: [['GET /x', status('std.a.one', expected)]], b: [['GET /x', status('std.b.two', expected)]] }).length;
  assert.equal(told('status 409'), 1);
  assert.equal(told('status is not 409'), 2);
});

test('without a code a refusal is identified by its status', () => {
  const post = (status: number, id: string): Step[] => [
    [`POST /x m2m:sub - ${status}`, [id, 'status 500', 'status 2xx']],
  ];
  const steps = { a: post(403, 'std.a.b.one'), b: post(403, 'std.c.d.two'), c: post(404, 'std.e.f.three') };
  const ended = Array.from({ length: 6 }, (_, at) => blocked(`e${at}`, 'POST /x m2m:sub - 403'));
  assert.deepEqual(names(causes(steps, [], ended)), ['std.a.b.one std.c.d.two', 'std.e.f.three']);
});

test('a received message, or a success, is no refusal', () => {
  const ended = (line: string) => Array.from({ length: 6 }, (_, at) => blocked(`e${at}`, line));
  const steps = (line: string): Record<string, Step[]> => ({
    a: [[line, ['std.a.b.one', 'body is 1', 'body is 2']]],
    b: [[line, ['std.c.d.two', 'body is 3', 'body is 4']]],
  });
  assert.equal(causes(steps('POST /x m2m:sub - 400'), [], ended('POST /x m2m:sub - 400')).length, 1);
  for (const line of ['POST /x m2m:sub - 399', 'POST /x m2m:sub', 'see'])
    assert.equal(causes(steps(line), [], ended(line)).length, 2, line);
});

test('a statement about several operations is violated once', () => {
  const refused = (operation: string): Failed => [`std.${operation}.conditional.not-met`, 'RSC 2000', 'RSC 4004'];
  const found = causes({ a: [['GET /x', refused('retrieve')]], b: [['DELETE /x', refused('delete')]] });
  assert.deepEqual(names(found), ['std.retrieve.conditional.not-met std.delete.conditional.not-met']);
});

test('too many, and too few, notifications of a family are two causes', () => {
  const came = (id: string, count: number): Step[] => [
    ['see', [`std.criteria.${id}`, `number of notifications is ${count}`, 'number of notifications is 1']],
  ];
  const kept = [{ id: 'std.criteria.d', verdict: 'satisfied' }] as const;
  const found = causes({ a: came('a', 2), b: came('b', 3), c: came('c', 0) }, kept);
  assert.deepEqual(names(found), ['std.criteria.a std.criteria.b', 'std.criteria.c']);
});

test('of missing notifications the event leads, whatever limits it', () => {
  const fewer = (id: string): Step => [
    'see',
    [`std.${id}`, 'number of notifications is 0', 'number of notifications is 1'],
  ];
  const criterion = Object.fromEntries(['a', 'b', 'c'].map((id) => [id, [fewer('criteria.attribute')]]));
  assert.deepEqual(names(causes({ ...criterion, d: [fewer('notification.event.update')] })), [
    'std.notification.event.update std.criteria.attribute',
  ]);
});

test('none is too few in a family about one subject', () => {
  const families = (family: string): Record<string, Step[]> => ({
    a: [['see', [`${family}.a`, 'number of notifications is 0', 'number of notifications is 1']]],
    b: [['see', [`${family}.b`, 'no such notification came', 'body of the notification is a text']]],
  });
  assert.deepEqual(names(causes(families('std.batch.x'))), ['std.batch.x.a std.batch.x.b']);
  assert.deepEqual(names(causes(families('std.batch'))), ['std.batch.a', 'std.batch.b']);
});

test('more than five requirements violated by one exchange are one cause', () => {
  const six = ['a', 'b', 'c', 'd', 'e', 'f'];
  const all = Object.fromEntries(
    Array.from({ length: 6 }, (_, at): [string, Step[]] => [`s${at}`, [['GET /x', ...six.map(absent)]]]),
  );
  assert.deepEqual(names(causes(all)), [six.map((one) => `std.${one}`).join(' ')]);
});

test('if no requirement of a family is satisfied the feature is missing', () => {
  const three: Record<string, Step[]> = {
    a: [['POST /x', ['std.pch.a', 'RSC 5000', 'RSC 2001']]],
    b: [['GET /y', ['std.pch.b', 'RSC 4004', 'RSC 2000']]],
    c: [['DELETE /z', ['std.pch.c', 'RSC 4005', 'RSC 2002']]],
  };
  assert.deepEqual(names(causes(three)), ['std.pch.a std.pch.b std.pch.c']);
  assert.equal(causes(three, [{ id: 'std.pch.d', verdict: 'satisfied' }]).length, 3);
});

test('a request refused everywhere is one cause, and the one that should succeed leads', () => {
  const post = (code: string, ...failed: readonly Failed[]): Step[] => [[`POST /x m2m:sub ${code}`, ...failed]];
  const other = (id: string): Failed => [id, 'RSC 5000', 'RSC 4101'];
  const steps = {
    a: post('5000', other('std.verification.refused')),
    b: post('5000', other('std.verification.refused')),
    c: post('5000', ['std.subscription.create', 'RSC 5000', 'RSC 2001']),
    d: post('4000', ['std.base-child.create', 'RSC 4000', 'RSC 2001']),
  };
  const ended = (count: number, code: string) =>
    Array.from({ length: count }, (_, at) => blocked(`e${at}`, `POST /x m2m:sub ${code}`));
  const told = (some: readonly ScenarioResult[]) => names(causes(steps, [], some));
  const apart = ['std.verification.refused', 'std.subscription.create', 'std.base-child.create'];
  assert.deepEqual(told(ended(5, '5000')), apart);
  assert.deepEqual(told(ended(6, '4105')), apart);
  assert.deepEqual(told(ended(6, '5000')), [
    'std.subscription.create std.verification.refused',
    'std.base-child.create',
  ]);
});

test('a refused operation leads, even if it is optional', () => {
  const refused = (id: string, permitted: string): Step[] => [['POST /x m2m:acp 4005', [id, 'RSC 4005', permitted]]];
  const found = causes({
    a: refused('std.policy.several-rules', 'RSC 2001'),
    b: refused('std.policy.create', 'RSC 2001 or 5001'),
  });
  assert.deepEqual(names(found), ['std.policy.create std.policy.several-rules']);
});

test('a failed check leads before a failed rule', () => {
  const byRule: Failed = ['std.b', 'attribute con is "x"', 'attribute con is "y"', { byRule: true }];
  const byCheck: Failed = ['std.a', 'attribute con is "x"', 'attribute con is "y"'];
  const found = causes({ a: [['GET /x', byRule]], b: [['GET /x', byRule]], c: [['GET /x', byCheck]] });
  assert.deepEqual(names(found), ['std.a std.b']);
});

test('each violated requirement is in one cause, separated by verdict and baseline', () => {
  const found = causes({ a: [['GET /x', absent('a'), absent('b'), absent('c'), absent('d')]] }, [
    { id: 'std.b', verdict: 'intermittent' },
    { id: 'std.c', known: true },
    { id: 'std.d', verdict: 'advisory' },
  ]);
  assert.deepEqual(
    found.map(({ requirement, verdict, known }) => [requirement, verdict, known]),
    [
      ['std.a', 'violated', undefined],
      ['std.c', 'violated', true],
      ['std.b', 'intermittent', undefined],
      ['std.d', 'advisory', undefined],
    ],
  );
  for (const one of found) assert.deepEqual(Cause.parse(one), one);
});

test('a failure by structured address leads before other address forms', () => {
  const failed = (id: string): Failed => [id, 'status 403, RSC 4103', 'status 200'];
  const found = causes({
    a: [['GET /b/app/box/latest', failed('latest.status')]],
    b: [['GET /b/app/box/latest', failed('latest.status')]],
    c: [['GET /~/id/b/app/box/one', failed('sp-relative.retrieve.status')]],
    d: [['GET /b/app/box/one', failed('content-instance.retrieve.status')]],
  });
  assert.deepEqual(names(found), ['content-instance.retrieve.status latest.status sp-relative.retrieve.status']);
});

test('wrong results of a time filter follow from truncated timestamps', () => {
  const cut: Failed = ['wire.timestamp-shape', 'attribute ct is "20261128T145952"', 'attribute ct is a timestamp'];
  const found: Failed = ['discovery.created-after.leaves-out-earlier', 'discovery result is ["a"]', 'no such element'];
  const both: Step[] = [
    ['POST /x m2m:cnt 2001', cut],
    ['GET /x?fu=1 m2m:uril 2000', found],
  ];
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`s${at}`, both.slice(0, 1)]));
  assert.deepEqual(names(causes({ a: both, ...many }, [], [], 'documented')), [
    'wire.timestamp-shape discovery.created-after.leaves-out-earlier',
  ]);
});

test('the originator criterion is separate from the other criteria', () => {
  const more = (id: string, count: number): Failed => [
    `std.criteria.${id}`,
    `number of notifications is ${count + 1}`,
    `number of notifications is ${count}`,
  ];
  const ids = ['created', 'state-tag-bigger', 'operation-monitor'];
  const all = ids.map((id, at): [string, Step[]] => [id, [['see /x', more(id, at)]]]);
  assert.deepEqual(names(causes(Object.fromEntries(all))), [
    'std.criteria.created std.criteria.state-tag-bigger',
    'std.criteria.operation-monitor',
  ]);
});

test('the refusal of one member instead of an aggregated response is one cause, whatever the code', () => {
  const held = 'body has fields of which m2m:agr has fields of which m2m:rsp';
  const refused = (id: string, says: string, code = ''): Failed => [
    id,
    `${code}body is {"m2m:dbg":"no"}`,
    `${code.replace('4004', '2000')}${held} ${says}`,
  ];
  const found = causes({
    a: [['GET /g/fopt m2m:dbg 4004', refused('std.fan-out.partly', 'has the length 2', 'RSC 4004; ')]],
    b: [['GET /g/fopt m2m:dbg 4103', refused('std.fan-out.rights.member', 'contains an element of some kind')]],
    c: [['GET /g/fopt m2m:dbg 4004', refused('std.fan-out.member-named', 'has only elements of some kind')]],
  });
  assert.deepEqual(names(found), ['std.fan-out.partly std.fan-out.rights.member', 'std.fan-out.member-named']);
});
