/** What the interface specification shows, and what it does not: there nobody is certain of the answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnswerSpec, ae, container, exchange, instance, judge, post } from './testing/judge.ts';

type Headers = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

const refused = (headers: Headers = {}): AnswerSpec => ({ status: 400, headers });
const bin = (more: Fields = {}) => ({ 'm2m:cnt': { rn: 'bin', ...more } });
const app = (more: Fields = {}) => ({ 'm2m:ae': { rn: 'other', api: 'a', rr: true, ...more } });
const cin = (more: Fields = {}) => ({ 'm2m:cin': { ...post['m2m:cin'], ...more } });
const discovery = (query: string) => `GET /~/mn-cse-1/onem2m?${query}`;

/** What is refused as it is shown, each with its requirement. */
const shown: ReadonlyArray<readonly [requirement: string, request: string, sent?: unknown, headers?: Headers]> = [
  ['container.create.status', 'POST /onem2m/app', bin()],
  ['container.create.status', 'POST /onem2m/app', bin({ lbl: ['a', 'B_2-c'] })],
  ['container.create.status', 'POST /onem2m/app', bin(), { Accept: 'application/json' }],
  ['container.create.status', 'POST /onem2m/app', bin(), { Accept: '*/*', Host: 'h', 'User-Agent': 'u' }],
  ['container.create.status', 'POST /onem2m/app', bin(), { Connection: 'close', 'Content-Length': '9' }],
  ['ae.create.status', 'POST /onem2m', app()],
  ['ae.create.status', 'POST /onem2m', app({ rr: 'TRUE', api: 'a.b-c_1', lbl: ['x'] })],
  ['content-instance.create.status', 'POST /onem2m/app/box', cin()],
  ['content-instance.create.status', 'POST /onem2m/app/box', cin({ lbl: ['x'] })],
  [
    'content-instance.create.status',
    'POST /onem2m/app/box',
    { 'm2m:cin': { con: 'a'.repeat(4096), cnf: 'application/json:1' } },
  ],
  ['content-instance.create.trailing-slash', 'POST /onem2m/app/box/', cin()],
  ['sp-relative.create.status', 'POST /~/mn-cse-1/onem2m/app/box', cin()],
  ['container.retrieve.status', 'GET /onem2m/app/box'],
  ['sp-relative.retrieve.status', 'GET /~/mn-cse-1/onem2m/app'],
  ['ae.delete.status', 'DELETE /onem2m/app'],
  ['discovery.empty.status', discovery('fu=1&lbl=a')],
];

for (const [requirement, request, sent, headers] of shown)
  test(`${request} ${JSON.stringify(sent)?.slice(0, 80)} is documented: a refusal breaks ${requirement}`, () => {
    assert.deepEqual(judge().broken(request, sent, refused(headers)), [requirement]);
  });

