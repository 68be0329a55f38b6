import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XAE } from './ae.ts';
import { type SimulatedAnswer, simulateCse } from './testing/laboratory.ts';

async function answered(answer: SimulatedAnswer, ask: (app: XAE) => Promise<unknown>): Promise<unknown> {
  await using cse = await simulateCse(() => answer);
  await using app = new XAE({ cse: cse.url, name: 'App' });
  return await ask(app);
}

const retrieve = (app: XAE) => app.retrieve('c');
const discover = (app: XAE) => app.discover();

const refused: [string, SimulatedAnswer, (app: XAE) => Promise<unknown>, string, string][] = [
  [
    'a refusal with a sentence',
    { status: 403, body: { 'm2m:dbg': 'No.' } },
    retrieve,
    'GET /onem2m/App/c was answered with 403: No.',
    'No.',
  ],
  ['a refusal without a body', { status: 500 }, retrieve, 'GET /onem2m/App/c was answered with 500', ''],
  [
    'a page where a resource is expected',
    { status: 200, body: '<html>' },
    retrieve,
    'GET /onem2m/App/c was answered with 200, and its body is no representation of a resource: <html>',
    '<html>',
  ],
  [
    'a list where a resource is expected',
    { status: 200, body: [1] },
    retrieve,
    'GET /onem2m/App/c was answered with 200, and its body is no representation of a resource: [1]',
    '[1]',
  ],
  [
    'a resource that is a number',
    { status: 200, body: { 'm2m:cnt': 1 } },
    retrieve,
    'GET /onem2m/App/c was answered with 200, and its body is no representation of a resource: {"m2m:cnt":1}',
    '{"m2m:cnt":1}',
  ],
  [
    'a discovery without a list',
    { status: 200, body: 'null' },
    discover,
    'GET /onem2m?fu=1 was answered with 200, and its body has no list m2m:uril: null',
    'null',
  ],
];
for (const [what, answer, ask, message, detail] of refused) {
  test(`${what} is a RequestError that says what came`, async () => {
    const expected = { name: 'RequestError', message, detail, status: answer.status, method: 'GET', code: undefined };
    await assert.rejects(answered(answer, ask), expected);
  });
}

test('a page in answer to a push is a RequestError with the beginning of the page', async () => {
  const page = `<html>${'-'.repeat(1000)}</html>`;
  for (const status of [201, 502]) {
    await assert.rejects(
      answered({ status, body: page }, (app) => app.push('c', 'x')),
      {
        name: 'RequestError',
        method: 'POST',
        path: '/onem2m/App/c',
        status,
        detail: page.slice(0, 300),
      },
    );
  }
});

test('a list of addresses may be one text with spaces between them', async () => {
  const body = { 'm2m:uril': 'onem2m/a /mn-cse-1/onem2m/b' };
  assert.deepEqual(await answered({ status: 200, body }, discover), ['/onem2m/a', '/~/mn-cse-1/onem2m/b']);
  assert.deepEqual(await answered({ status: 200, body: { 'm2m:uril': '' } }, discover), []);
});
