import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CseOptions, createCse, createFetch } from '../index.ts';

const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };

async function create(options: CseOptions): Promise<{ status: number; ae: Record<string, unknown> }> {
  const fetch = createFetch(createCse(options).http);
  const body = JSON.stringify({ 'm2m:ae': { rn: 'app', api: 'org.example.app', rr: 'TRUE' } });
  const answer = await fetch(new Request('http://cse/onem2m', { method: 'POST', headers, body }));
  const { 'm2m:ae': ae } = (await answer.json()) as { 'm2m:ae': Record<string, unknown> };
  return { status: answer.status, ae };
}

const ports = () => {
  let number = 0;
  return { clock: { now: () => 1_488_471_132_350_093 + number++ }, randomText: (length: number) => 'x'.repeat(length) };
};

test('a deviation changes what it says and nothing else', async () => {
  const sound = await create(ports());
  const { aei, ...others } = sound.ae;
  assert.equal(aei, 'C0');
  assert.deepEqual(await create({ ...ports(), deviations: ['ae.aei.missing'] }), { status: sound.status, ae: others });
});

test('several deviations add up', async () => {
  const { status, ae } = await create({
    ...ports(),
    deviations: ['ae.create.status.200', 'ae.nl.missing', 'ae.ty.text'],
  });
  assert.deepEqual([status, ae.nl, ae.ty], [200, undefined, '2']);
});

test('an unknown deviation is an error that names the nearest', () => {
  assert.throws(() => createCse({ deviations: ['ae.aei.mising'] }), {
    name: 'UnknownDeviationError',
    message: 'There is no deviation called "ae.aei.mising"; the nearest is "ae.aei.missing".',
  });
});

test('a word that no row has is an error that names the nearest, since the row would do nothing', () => {
  const row = { id: 'own.row', says: 'Containers are refused.', when: { create: 'm2m:cnt' }, does: { refuse: 5000 } };
  createCse().deviate(row);
  for (const [wrong, problem] of [
    [{ ...row, when: { creat: 'm2m:cnt' } }, /^own\.row: "creat" is not a condition.*"create"$/],
    [{ ...row, does: JSON.parse('{"refus":5000}') }, /"refus" is not an operator \(does\); the nearest is "refuse"/],
    [{ ...row, outgoing: { does: JSON.parse('{"dorp":1}') } }, /"dorp" is not an operator \(outgoing\.does\)/],
    [JSON.parse('{"when":{}}'), /an id, or a row/],
  ] as const) {
    assert.throws(() => createCse({ deviations: [wrong] }), { name: 'TypeError', message: problem });
  }
});

test('two CSEs with the same deviation have a state of their own', async () => {
  const first = createFetch(createCse({ deviations: ['content-instance.rn.counted'] }).http);
  const second = createFetch(createCse({ deviations: ['content-instance.rn.counted'] }).http);
  const names = [];
  for (const fetch of [first, first, second]) names.push(await nameless(fetch));
  assert.deepEqual(names, ['cin_1', 'cin_2', 'cin_1']);
});

async function nameless(fetch: ReturnType<typeof createFetch>): Promise<unknown> {
  const post = (path: string, content: unknown) =>
    fetch(new Request(`http://cse${path}`, { method: 'POST', headers, body: JSON.stringify(content) }));
  await post('/onem2m', { 'm2m:ae': { rn: 'app', api: 'org.example.app', rr: 'TRUE' } });
  await post('/onem2m/app', { 'm2m:cnt': { rn: 'readings' } });
  const answer = await post('/onem2m/app/readings', { 'm2m:cin': { con: '1', cnf: 'text/plain:0' } });
  return ((await answer.json()) as { 'm2m:cin': { rn: unknown } })['m2m:cin'].rn;
}
