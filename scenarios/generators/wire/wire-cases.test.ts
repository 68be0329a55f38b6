import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadRequirements } from '../../index.ts';
import { type BytePart, bytePartsOf, escapedBytes } from './describe-found.ts';
import type { WireCase, WireTarget } from './listed/wire-case.ts';
import { wireCases } from './wire-cases.ts';
import { breachOf, citedIn } from './wire-search.ts';

const place: WireTarget = {
  host: 'a',
  application: '/onem2m/app',
  container: '/onem2m/app/c',
  sentinel: '/onem2m/app/sentinel',
  trap: '/onem2m/app/trap',
  usual: ['X-M2M-Origin: Ca'],
  contentType: 'application/json',
};
const cases = fc.sample(wireCases(place), { numRuns: 2000, seed: 1 });

test('every generated request is bytes with a name', () => {
  for (const { bytes, what } of cases) {
    assert.match(bytes, /^[\0-\xff]*$/);
    assert.ok(what.length > 0);
  }
});

test('nothing is deleted but what has, or begins with, the path of the own container', () => {
  const deleting = cases.flatMap(({ bytes }) => /^DELETE ([^\r\n]*)/.exec(bytes)?.[1] ?? []);
  assert.ok(deleting.length > 50, `${deleting.length}`);
  assert.deepEqual(
    deleting.filter((target) => !/^(https?:\/\/[^/]*)?\/onem2m\/app\/c/.test(target)),
    [],
  );
});

test('what is unusual has a short name, and each part has cases', () => {
  const sorts = new Set(cases.map(({ what }) => what));
  assert.ok(sorts.size > 100, `${sorts.size}`);
  const natures = new Set(cases.map(({ nature }) => nature));
  assert.deepEqual([...natures].sort(), ['malformed', 'odd', 'unfinished']);
});

test('the requirements that generated requests are about are in the catalogue', () => {
  const { requirements } = loadRequirements();
  const cited = new Set(cases.flatMap(({ requirement }) => requirement ?? []));
  assert.deepEqual(
    [...cited, 'http.goes-on', 'body.refused-stores-nothing'].filter((id) => !requirements.has(id)),
    [],
  );
  assert.ok(cited.size > 10);
});

test('in the onem2m dialect only requirements of the standard are cited, and those are in the catalogue', () => {
  const { requirements } = loadRequirements();
  const cited = new Set(cases.map(({ requirement = 'gap' }) => citedIn('onem2m', requirement)));
  const levels = [...cited].map((id) => requirements.get(id)?.level ?? id);
  assert.deepEqual([...new Set(levels)].sort(), ['gap', 'standard']);
  assert.ok(![...cited].some((id) => requirements.get(id)?.level === 'gap'));
});

test('bytes in the words of the grammar are the same bytes', () => {
  const written = (part: BytePart): string => {
    if (typeof part === 'string') return part;
    return 'hex' in part ? Buffer.from(part.hex, 'hex').toString('latin1') : part.repeat.repeat(part.times);
  };
  for (const { bytes } of cases.slice(0, 300)) {
    const parts = [bytePartsOf(bytes, [])].flat() as BytePart[];
    assert.equal(parts.map(written).join(''), bytes);
  }
});

test('what can be read is text, what is repeated is written once, and what differs from run to run by its name', () => {
  assert.equal(
    bytePartsOf('GET /onem2m/x HTTP/1.1\r\n\r\n', [['onem2m', '${base}']]),
    'GET /${base}/x HTTP/1.1\r\n\r\n',
  );
  assert.deepEqual(bytePartsOf(`a${'xy'.repeat(50)}\0\xff\${z}`, []), [
    'a',
    { repeat: 'xy', times: 50 },
    { hex: '00ff24' },
    '{z}',
  ]);
});

test('bytes are shown as a line of ASCII', () => {
  assert.equal(escapedBytes('GET /\\ \xff\0\r\n\t~'), 'GET /\\\\ \\xff\\x00\\r\\n\\t~');
});

const wire = (nature: WireCase['nature'], creates = false): WireCase => ({ bytes: '', what: 'x', nature, creates });
const exchanged = (status: number) => ({
  request: { method: 'GET', path: '/', headers: [] },
  answer: { status, headers: [], body: '' },
  at: 0,
  took: 0,
  curl: '',
});
const silent = { ...exchanged(0), answer: undefined, failure: { kind: 'timeout', message: 'nothing' } } as const;

test('a refusal and a closed connection are in order for everything', () => {
  const { answer: _none, ...rest } = exchanged(0);
  for (const nature of ['malformed', 'unfinished', 'odd'] as const) {
    for (const status of [400, 404, 501])
      assert.equal(breachOf(wire(nature), exchanged(status), 'unchanged'), undefined);
    const closed = { ...rest, failure: { kind: 'closed', message: 'closed' } } as const;
    assert.equal(breachOf(wire(nature), closed, 'unchanged'), undefined);
  }
});

test('a success is in order for what may be well-formed only', () => {
  assert.equal(breachOf(wire('odd'), exchanged(200), 'unchanged'), undefined);
  assert.match(breachOf(wire('malformed'), exchanged(200), 'unchanged')?.says ?? '', /malformed/);
  assert.match(breachOf(wire('unfinished'), exchanged(200), 'unchanged')?.says ?? '', /not complete/);
});

test('silence is in order for what is not complete only', () => {
  const { answer: _none, ...timeout } = silent;
  assert.equal(breachOf(wire('unfinished'), timeout, 'unchanged'), undefined);
  assert.match(breachOf(wire('odd'), timeout, 'unchanged')?.says ?? '', /neither answers nor closes/);
});

test('the tree changes by a creation that was answered by 201 only', () => {
  assert.equal(breachOf(wire('odd', true), exchanged(201), 'changed'), undefined);
  for (const [one, status] of [
    [wire('odd', true), 400],
    [wire('odd'), 201],
    [wire('odd', true), 200],
  ] as const) {
    assert.match(breachOf(one, exchanged(status), 'changed')?.says ?? '', /has changed the tree/);
  }
});
