import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApplicationRequest, type Behaviour, remove, resultOf, retrieve, update } from './testing/application.ts';

const violatedIn = async (behaviour: Behaviour) => {
  const { requirements } = await resultOf(behaviour);
  return requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
};

/** Another value of a header; undefined: none. */
const header =
  (name: string, value?: string) =>
  (sent: ApplicationRequest): ApplicationRequest => {
    const others = Object.entries(sent.headers).filter(([one]) => one !== name);
    return { ...sent, headers: Object.fromEntries([...others, ...(value === undefined ? [] : [[name, value]])]) };
  };
const path = (changed: string) => (sent: ApplicationRequest) => ({ ...sent, path: changed });
const body = (changed: unknown) => (sent: ApplicationRequest) => ({ ...sent, body: changed });
const json = 'application/json';

/** Applications, each with what it does wrongly, by the duty that names it. */
const broken: Readonly<Record<string, Behaviour>> = {
  'request.method': { more: [{ ...retrieve('/cse-in/app'), method: 'HEAD' }] },
  'request.identifier': { changes: { read: header('X-M2M-RI') } },
  'request.identifier.distinct': { changes: { read: header('X-M2M-RI', 'same'), latest: header('X-M2M-RI', 'same') } },
  'request.originator': { changes: { latest: header('X-M2M-Origin') } },
  'request.originator.stem': { changes: { latest: header('X-M2M-Origin', '/id-in/CmyApp') } },
  'request.originator.assigned': { changes: { container: header('X-M2M-Origin', 'C') } },
  'request.release': { changes: { read: header('X-M2M-RVI') } },
  'request.release.known': { changes: { read: header('X-M2M-RVI', '3.0') } },
  'request.path': { changes: { read: path('/id-in/cse-in/app/box') } },
  'request.query.once': { changes: { discover: path('/cse-in?fu=1&lim=3&lim=4') } },
  'request.query.time': { changes: { discover: path('/cse-in?fu=1&cra=2026-11-22T10:00:00Z') } },
  'content.media-type': { changes: { relabel: header('Content-Type', 'text/json') } },
  'content.length': { changes: { relabel: (sent) => ({ ...sent, isChunked: true }) } },
  'content.json': { changes: { relabel: body('{"m2m:cnt":{"lbl":["a"],}}') } },
  'content.root': { changes: { relabel: body({ lbl: ['a'], mni: 4 }) } },
  'content.prefix': { changes: { relabel: body({ cnt: { lbl: ['a'] } }) } },
  'content.given': { changes: { relabel: ({ body: _, ...sent }) => sent } },
  'content.delete': { more: [{ ...update('/cse-in/app/box/one', { 'm2m:cin': {} }), method: 'DELETE' }] },
  'resource-type.given': { changes: { container: header('Content-Type', json) } },
  'resource-type.others': { changes: { relabel: header('Content-Type', `${json};ty=3`) } },
  'resource-type.agrees': { changes: { container: header('Content-Type', `${json};ty=4`) } },
  name: { changes: { container: body({ 'm2m:cnt': { rn: 'my box' } }) } },
  'criteria.create': { changes: { container: path('/cse-in/app?fu=1') } },
  'criteria.result-type': { changes: { container: path('/cse-in/app?drt=1') } },
  'result-content.create': { changes: { container: path('/cse-in/app?rcn=5') } },
  'result-content.retrieve': { changes: { read: path('/cse-in/app/box?rcn=0') } },
  'result-content.update': { changes: { relabel: path('/cse-in/app/box?rcn=4') } },
  'result-content.delete': { more: [remove('/cse-in/app/box/one?rcn=3')] },
  'create.container.assigned': { changes: { container: body({ 'm2m:cnt': { rn: 'box', cni: 0 } }) } },
  'create.ae.mandatory': { changes: { register: body({ 'm2m:ae': { rn: 'app', api: 'Nx', srv: ['3'] } }) } },
  'create.ae.types': { changes: { register: body({ 'm2m:ae': { api: 'Nx', rr: 'true', srv: ['3'] } }) } },
  'create.container.types': { changes: { container: body({ 'm2m:cnt': { rn: 'box', mni: '3' } }) } },
  'create.content-instance.mandatory': { changes: { instance: body({ 'm2m:cin': { cnf: 'text/plain:0' } }) } },
  'create.subscription.types': { changes: { subscribe: body({ 'm2m:sub': { nu: '/id-in/CmyApp' } }) } },
  'register.app-id': { changes: { register: body({ 'm2m:ae': { api: 'myApp', rr: true, srv: ['3'] } }) } },
  'content-instance.info': { changes: { instance: body({ 'm2m:cin': { con: 'x', cnf: 'text/plain' } }) } },
  'update.container.fixed': { changes: { relabel: body({ 'm2m:cnt': { rn: 'other' } }) } },
  'update.container.types': { changes: { relabel: body({ 'm2m:cnt': { et: '2099-01-01T00:00:00' } }) } },
  'update.content-instance': { more: [update('/cse-in/app/box/one', { 'm2m:cin': { con: 'y' } })] },
  'update.base': { more: [update('/cse-in', { 'm2m:cb': { lbl: ['a'] } })] },
  'delete.base': { more: [remove('/cse-in')] },
  'notified.answered': { answer: () => undefined },
  'notified.identifier': { answer: ({ headers: { 'X-M2M-RI': _, ...others } }) => ({ status: 200, headers: others }) },
  'notified.code': { answer: ({ headers: { 'X-M2M-RSC': _, ...others } }) => ({ status: 200, headers: others }) },
  'notified.status': { answer: (sound) => ({ ...sound, status: 204 }) },
  'notified.ok': { answer: ({ headers }) => ({ status: 201, headers: { ...headers, 'X-M2M-RSC': '2001' } }) },
  'notified.release': { answer: ({ headers: { 'X-M2M-RVI': _, ...others } }) => ({ status: 200, headers: others }) },
  'notified.media-type': { answer: (sound) => ({ ...sound, body: '{}' }) },
};

