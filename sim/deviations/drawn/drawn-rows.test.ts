import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestPrimitive } from '../../core/primitive.ts';
import { sampleCse } from '../../testing/sample-cse.ts';
import { type DrawnDeviation, describeDeviation, type ExchangeFilter } from './drawn-deviation.ts';
import { attributesIn, operatorOf, rowOf } from './operators.ts';

type Does = DrawnDeviation['does'];

const sent = { 'm2m:cnt': { rn: 'c', lbl: ['Ä Label', '007'], mni: 5, or: 'Ontology' } };

/** A CSE with this deviation, an application entity of CApp and a container of it. */
async function deviant(deviation: DrawnDeviation) {
  const { core, http } = sampleCse({ dialect: 'onem2m', base: 'b', deviations: [rowOf(deviation)] });
  const send = async (method: string, target: string, body?: object, origin = 'CApp', ty?: number) => {
    const type = `application/json${ty === undefined ? '' : `;ty=${ty}`}`;
    const headers = {
      'x-m2m-origin': origin,
      'x-m2m-ri': '1',
      'x-m2m-rvi': '3',
      'content-type': type,
      accept: 'application/json',
    };
    const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
    const answer = await http.handle({ method, target, headers, body: bytes });
    const text = String(answer.body);
    const json = text === '' ? {} : JSON.parse(text);
    return { code: Number(answer.headers['X-M2M-RSC']), json, shown: json['m2m:cnt'] ?? {} };
  };
  await send('POST', '/b', { 'm2m:ae': { rn: 'app', api: 'Napp', rr: true, srv: ['3'] } }, 'CApp', 2);
  const created = await send('POST', '/b/app', sent, 'CApp', 3);
  const push = (con: string) => send('POST', '/b/app/c', { 'm2m:cin': { con } }, 'CApp', 4);
  return {
    core,
    send,
    created,
    push,
    read: (path = '/b/app/c', origin?: string) => send('GET', path, undefined, origin),
  };
}

const of = (does: Does, when: ExchangeFilter = {}): DrawnDeviation => ({ when: { type: 'm2m:cnt', ...when }, does });

test('a deviation of one wire affects requests over it', async () => {
  const deviation = of({ drop: 'mni' }, { wire: 'mqtt' });
  assert.equal(describeDeviation(deviation), 'm2m:cnt over mqtt: drop mni');
  assert.equal((await (await deviant(deviation)).read()).shown.mni, 5);
  assert.equal((await (await deviant(of({ drop: 'mni' }, { wire: 'http' }))).read()).shown.mni, undefined);
});

test('an attribute in answers deviates, and nothing else does', async () => {
  const cases: ReadonlyArray<readonly [Does, Record<string, unknown>]> = [
    [{ drop: 'mni' }, { mni: undefined }],
    [{ truncate: 'or', at: 3 }, { or: 'Ont' }],
    [{ letters: 'upper case', in: 'or' }, { or: 'ontology' }],
    [{ letters: 'beyond ASCII', in: 'lbl' }, { lbl: ['? Label', '007'] }],
    [{ letters: 'digits', in: 'lbl' }, { lbl: ['Ä Label', '7'] }],
    [{ add: -1, to: 'mni' }, { mni: 4 }],
    [{ add: 1, to: 'mni', above: 5 }, {}],
    [{ stop: 'mni', at: 2 }, { mni: 2 }],
    [{ wrap: 'mni', at: 4 }, { mni: 1 }],
    [{ swap: ['or', 'rn'] }, { or: 'c', rn: 'Ontology' }],
  ];
  const sound = (await (await deviant(of({ drop: 'none' }))).read()).shown;
  for (const [does, expected] of cases) {
    const { read } = await deviant(of(does, { operation: 'retrieve' }));
    const { shown } = await read();
    assert.deepEqual(
      { ...shown, ri: sound.ri },
      JSON.parse(JSON.stringify({ ...sound, ...expected })),
      describeDeviation(of(does)),
    );
  }
});

test('a value that is frozen, ignored, borrowed or stale is that of before', async () => {
  const frozen = await deviant(of({ freeze: 'cni' }));
  await frozen.push('1');
  assert.equal((await frozen.read()).shown.cni, 0);
  assert.equal(frozen.created.shown.cni, 0);
  const seldom = await deviant(of({ freeze: 'cni' }, { operation: 'retrieve', nth: { from: 3 } }));
  await seldom.read();
  await seldom.push('1');
  assert.deepEqual([(await seldom.read()).shown.cni, (await seldom.read()).shown.cni], [1, 0]);
  const ignoring = await deviant(of({ ignore: 'mni' }, { operation: 'create' }));
  assert.equal((await ignoring.read()).shown.mni, undefined);
  const borrowing = await deviant(of({ borrow: 'or' }));
  await borrowing.send('POST', '/b/app', { 'm2m:cnt': { rn: 'd', or: 'Other' } }, 'CApp', 3);
  assert.equal((await borrowing.read()).shown.or, 'Other');
  const stale = await deviant(of({ stale: 'until the next change' }));
  await stale.send('PUT', '/b/app/c', { 'm2m:cnt': { mni: 7 } });
  assert.equal((await stale.read()).shown.mni, 5);
  await stale.send('PUT', '/b/app/c', { 'm2m:cnt': { mni: 8 } });
  assert.equal((await stale.read()).shown.mni, 7);
});