const json = 'application/vnd.onem2m-res+json';
const open: ReadonlyArray<readonly [why: string, request: string, sent?: unknown, headers?: Headers]> = [
  ['another header is sent', 'POST /onem2m/app', bin(), { 'X-M2M-RI': 'r' }],
  ['another type is asked for', 'POST /onem2m/app', bin(), { Accept: 'text/plain' }],
  ['the body comes in pieces', 'POST /onem2m/app', bin(), { 'Transfer-Encoding': 'chunked' }],
  ['another type is sent', 'POST /onem2m/app', bin(), { 'Content-Type': 'application/json' }],
  ['the name is reserved', 'POST /onem2m/app', bin({ rn: 'latest' })],
  ['the name begins with a digit', 'POST /onem2m/app', bin({ rn: '1a' })],
  ['the name is long', 'POST /onem2m/app', bin({ rn: 'a'.repeat(65) })],
  ['the name is a number', 'POST /onem2m/app', bin({ rn: 7 })],
  ['an existing name is refused', 'POST /onem2m/app', bin({ rn: 'box' })],
  ['the name is taken below the CSE base', 'POST /onem2m', app({ rn: 'app' })],
  ['there is no name', 'POST /onem2m/app', { 'm2m:cnt': {} }],
  ['there are no labels', 'POST /onem2m/app', bin({ lbl: [] })],
  ['a label has a space', 'POST /onem2m/app', bin({ lbl: ['a', 'a b'] })],
  ['another attribute is given', 'POST /onem2m/app', bin({ or: 'x' })],
  ['there is a query', 'POST /onem2m/app?rcn=1', bin()],
  ['an identifier is addressed', 'POST /ae0', bin()],
  ['an absolute path is addressed', 'GET /_/openmtc.org/mn-cse-1/onem2m/app'],
  ['a virtual resource is to hold it', 'POST /onem2m/app/latest', bin()],
  ['a container is to hold a container', 'POST /onem2m/app/box', bin()],
  ['the CSE base is to hold a container', 'POST /onem2m', bin()],
  ['an application entity is to hold content', 'POST /onem2m/app', cin()],
  ['an application entity is to hold another', 'POST /onem2m/app', app()],
  ['whoever is registered registers', 'POST /onem2m', app(), { 'X-M2M-Origin': 'C1' }],
  ['reachability is another text', 'POST /onem2m', app({ rr: 'FALSE' })],
  ['api has other letters', 'POST /onem2m', app({ api: 'a/b' })],
  ['an application entity has no name', 'POST /onem2m', { 'm2m:ae': { api: 'a', rr: true } }],
  ['nobody says whether it is reachable', 'POST /onem2m', { 'm2m:ae': { rn: 'other', api: 'a' } }],
  ['there is no content', 'POST /onem2m/app/box', { 'm2m:cin': { cnf: 'text/plain:0' } }],
  ['there is no api', 'POST /onem2m', { 'm2m:ae': { rn: 'other', rr: true } }],
  ['content is empty', 'POST /onem2m/app/box', cin({ con: '' })],
  ['content is long', 'POST /onem2m/app/box', cin({ con: 'a'.repeat(4097) })],
  ['content is a number', 'POST /onem2m/app/box', cin({ con: 7 })],
  ['content is of another type', 'POST /onem2m/app/box', cin({ cnf: 'text/plain:1' })],
  ['content has no type', 'POST /onem2m/app/box', { 'm2m:cin': { con: 'a' } }],
  ['a read has a type', 'GET /onem2m/app/box', undefined, { 'Content-Type': json }],
  ['a read has a body', 'GET /onem2m/app/box', bin()],
  ['a read ends in a slash', 'GET /onem2m/app/box/'],
  ['a removal has a query', 'DELETE /onem2m/app?rcn=1'],
  ['an update', 'PUT /onem2m/app', { 'm2m:ae': { lbl: ['x'] } }],
  ['a discovery below the CSE base', 'GET /~/mn-cse-1/onem2m/app?fu=1&lbl=a'],
  ['another use of a filter', discovery('fu=2&lbl=a')],
  ['two labels are asked for', discovery('fu=1&lbl=a&lbl=b')],
  ['a discovery without labels', discovery('fu=1')],
  ['another criterion', discovery('fu=1&lbl=a&ty=3')],
];

for (const [why, request, sent, headers] of open)
  test(`an undocumented request may be refused: ${why}`, () => {
    assert.deepEqual(judge().broken(request, sent, refused(headers)), []);
  });

test('with other headers, or over another binding, any response is allowed', () => {
  const { one } = judge();
  const told = exchange('GET /onem2m/app', undefined, { status: 400 });
  assert.deepEqual(one.judge({ ...told, over: 'TLS 1.2' }), []);
  assert.deepEqual(one.judge(told, { isOrdinary: false }), []);
  assert.equal(one.judge(told)[0]?.requirement, 'ae.retrieve.status');
});

test('a container with limits may refuse what exceeds them', () => {
  const { broken } = judge();
  const limited = { ...container, ri: 'cnt1', rn: 'small', mni: 1 };
  broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'small', mni: 1 } }, { status: 201, body: { 'm2m:cnt': limited } });
  assert.deepEqual(broken('POST /onem2m/app/small', cin(), refused()), []);
});

