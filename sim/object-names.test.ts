/** Names that every object of the language has mean nothing here: they are answered as any other name that nobody knows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statuses } from './core/status.ts';
import { type SampleCse, sampleCse } from './testing/sample-cse.ts';

const names = Object.getOwnPropertyNames(Object.prototype);
const dialects = ['documented', 'onem2m'] as const;
/** Whoever is notified agrees to it. */
const messenger = { send: async () => ({ status: statuses.OK }) };
const admin = { 'x-m2m-origin': 'CAdmin' };

/** Each with `NAME` where the name goes. */
const paths = [
  'NAME',
  '-/NAME',
  'b/NAME',
  'b/app/NAME',
  'b/app/NAME/x',
  'b/app/box/NAME',
  'b/all/NAME',
  'b/all/NAME/x',
];
const elsewhere = [
  '/NAME',
  '/NAME/b',
  '/~/NAME/b',
  '/_/NAME/id/b',
  '/~/id/NAME',
  '/~/id/b/app/queue/NAME',
  '/b/app/queue/NAME',
];
const queries = [
  'NAME=1',
  'NAME',
  'rcn=NAME',
  'atrl=NAME',
  'c.NAME=1',
  'fu=1&ty=NAME',
  'fu=1&fo=NAME',
  'fu=1&cfs=1&cfq=$.NAME==1',
];
const media = [
  'application/NAME',
  'NAME',
  'application/json;ty=NAME',
  'application/json;NAME=3',
  'text/plain;charset=NAME',
];
const headers = ['NAME', 'X-M2M-NAME', 'Accept', 'X-M2M-RVI', 'X-M2M-RSC', 'X-M2M-RTU', 'X-M2M-RT', 'X-M2M-Origin'];

const bodies: Readonly<Record<string, string>> = {
  'root key': '{"NAME":{"rn":"x"}}',
  'root key with a namespace': '{"m2m:NAME":{"rn":"x"}}',
  attribute: '{"m2m:cnt":{"NAME":"x"}}',
  'attribute with an object': '{"m2m:cnt":{"NAME":{"a":1}}}',
  'value of an attribute': '{"m2m:cnt":{"rn":"NAME"}}',
  'member of a structure': '{"m2m:sub":{"nu":["http://127.0.0.1:9/"],"enc":{"NAME":[1]}}}',
  'attribute of a criterion': '{"m2m:sub":{"nu":["http://127.0.0.1:9/"],"enc":{"atr":["NAME"]}}}',
  'member of a policy': '{"m2m:acp":{"pv":{"acr":[{"acor":["all"],"acop":63,"NAME":1}]},"pvs":{"acr":[]}}}',
  definition: '{"m2m:fcnt":{"cnd":"NAME"}}',
  'custom attribute': '{"cod:tempe":{"NAME":1}}',
};

async function prepared(dialect: (typeof dialects)[number]): Promise<SampleCse> {
  const cse = sampleCse({ dialect, base: 'b', cseId: 'id', requireAuth: false, messenger });
  const make = async (target: string, root: string, attributes: object, from: object = admin) => {
    const made = await cse.send('POST', target, { [root]: attributes }, { ...from });
    assert.equal(made.status, 201, made.text);
  };
  const app = { 'x-m2m-origin': 'Capp' };
  await make('/b', 'm2m:ae', { rn: 'app', api: 'N', rr: true }, app);
  await make('/b/app', 'm2m:cnt', { rn: 'box' });
  await make('/b', 'm2m:grp', { rn: 'all', mnm: 5, mid: ['b/app/box'] });
  await make('/b/app', 'm2m:pch', { rn: 'queue' }, app);
  return cse;
}

for (const dialect of dialects) {
  test(`names of Object.prototype are unknown names to a CSE that speaks ${dialect}`, async () => {
    const failures: string[] = [];
    const cse = await prepared(dialect);
    const answered = async (name: string, [method, target, body, headers]: Request) => {
      const put = (text: string) => text.replaceAll('NAME', name);
      const sent = Object.entries(headers ?? {}).map(([header, value]) => [put(header), put(value)]);
      const given = body === undefined ? undefined : put(body);
      const answer = await cse.send(put(method), put(target), given, { ...admin, ...Object.fromEntries(sent) });
      return { status: answer.status, rsc: answer.headers['X-M2M-RSC'], text: answer.text.replaceAll(name, 'NAME') };
    };
    for (const request of requests()) {
      for (const [number, name] of names.entries()) {
        const [usual, got] = [await answered(`unknown${number}`, request), await answered(name, request)];
        const isSame = usual.status === got.status && usual.rsc === got.rsc;
        if (got.rsc === '5000' || !isSame)
          failures.push(`${request.join(' ')}: ${name}: ${got.text}, else ${usual.text}`);
      }
    }
    assert.deepEqual(failures, []);
  });
}

type Request = readonly [
  method: string,
  target: string,
  body?: string | undefined,
  headers?: Readonly<Record<string, string>>,
];

function* requests(): Iterable<Request> {
  for (const path of [...paths.map((one) => `/${one}`), ...elsewhere]) {
    for (const method of ['GET', 'PUT', 'DELETE', 'POST', 'OPTIONS']) {
      yield method === 'POST' || method === 'PUT' ? [method, path, '{"m2m:cnt":{"lbl":["a"]}}'] : [method, path];
    }
  }
  for (const query of queries) yield ['GET', `/b/app/box?${query}`];
  yield ['NAME', '/b/app'];
  for (const type of media) yield ['POST', '/b/app', '{"m2m:cnt":{}}', { 'Content-Type': type }];
  for (const header of headers) yield ['GET', '/b/app', undefined, { [header.toLowerCase()]: 'NAME' }];
  for (const body of Object.values(bodies)) {
    yield ['POST', '/b/app', body];
    yield ['PUT', '/b/app/box', body];
  }
}
