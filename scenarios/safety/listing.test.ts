import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Target } from '../engine/messages/target.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import { Holdings } from './holdings.ts';
import { type Listing, type ListingLimits, listingOf, surveyOf } from './listing.ts';

const description = {
  kind: 'url',
  url: 'http://cse.example',
  base: 'onem2m',
  cseId: 'mn-cse-1',
  spId: 'openmtc.org',
} as const;

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A target that answers reads by their path, and takes down who asked for what. */
function targetOf(answer: (path: string, originator: string | undefined) => Answer) {
  const asked: string[] = [];
  const send: Target['send'] = async (request): Promise<Exchange> => {
    assert('path' in request);
    const { path, headers } = request;
    const originator = headers.find(([name]) => name === 'X-M2M-Origin')?.[1];
    asked.push(`${path}${originator === undefined ? '' : ` as ${originator}`}`);
    const { status = 200, body = {}, headers: more = {} } = answer(path, originator);
    return {
      request: { method: 'GET', path, headers: [] },
      answer: { status, headers: Object.entries(more), body: JSON.stringify(body) },
      ...{ at: 0, took: 0, curl: '' },
    };
  };
  const target: Target = {
    description,
    send,
    objection: () => undefined,
    close: async () => {},
  };
  return { target, asked };
}

function askingOf(target: Target, dialect: Dialect = 'documented', originators: readonly (string | undefined)[] = []) {
  const speech = { dialect, release: '3', requestIdentifier: () => 'a' };
  return { target, way: {}, speech, originators: originators.length === 0 ? [undefined] : originators };
}

/** Pages of `size` names out of `total`, with the headers of an answer that is cut (TS-0009 6.4.2). */
function pages(total: number, size: number, offsets = true) {
  return (path: string): Answer => {
    const from = Number(/ofst=(\d+)/.exec(path)?.[1] ?? 0);
    const names = Array.from({ length: Math.min(size, total - from) }, (_, at) => `onem2m/r${from + at}`);
    const cut = from + names.length < total;
    const offset = offsets ? { 'x-m2m-cto': `${from + names.length}` } : {};
    return { body: { 'm2m:uril': names }, ...(cut && { headers: { 'x-m2m-cts': '1', ...offset } }) };
  };
}

const sizeOf = ({ addresses, unseen }: Listing) => (unseen === undefined ? addresses.size : -1);

test('a discovery that is cut is read to its end, by the offsets of the answers or by what has come', async () => {
  for (const offsets of [true, false]) {
    const { target, asked } = targetOf(pages(25, 10, offsets));
    const look = await listingOf(askingOf(target));
    assert.deepEqual([sizeOf(look), look.partial], [25, undefined]);
    assert.deepEqual(asked, ['/onem2m?fu=1', '/onem2m?fu=1&ofst=10', '/onem2m?fu=1&ofst=20']);
  }
});

test('an offset that is no number is not sent back', async () => {
  const { target, asked } = targetOf((path) => ({
    body: { 'm2m:uril': [`onem2m/r${path.length}`] },
    headers: path.includes('ofst') ? {} : { 'x-m2m-cts': '1', 'x-m2m-cto': '1&rt=1' },
  }));
  await listingOf(askingOf(target));
  assert.deepEqual(asked, ['/onem2m?fu=1', '/onem2m?fu=1&ofst=1']);
});

test('a discovery that is always cut and brings nothing new ends', async () => {
  const body = { 'm2m:uril': ['onem2m/a'] };
  const { target, asked } = targetOf(() => ({ body, headers: { 'x-m2m-cts': '1', 'x-m2m-cto': '0' } }));
  const look = await listingOf(askingOf(target));
  assert.deepEqual([sizeOf(look), asked.length], [1, 2]);
  assert.equal(look.partial, 'the list of resources is too long to be read as a whole');
});