/** Five seconds, and the time that the answer took, may lie between the head of an answer and the times in it. */
const dated: ReadonlyArray<readonly [seconds: string, broken: readonly string[]]> = [
  ['09:59:54', ['container.ct', 'container.lt']],
  ['09:59:55', []],
  ['10:00:05', []],
  ['10:00:06', ['container.ct', 'container.lt']],
];
for (const [time, expected] of dated)
  test(`a resource created at ten is returned at ${time}`, () => {
    const created = (judging: ReturnType<typeof judge>) => {
      const made = exchange('POST /onem2m/app', bin(), {
        status: 201,
        body: { 'm2m:cnt': { ...container, rn: 'bin', ri: 'cnt1' } },
      });
      const answer = {
        status: 201,
        body: '',
        ...made.answer,
        headers: [['Date', `Sun, 22 Nov 2026 ${time} GMT`]] as const,
      };
      return judging.one.judge({ ...made, answer }).map(({ requirement }) => requirement);
    };
    assert.deepEqual(created(judge()), expected);
    const later = judge();
    later.one.passTime(1);
    assert.deepEqual(created(later), []);
  });

/** Answers that succeed, each with what is wrong with it. */
const answered: ReadonlyArray<readonly [requirement: string, request: string, sent: unknown, told: AnswerSpec]> = [
  [
    'common.lt.not-before-ct',
    'GET /onem2m/app/box',
    undefined,
    { status: 200, body: { 'm2m:cnt': { ...container, lt: '2026-11-22T09:00:00.000001+00:00' } } },
  ],
  [
    'container.cr.nobody',
    'GET /onem2m/app/box',
    undefined,
    { status: 200, body: { 'm2m:cnt': { ...container, cr: 'C1' } } },
  ],
  [
    'content-instance.rn.given',
    'POST /onem2m/app/box',
    post,
    { status: 201, body: { 'm2m:cin': { ...instance, rn: 'two', ri: 'cin1' } } },
  ],
  [
    'content-instance.rn.assigned-shape',
    'POST /onem2m/app/box',
    { 'm2m:cin': { con: 'a', cnf: 'text/plain:0' } },
    { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin1', con: 'a', cs: 1 } } },
  ],
  ['ae.aei.distinct', 'POST /onem2m', app(), { status: 201, body: { 'm2m:ae': { ...ae, rn: 'other', ri: 'ae1' } } }],
  ['common.ri.distinct', 'POST /onem2m', app(), { status: 201, body: { 'm2m:ae': { ...ae, rn: 'other', aei: 'C1' } } }],
  [
    'sp-relative.retrieve.representation',
    'GET /~/mn-cse-1/onem2m/app',
    undefined,
    { status: 200, body: { 'm2m:cnt': container } },
  ],
];
for (const [requirement, request, sent, told] of answered)
  test(`${request} has a response that breaks ${requirement}`, () => {
    const found = judge().broken(request, sent, told);
    assert.ok(found.includes(requirement), found.join(' '));
  });

test('a registered originator is served under its own name, and no other originator is', () => {
  const named = (originator: string) => {
    const { broken } = judge();
    const headers = { 'X-M2M-Origin': originator };
    const made = { ...ae, rn: 'other', ri: 'ae1', aei: 'C1' };
    broken('POST /onem2m', app(), { status: 201, body: { 'm2m:ae': made }, headers: { 'X-M2M-Origin': 'C1' } });
    return broken('POST /onem2m/other', bin(), refused(headers));
  };
  assert.deepEqual(named('C1'), ['container.create.status']);
  assert.deepEqual(named('C2'), []);
});

test('what an update may have removed is uncertain in the documented dialect', () => {
  const { broken } = judge();
  broken('POST /onem2m/app/box', post, { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0' } } });
  broken('PUT /onem2m/app/box', { 'm2m:cnt': { lbl: ['x'] } }, { status: 200 });
  assert.deepEqual(broken('GET /onem2m/app/box/one', undefined, { status: 404 }), []);
});