/** The same of the documented interface. */
const type = 'application/vnd.onem2m-res+json';
const brokenDocumented: Readonly<Record<string, Behaviour['changes']>> = {
  'content.media-type': { container: header('Content-Type', 'text/json') },
  'content.root': { container: body({ rn: 'box', lbl: [] }) },
  'content.kind': { container: body({ container: { rn: 'box' } }) },
  'originator.absolute': { latest: header('X-M2M-Origin', 'app') },
  'ae.fields': { register: body({ 'm2m:ae': { rn: 'app', api: 7, rr: 'TRUE' } }) },
  'content-instance.content': { instance: body({ 'm2m:cin': { cnf: 'text/plain:0' } }) },
  'content-instance.format': { instance: body({ 'm2m:cin': { con: 'x' } }) },
  'content-instance.format.shape': { instance: body({ 'm2m:cin': { con: 'x', cnf: 'text/plain' } }) },
  'discovery.usage': { discover: path('/~/mn-cse-1/onem2m?lbl=a') },
  'discovery.time': { discover: path('/~/mn-cse-1/onem2m?fu=1&cra=2026-11-22') },
  create: { container: ({ body: _, ...sent }) => sent },
  'retrieve.payload': { latest: (sent) => ({ ...header('Content-Type', type)(sent), body: { 'm2m:cin': {} } }) },
};

test('the content of a content instance of the documented interface is a string, and no number', async () => {
  const instance = body({ 'm2m:cin': { con: 21.5, cnf: 'text/plain:0' } });
  assert.deepEqual(await violatedIn({ dialect: 'documented', changes: { instance } }), [
    'application.content-instance.content',
  ]);
});

test('a sound application satisfies its duties, in each dialect', async () => {
  for (const [behaviour, least] of [
    [{}, 50],
    [{ dialect: 'documented' }, 12],
  ] as const) {
    const { requirements, exit } = await resultOf(behaviour);
    assert.equal(exit.code, 0, exit.reason);
    const satisfied = requirements.filter(({ verdict }) => verdict === 'satisfied');
    assert.ok(satisfied.length >= least, `${satisfied.length} satisfied`);
  }
});

test('a kind that the interface does not show is no deviation', async () => {
  const subscribe = body({ 'm2m:sub': { nu: ['http://127.0.0.1:9'] } });
  assert.deepEqual(await violatedIn({ dialect: 'documented', changes: { container: subscribe } }), []);
});

for (const [duty, behaviour] of Object.entries(broken)) {
  test(`an application that violates ${duty} is found, and by this name`, async () => {
    assert.deepEqual(await violatedIn(behaviour), [`std.application.${duty}`]);
  });
}

for (const [duty, changes = {}] of Object.entries(brokenDocumented)) {
  test(`an application of the documented interface that violates ${duty} is found, and by this name`, async () => {
    assert.deepEqual(await violatedIn({ dialect: 'documented', changes }), [`application.${duty}`]);
  });
}