test('what was found stays where a later part of it is refused', async () => {
  const { target } = targetOf((path) => (path.includes('ofst') ? { status: 500 } : pages(25, 10)(path)));
  const look = await listingOf(askingOf(target));
  assert.equal(sizeOf(look), 10);
  assert.match(look.partial ?? '', /returned no list of resources: 500/);
});

const enough: ListingLimits = { requests: 100, found: 1000, length: 100_000, time: 60_000 };
const bounds: Readonly<Record<string, readonly [Partial<ListingLimits>, found: number, requests: number]>> = {
  requests: [{ requests: 3 }, 30, 3],
  resources: [{ found: 15 }, 20, 2],
  'resources of one answer': [{ found: 4 }, 4, 1],
  characters: [{ length: 200 }, 20, 2],
  time: [{ time: 0 }, 0, 0],
};

for (const [name, [limits, found, requests]] of Object.entries(bounds)) {
  test(`what is read is bounded in ${name}`, async () => {
    const { target, asked } = targetOf(pages(1_000_000, 10));
    const look = await listingOf(askingOf(target), { ...enough, ...limits });
    assert.deepEqual([sizeOf(look), asked.length], [found, requests]);
    assert.equal(look.partial, 'the list of resources is too long to be read as a whole');
  });
}

test('whoever may read goes on reading', async () => {
  const { target, asked } = targetOf((path, originator) =>
    originator === 'CAdmin' ? pages(15, 10)(path) : { status: 403 },
  );
  await listingOf(askingOf(target, 'onem2m', ['Cstranger', 'CAdmin']));
  assert.deepEqual(asked, ['/onem2m?fu=1 as Cstranger', '/onem2m?fu=1 as CAdmin', '/onem2m?fu=1&ofst=10 as CAdmin']);
});

const children = [
  { nm: 'a', val: 'onem2m/a', typ: 2 },
  { nm: 'b', val: '/mn-cse-1/onem2m/b', typ: 3 },
];
const listings: Readonly<Record<string, readonly [Dialect, path: string, body: unknown]>> = {
  'rcn=6': ['onem2m', '/onem2m?rcn=6', { 'm2m:rrl': { rrf: children } }],
  'rcn=6 as a bare list': ['onem2m', '/onem2m?rcn=6', { 'm2m:rrl': children }],
  'ch of the CSE base': ['documented', '/onem2m', { 'm2m:cb': { rn: 'onem2m', ch: children } }],
};

for (const [name, [dialect, where, body]] of Object.entries(listings)) {
  test(`without a discovery the children of the base are listed by ${name}`, async () => {
    const { target, asked } = targetOf((path) => (path === where ? { body } : { status: 403 }));
    const look = await listingOf(askingOf(target, dialect));
    assert.equal(look.unseen, undefined);
    assert.deepEqual([...look.addresses.keys()], ['mn-cse-1/onem2m/a', 'mn-cse-1/onem2m/b']);
    assert.match(
      look.partial ?? '',
      /^only the children of the base could be seen; a discovery of \/onem2m returned no list of resources: 403/,
    );
    assert.deepEqual(asked, ['/onem2m?fu=1', where]);
  });
}

test('a survey by children says what the run left, and why it may be incomplete', async () => {
  let list: readonly unknown[] = [];
  const { target } = targetOf((path) =>
    path === '/onem2m' ? { body: { 'm2m:cb': { rn: 'onem2m', ch: list } } } : { status: 501 },
  );
  const before = await listingOf(askingOf(target));
  list = ['onem2m/cl-abc1234-1', 'onem2m/somebody'];
  const after = await listingOf(askingOf(target));
  const { reason, ...survey } = surveyOf(before, after, new Holdings('abc1234', { gateway: description }), description);
  assert.deepEqual(survey, { before: 0, after: 2, left: ['/onem2m/cl-abc1234-1'], others: 1 });
  assert.match(reason ?? '', /only the children of the base could be seen/);
});
