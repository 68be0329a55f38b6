import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { timesFor } from '../../.ci/sample.ts';
import type { RawRequest, RequestMessage, Target } from '../engine/messages/target.ts';
import { guarded } from './guard.ts';
import { Holdings } from './holdings.ts';
import { provingBy } from './proof.ts';
import { LedgerRecorder } from './recorder.ts';
import { Rules, type RulesOptions } from './rules.ts';
import { description, foreign, LenientServer, label } from './testing/lenient-server.ts';

interface Scene {
  readonly server: LenientServer;
  readonly target: Target;
  readonly holdings: Holdings;
}

function scene(choice: Partial<RulesOptions> = {}): Scene {
  const holdings = new Holdings('abc1234', { gateway: description, backend: { ...description, cseId: 'in-cse-1' } });
  const rules = new Rules({ holdings, ...choice });
  const recorder = new LedgerRecorder({ holdings, rules });
  const speech = { dialect: 'documented', release: '3', requestIdentifier: () => 'r1' } as const;
  const proves = provingBy({ holdings, rules, recorder, speech });
  const server = new LenientServer();
  return { server, holdings, target: guarded(server, 'gateway', { rules, recorder, proves }) };
}

function message(
  method: string,
  path: string,
  body?: unknown,
  headers: RequestMessage['headers'] = [],
): RequestMessage {
  return { method, path, headers, ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }) };
}

async function create({ server, target }: Scene, parent: string, attributes: object, ri: string, root = 'm2m:cnt') {
  const pi = parent === '/onem2m' || parent === '/' ? 'cb1' : 'o1';
  const representation = { [root]: { ri, pi, ...attributes } };
  server.answerNext(201, representation);
  server.representations.set(ri, representation);
  await target.send(message('POST', parent, { [root]: attributes }));
}

/** A container, a group with it, and two groups with something of others. */
async function furnished(): Promise<Scene> {
  const made = scene();
  const below = `/onem2m/${label}`;
  await create(made, '/onem2m', { rn: label }, 'o1', 'm2m:ae');
  await create(made, below, { rn: 'group', mid: [`onem2m/${label}`, 'o1'] }, 'g1', 'm2m:grp');
  await create(made, below, { rn: 'loose', mid: ['o1', 'onem2m/foreign'] }, 'g2', 'm2m:grp');
  await create(made, below, { rn: 'nested', mid: ['g2/fopt'] }, 'g3', 'm2m:grp');
  return made;
}

const bytes = (text: string): RawRequest => ({ bytes: Buffer.from(text) });

test('what the run created may be changed by every address', async () => {
  const { target, server } = await furnished();
  const forms = [
    `/onem2m/${label}`,
    `/onem2m/${label}/`,
    `/-/${label}`,
    `/~/mn-cse-1/onem2m/${label}`,
    `/_/openmtc.org/mn-cse-1/onem2m/${label}`,
    `/onem2m/${label.replace('c', '%63')}`,
    '/o1',
    '/~/mn-cse-1/o1',
    '/_/openmtc.org/mn-cse-1/o1/anything/la',
    `/onem2m/${label}/group/fopt`,
    '/g1/fopt',
    `/onem2m/${label}/nothing/here?rcn=1`,
  ];
  for (const path of forms) {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'BREW', 'POST']) {
      assert.equal(await target.objection(message(method, path)), undefined, `${method} ${path}`);
    }
  }
  assert.equal(await target.objection(bytes(`DELETE /api/onem2m/${label} HTTP/1.1\r\n\r\n`)), undefined);
  assert.deepEqual(server.harm, []);
});

test('what the run has not created may only be read', async () => {
  const { target } = await furnished();
  for (const key of [...foreign, `onem2m/${label}/loose/fopt`, 'g2/fopt', `onem2m/${label}/nested/fopt/x`]) {
    for (const path of [`/${key}`, `/~/mn-cse-1/${key}`, `/_/openmtc.org/mn-cse-1/${key}/`]) {
      assert.equal(await target.objection(message('GET', path)), undefined, path);
      for (const method of ['PUT', 'DELETE', 'PATCH', 'delete', 'BREW']) {
        assert.match(
          (await target.objection(message(method, path))) ?? '',
          /^not sent: it would change /,
          `${method} ${path}`,
        );
      }
    }
  }
});