test('an exchange is answered differently, or not executed', async () => {
  const coded = await deviant(of({ succeed: 2000 }, { operation: 'create' }));
  assert.equal(coded.created.code, 2000);
  const refusing = await deviant(of({ reject: 5000 }, { operation: 'retrieve' }));
  assert.equal((await refusing.read()).code, 5000);
  const other = await deviant({ when: {}, does: { refuse: [4004, 4000] } });
  assert.equal((await other.read('/b/nowhere')).code, 4000);
  const pretending = await deviant(of({ pretend: 'update' }, { operation: 'update' }));
  assert.equal((await pretending.send('PUT', '/b/app/c', { 'm2m:cnt': { mni: 7 } })).code, 2004);
  assert.equal((await pretending.read()).shown.mni, 5);
  const keeping = await deviant(of({ pretend: 'delete' }, { operation: 'delete' }));
  assert.equal((await keeping.send('DELETE', '/b/app/c')).code, 2002);
  assert.equal((await keeping.read()).code, 2000);
  const trusting = await deviant(of({ trust: 'anybody' }));
  assert.equal((await trusting.read('/b/app/c', 'COther')).code, 2000);
});

test('lists lack one, or name one twice', async () => {
  const lists = async (does: Does) => {
    const { read, push } = await deviant({ when: { operation: 'retrieve' }, does });
    await push('1');
    await push('2');
    const found = (await read('/b/app/c?fu=1&drt=1')).json['m2m:uril'] as string[];
    const below = (await read('/b/app/c?rcn=4')).shown['m2m:cin'] as object[];
    return [found.length, below.length];
  };
  assert.deepEqual(await lists({ lose: 'first' }), [1, 1]);
  assert.deepEqual(await lists({ lose: 'last', above: 2 }), [2, 2]);
  assert.deepEqual(await lists({ repeat: 'last' }), [3, 3]);
});

test('only matching exchanges deviate', async () => {
  const drops = async (when: ExchangeFilter, path: string, origin?: string, times = 1) => {
    const { read } = await deviant(of({ drop: 'mni' }, when));
    const shown = [];
    for (let time = 0; time < times; time += 1) shown.push('mni' in (await read(path, origin)).shown);
    return shown;
  };
  assert.deepEqual(await drops({ operation: 'update' }, '/b/app/c'), [true]);
  assert.deepEqual(await drops({ address: 'names' }, '/b/app/c'), [false]);
  assert.deepEqual(await drops({ address: 'names' }, '/~/id-in/b/app/c'), [true]);
  assert.deepEqual(await drops({ address: 'SP-relative' }, '/~/id-in/b/app/c'), [false]);
  assert.deepEqual(await drops({ by: 'another' }, '/b/app/c'), [true]);
  assert.deepEqual(await drops({ by: 'another' }, '/b/app/c', 'CAdmin'), [false]);
  assert.deepEqual(await drops({ operation: 'retrieve', nth: { every: 2 } }, '/b/app/c', 'CApp', 4), [
    true,
    false,
    true,
    false,
  ]);
  assert.deepEqual(await drops({ operation: 'retrieve', nth: { from: 3 } }, '/b/app/c', 'CApp', 4), [
    true,
    true,
    false,
    false,
  ]);
});

test('the state of the CSE stays sound, and requests of its own are served as they are', async () => {
  const { core, read } = await deviant(of({ drop: 'mni' }));
  await read();
  const request: RequestPrimitive = { operation: 'retrieve', to: 'b/app/c', from: 'CApp' };
  assert.match(JSON.stringify(await core.request(request)), /"mni":5/);
});

test('a deviation is described by what it concerns', () => {
  const one = of({ swap: ['ct', 'lt'] }, { operation: 'retrieve', by: 'another', nth: { every: 3 } });
  assert.deepEqual([operatorOf(one), attributesIn(one)], ['swap', ['ct', 'lt']]);
  assert.equal(describeDeviation(one), 'm2m:cnt, retrieve by another originator, one in 3: swap ct lt');
  assert.deepEqual(attributesIn(of({ add: 1, to: 'cni' })), ['cni']);
  assert.deepEqual(attributesIn(of({ letters: 'digits', in: 'con' })), ['con']);
  assert.deepEqual(attributesIn(of({ reject: 4000 })), []);
});