test('creating is allowed below the CSE base, and below what the run created', async () => {
  const { target } = await furnished();
  for (const path of ['/', '/onem2m', '/onem2m/', '/~/mn-cse-1/onem2m', '/-', `/onem2m/${label}`, '/o1']) {
    assert.equal(await target.objection(message('POST', path, {})), undefined, path);
  }
  for (const path of [
    '/onem2m/foreign',
    '/f1',
    '/~/other-cse/base',
    '/onem2m/la',
    `/onem2m/${label}/loose/fopt`,
    `/_/x/mn-cse-1/onem2m/${label}/loose/fopt`,
  ]) {
    assert.match(
      (await target.objection(message('POST', path, {}))) ?? '',
      /^not sent: it would create something below /,
      path,
    );
  }
});

test('a request with another operation, path or request in it is not sent to what the run has not created', async () => {
  const { target } = await furnished();
  const own = `/onem2m/${label}`;
  for (const [at, query] of ['GET /onem2m/foreign', 'POST /onem2m'].flatMap((one) =>
    ['op=4', 'rt=1&op=3', '%6Fp=4', 'X-HTTP-Method-Override=DELETE', '$httpMethod=DELETE'].map((other) => [one, other]),
  )) {
    const [method = '', path = ''] = at?.split(' ') ?? [];
    assert.match((await target.objection(message(method, `${path}?${query}`))) ?? '', /would change/, `${at} ${query}`);
    const raw = `${method} /api${path}?${query} HTTP/1.1\r\n\r\n`;
    assert.match((await target.objection(bytes(raw))) ?? '', /would change/, raw);
  }
  for (const name of ['X-Original-URL', 'x-rewrite-url', 'X-Original-URI']) {
    const removal = message('DELETE', own, undefined, [[name, '/onem2m/foreign']]);
    assert.match((await target.objection(removal)) ?? '', /would change \/onem2m\/foreign/, name);
    const raw = `DELETE /api${own} HTTP/1.1\r\n${name}: /onem2m/foreign\r\n\r\n`;
    assert.match((await target.objection(bytes(raw))) ?? '', /would change \/onem2m\/foreign/, name);
  }
  for (const op of [3, 4, '4', 5, undefined]) {
    const primitive = { op, to: 'onem2m/foreign', fr: 'CAdmin' };
    for (const body of [primitive, { 'm2m:rqp': primitive }])
      assert.match((await target.objection(message('POST', '/onem2m', body))) ?? '', /would change/, String(op));
  }
  const whole = `POST /api${own} HTTP/1.1\r\n\r\n{"m2m:rqp":{"op":4,"to":"onem2m/foreign"}}`;
  assert.match((await target.objection(bytes(whole))) ?? '', /could be a request/);
  const mine = { 'm2m:rqp': { op: 4, to: `onem2m/${label}` } };
  assert.equal(await target.objection(message('POST', own, mine)), undefined);
  assert.equal(await target.objection(message('GET', '/onem2m/foreign?lbl=op&opx=4')), undefined);
});

test('a change is not sent to another host, nor by a path that some server folds to what is above', async () => {
  const { target } = await furnished();
  const own = `/onem2m/${label}`;
  const at = (host: string) => message('DELETE', own, undefined, [['Host', host]]);
  const raw = (host: string) => bytes(`DELETE /api${own} HTTP/1.1\r\nhost:${host}\r\n\r\n`);
  for (const host of ['cse.example:8080', 'CSE.example', ''])
    for (const one of [at(host), raw(host)]) assert.equal(await target.objection(one), undefined, host);
  for (const one of [at('other.example'), raw('other.example:8080')])
    assert.match((await target.objection(one)) ?? '', /at the host other\.example/);
  assert.equal(await target.objection(bytes(`GET /api${own} HTTP/1.1\r\nHost: other\r\n\r\n`)), undefined);
  for (const up of ['%u002e%u002e', '%EF%BC%8E%ef%bc%8e', '%E2%80%A5%EF%BC%8F', '‥'])
    assert.match((await target.objection(message('DELETE', `${own}/${up}/foreign`))) ?? '', /nobody can say/, up);
  assert.equal(await target.objection(message('DELETE', `${own}/%EF%BC%A1…`)), undefined);
});

test('the reason names what would be changed', async () => {
  const { target } = scene();
  assert.equal(
    await target.objection(message('DELETE', '/onem2m?x=1')),
    'not sent: it would change /onem2m, which this run has not created',
  );
});

test('an identifier belongs to the run no more once its resource is gone', async () => {
  const made = await furnished();
  const { target, server } = made;
  server.answerNext(200);
  await target.send(message('DELETE', '/~/mn-cse-1/o1'));
  assert.match((await target.objection(message('DELETE', '/o1'))) ?? '', /not created/);
  assert.match((await target.objection(message('DELETE', '/g1'))) ?? '', /not created/);
  assert.equal(await target.objection(message('DELETE', `/onem2m/${label}`)), undefined);
  assert.deepEqual(made.holdings.left(), []);
});

test('what is created below the CSE base has to bear the label of the run, in its name or in what stands in it', async () => {
  const made = scene();
  for (const path of ['/', '/onem2m', '/~/mn-cse-1']) {
    const plain = message('POST', path, { 'm2m:cnt': { rn: 'plain' } });
    assert.match((await made.target.objection(plain)) ?? '', /it would create plain below the CSE base/, path);
  }
  const byHeader = message('POST', '/onem2m', { 'm2m:cnt': {} }, [['X-M2M-NM', 'plain']]);
  assert.match((await made.target.objection(byHeader)) ?? '', /it would create plain/);
  await create(made, '/', { rn: 'plain', lbl: [label] }, 'p1');
  assert.match((await made.target.objection(message('DELETE', '/onem2m/plain/la'))) ?? '', /not created/);
  assert.equal(await made.target.objection(message('DELETE', '/p1')), undefined);
});

test('an answer that names something of others gives nobody a right to it', async () => {
  const others = { 'm2m:cnt': { ri: 'f1', rn: 'foreign', pi: 'cb1' } };
  const base = { 'm2m:cb': { ri: 'cb1', rn: 'onem2m', ty: 5, ch: [{ nm: label, typ: 2 }] } };
  const lies = [{ ri: 'f1' }, { ri: 'f1', rn: 'foreign' }, { rn: 'foreign' }, { ri: 'cb1' }, { ri: 'f1', rn: label }];
  const asked = [{ 'm2m:ae': { rn: label } }, { 'm2m:cnt': {} }, { 'm2m:cnt': { rn: label } }];
  const paths = ['/f1', '/~/mn-cse-1/f1', '/onem2m/foreign', '/onem2m/foreign/la', '/cb1', '/~/mn-cse-1/cb1'];
  for (const [lie, body] of lies.flatMap((one) => asked.map((other) => [one, other] as const))) {
    const { server, target } = scene();
    server.representations.set('f1', others).set('foreign', others).set('cb1', base).set('onem2m', base);
    server.answerNext(201, { 'm2m:cnt': lie });
    await target.send(message('POST', '/onem2m', body));
    server.answerNext(409, others);
    await target.send(message('POST', '/onem2m', { 'm2m:cnt': { rn: `${label}-b` } }));
    for (const [method, path] of ['DELETE', 'PUT', 'POST'].flatMap((one) => paths.map((path) => [one, path] as const)))
      assert.match((await target.objection(message(method, path))) ?? '', /not created/, `${method} ${path}`);
    assert.deepEqual(server.harm, []);
  }
});

test('what was there before the run belongs to it by no answer, not even by one that reads so', async () => {
  const made = scene();
  made.holdings.setForeign(['mn-cse-1/f1']);
  await create(made, '/onem2m', { rn: label }, 'f1');
  assert.match((await made.target.objection(message('DELETE', '/f1'))) ?? '', /not created/);
});

test('what the target makes for the run belongs to it, but not what the run itself calls its announcement', async () => {
  const { target, server } = await furnished();
  server.answerNext(202, { 'm2m:uri': '/mn-cse-1/req7' });
  await target.send(message('GET', `/onem2m/${label}?rt=1`));
  assert.match((await target.objection(message('DELETE', '/req7'))) ?? '', /not created/);
  server.answerNext(202, { 'm2m:uri': '/mn-cse-1/req8' });
  await target.send(message('GET', `/onem2m/${label}?rt=1`));
  server.representations.set('req8', { 'm2m:req': { ri: 'req8', rid: `${label}-r1` } });
  assert.equal(await target.objection(message('DELETE', '/req8')), undefined);
  server.answerNext(200, { 'm2m:cnt': { at: ['/in-cse-1/ann1', '/mn-cse-1/f1'] } });
  await target.send(message('PUT', `/onem2m/${label}`, { 'm2m:cnt': { at: ['/mn-cse-1/f1', '/in-cse-1'] } }));
  server.representations.set('ann1', { 'm2m:cntA': { ri: 'ann1', lnk: `/mn-cse-1/onem2m/${label}` } });
  assert.equal(await target.objection(message('DELETE', '/~/in-cse-1/ann1')), undefined);
  assert.match((await target.objection(message('DELETE', '/f1'))) ?? '', /not created/);
});

test('a group that gets a member of others, or one that cannot be read, is read only from then on', async () => {
  for (const body of [
    '{"m2m:grp":{"mid":["onem2m/foreign"]}}',
    '{"m2m:grp":{"mid":["o1"],"mid":["onem2m/foreign"]}}',
    '{"m2m:grp":{"mid":["onem2m/foreign"],}}',
    '{"m2m:grp":{"\\u006did":["onem2m/foreign"]}}',
  ]) {
    const { target } = await furnished();
    assert.equal(await target.objection(message('PUT', '/g1/fopt')), undefined);
    await target.send({ method: 'PUT', path: `/onem2m/${label}/group`, headers: [], body: Buffer.from(body) });
    assert.match((await target.objection(message('PUT', '/g1/fopt'))) ?? '', /not created/, body);
    assert.equal(await target.objection(message('GET', '/g1/fopt')), undefined);
  }
});

test('a group with members of others is read only by whatever name a server gives it', async () => {
  const group = (inner: string) => `{"m2m:grp":{${inner},"mid":["onem2m/foreign"]}}`;
  const creations: ReadonlyArray<readonly [body: string, headers?: RequestMessage['headers']]> = [
    ['<m2m:grp rn="odd"><mid>onem2m/foreign</mid></m2m:grp>'],
    [group('"rn":"odd","rn":"even"')],
    [group('"rn":"even"'), [['X-M2M-NM', 'odd']]],
    [`{"m2m:grp":{"rn":"odd","mid":["onem2m/foreign"]},"m2m:cnt":{}}`],
  ];
  for (const [text, headers = []] of creations) {
    const { target } = await furnished();
    const path = `/onem2m/${label}/odd/fopt`;
    assert.equal(await target.objection(message('PUT', path)), undefined);
    await target.send({ method: 'POST', path: `/onem2m/${label}`, headers, body: Buffer.from(text) });
    assert.match((await target.objection(message('PUT', path))) ?? '', /not created/, text);
  }
  const { target } = await furnished();
  const raw = `PUT /api/g1 HTTP/1.1\r\n\r\n{"m2m:grp":{"mid":["onem2m/foreign"]}}`;
  assert.match((await target.objection(bytes(raw))) ?? '', /which members these bytes give to a group/);
});

test('the members of a group are those of its CSE, though another has something of the run by the same identifier', async () => {
  const made = await furnished();
  const at = `/~/in-cse-1/onem2m/${label}`;
  await create(made, at, { rn: 'own', mid: [`/mn-cse-1/onem2m/${label}`, `onem2m/${label}`] }, 'g7', 'm2m:grp');
  assert.equal(await made.target.objection(message('PUT', `${at}/own/fopt`)), undefined);
  await create(made, at, { rn: 'odd', mid: ['o1'] }, 'g8', 'm2m:grp');
  assert.match((await made.target.objection(message('PUT', `${at}/odd/fopt`))) ?? '', /not created/);
});

test('bytes pass when nothing that changes can be meant by them', async () => {
  const { target } = await furnished();
  for (const text of [
    'HELLO\r\n\r\n',
    '\x16\x03\x01\x00\xa5\x01',
    `{"m2m:cin":{}}\r\n\r\nGET /api/onem2m/${label} HTTP/1.1\r\n\r\n`,
    `GET /api/onem2m/${label} HTTP/9.9\r\n\r\n`,
    `GET /x HTTP/1.1\r\n\r\nGET /y HTTP/1.1\r\n\r\n`,
    'GET /x HTTP/1.1\r\nBad Header: x\r\n\r\n',
    `POST /api/onem2m/${label} HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nhello`,
  ]) {
    assert.equal(await target.objection(bytes(text)), undefined, text);
  }
  for (const text of [
    'DELETE\r\n\r\n',
    '{"m2m:cin":{}}\r\n\r\nDELETE /onem2m HTTP/1.1\r\n\r\n',
    'x\r\n\r\nBREW /onem2m HTTP/1.1\r\n\r\n',
    ' delete /onem2m HTTP/1.1\r\n\r\n',
    'DELETE /onem2m\r\n\r\n',
    'DELETE\t/api/onem2m HTTP/1.1\r\n\r\n',
    'GET /x HTTP/1.1\r\n\r\nDELETE /onem2m HTTP/1.1\r\n\r\n',
    `POST /api/onem2m/${label} HTTP/1.1\r\nContent-Length: 2\r\n\r\nxxDELETE /onem2m HTTP/1.1\r\n\r\n`,
    'POST /api/onem2m HTTP/1.1\r\n\r\n{}',
    'GET / HTTP/1.1\r\n\r\nBREW http://cse.example/\n',
    'GET / HTTP/1.1\r\n\r\nBREW http%3A//cse.example/\n',
    'GET / HTTP/1.1\r\n\r\nBREW h%74tp://cse.example/\n',
    ...['http:#//host/', 'http:?x', 'http:', '#/onem2m', '?/onem2m', ';/onem2m'].map(
      (target) => `GET / HTTP/1.1\r\n\r\nBREW ${target}\r\n`,
    ),
    ...['/g1?/../', '/g1?x=%2F%2e.', '/g1?x/..#', '/g1?x=\\..\\'].map((target) => `BREW ${target} HTTP/1.1\r\n\r\n`),
    `DELETE /onem2m /onem2m/${label} HTTP/1.1\r\n\r\n`,
    'GET /onem2m/foreign HTTP/1.1\r\nX-HTTP-Method-Override: DELETE\r\n\r\n',
  ]) {
    assert.match((await target.objection(bytes(text))) ?? '', /^not sent: /, text);
  }
});

test('a polling channel of others is not even read, since reading takes what waits there', async () => {
  const { target } = await furnished();
  assert.match(
    (await target.objection(message('GET', '/onem2m/foreign/channel/pcu'))) ?? '',
    /meant for somebody else/,
  );
  assert.equal(await target.objection(message('GET', `/onem2m/${label}/channel/pcu`)), undefined);
});

test('hands off means not even to read', async () => {
  const { target } = scene({ handsOff: ['/onem2m/foreign'] });
  for (const path of [
    '/onem2m/foreign',
    '/-/foreign/data',
    '/~/mn-cse-1/onem2m/foreign?fu=1',
    '/onem2m/%66oreign',
    '/onem2m?rcn=4',
    '/onem2m/../onem2m/foreign',
    '/f1',
    '/onem2m/others/fopt',
  ]) {
    assert.match((await target.objection(message('GET', path))) ?? '', /not to be|not to be read/, path);
  }
  for (const path of ['/onem2m', '/onem2m?fu=1', '/onem2m/other', `/onem2m/${label}/x`]) {
    assert.equal(await target.objection(message('GET', path)), undefined, path);
  }
});

test('a run that only reads sends nothing else', async () => {
  const { target } = scene({ readOnly: true });
  for (const method of ['POST', 'PUT', 'DELETE', 'BREW']) {
    assert.match((await target.objection(message(method, `/onem2m/${label}`))) ?? '', /is to read only/);
  }
  assert.match((await target.objection(message('GET', '/onem2m?rt=2'))) ?? '', /is to read only/);
  assert.equal(await target.objection(message('GET', '/onem2m?rt=3')), undefined);
});

test('what there is an objection to is not sent, even by a caller who did not ask', async () => {
  const { target, server } = scene();
  await assert.rejects(target.send(message('DELETE', '/onem2m')), /not sent: it would change \/onem2m/);
  assert.deepEqual(server.sent, []);
});

const segment = fc.constantFrom(
  'onem2m',
  '-',
  label,
  'foreign',
  'data',
  'la',
  'fopt',
  'loose',
  'nested',
  'group',
  'others',
  'o1',
  'g1',
  'g2',
  'f1',
  'f2',
  'cb1',
  '..',
  '.',
  '',
);
const start = fc.constantFrom(
  '',
  '',
  '/~/mn-cse-1',
  '/_/openmtc.org/mn-cse-1',
  '/_/x/mn-cse-1',
  '//host',
  'http://host',
  '/~',
  '/api',
);
type Twist = (text: string, at: number) => string;
const intruder = fc.constantFrom('?', '#', ';', '\\', '%2e%2e/', '%00', ' ', '%3f', '%23', '\t', '/../', '%5c');
const escapes = fc.constantFrom<Twist>(
  (text) => text,
  (text) => text,
  (text) => `${text}/`,
  (text, at) => text.slice(0, at) + encodeURIComponent(text.slice(at, at + 1)) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + hex(text.slice(at, at + 1)) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + hex(text.slice(at, at + 1)).replace('%', '%25') + text.slice(at + 1),
);
const intrusions = intruder.map(
  (one): Twist =>
    (text, at) =>
      text.slice(0, at) + one + text.slice(at),
);
const twist = fc.oneof({ weight: 6, arbitrary: escapes }, { weight: 2, arbitrary: intrusions });
const path = fc
  .record({
    start,
    parts: fc.array(segment, { maxLength: 5 }),
    twists: fc.array(fc.tuple(twist, fc.nat(40)), { maxLength: 3 }),
  })
  .map(({ start: from, parts, twists }) =>
    twists.reduce((text, [one, at]) => one(text, Math.min(at, text.length)), `${from}/${parts.join('/')}`),
  );
const method = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'delete',
  'BREW',
  'HEAD',
  'DELETE /onem2m HTTP/1.1\r\n\r\nGET',
);
const headers = fc.constantFrom<RequestMessage['headers']>(
  [],
  [],
  [],
  [['X-HTTP-Method-Override', 'DELETE']],
  [['X-A', 'b\r\n\r\nDELETE /onem2m HTTP/1.1']],
  [['Content-Length', '3']],
);
const text = fc.tuple(
  fc.constantFrom('', '\r\n', 'GET / HTTP/1.1\r\n\r\n', 'x', '{}'),
  method,
  path,
  fc.constantFrom(' HTTP/1.1\r\n\r\n', '\r\n', ' HTTP/1.1\r\nX: y\r\n\r\nDELETE /onem2m HTTP/1.1\r\n\r\n'),
);
const request = fc.oneof(
  fc.record({ method, path, headers }),
  fc.record({
    method,
    path,
    headers,
    version: fc.constant('1.1' as const),
    addHost: fc.constant(true),
    addContentLength: fc.constant(true),
    body: fc.constantFrom(Buffer.from('{}'), Buffer.from('DELETE /onem2m HTTP/1.1\r\n\r\n')),
  }),
  text.map(([before, how, where, after]) => bytes(`${before}${how} ${where}${after}`)),
);

function hex(character: string): string {
  return character === '' ? '' : `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

test('no request changes what is of others, in whatever way a server reads it', async () => {
  const numRuns = timesFor(1000, 250);
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 5 }), async (requests) => {
      const { target, server } = await furnished();
      for (const one of requests) {
        if ((await target.objection(one)) !== undefined) continue;
        passed += 1;
        await target.send(one);
      }
      assert.deepEqual(server.harm, []);
    }),
    { numRuns },
  );
  assert(passed > numRuns / 5, `only ${passed} requests passed`);
});

test('what may be done changes with what is created and removed, for one and the same request', async () => {
  const made = await furnished();
  const { target, server } = made;
  const removal = message('DELETE', '/o9');
  assert.match((await target.objection(removal)) ?? '', /this run has not created/);
  await create(made, `/onem2m/${label}`, { rn: 'later' }, 'o9');
  assert.equal(await target.objection(removal), undefined);
  server.answerNext(200, {});
  await target.send(removal);
  assert.match((await target.objection(removal)) ?? '', /this run has not created/);
  await assert.rejects(target.send(removal), /this run has not created/);
  assert.deepEqual(server.harm, []);
});
