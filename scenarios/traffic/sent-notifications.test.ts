/** What a CSE notified is judged from a recording alone, and a sound one is never found wrong. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCse, createFetch, manualClock } from '../../sim/index.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { RunResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { settledIn } from '../engine/targets/embedded/reference-cse.ts';
import { judgeTraffic } from './judge-traffic.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-sent-'));
after(() => rmSync(folder, { recursive: true }));

type Entry = Readonly<Record<string, unknown>> & { readonly at: number };

/** What an application does that watches a container, with ten seconds after each request, and what it is told. */
async function journalOf(dialect: Dialect, deviations: readonly string[]): Promise<Entry[]> {
  const clock = manualClock(1_796_000_000_000_000);
  await using cse = createCse({ dialect, deviations, clock });
  const inbox = cse.openInbox();
  const settled = settledIn([cse]);
  const send = createFetch(cse.http);
  const isStandard = dialect === 'onem2m';
  const base = isStandard ? 'cse-in' : 'onem2m';
  let count = 0;
  const ask = async (method: string, path: string, ty?: number, body?: object) => {
    const type = `application/json${ty === undefined ? '' : `;ty=${ty}`}`;
    count += 1;
    const headers = isStandard
      ? {
          'x-m2m-origin': 'Capp',
          'x-m2m-ri': `r${count}`,
          'x-m2m-rvi': '3',
          accept: 'application/json',
          'content-type': type,
        }
      : { 'content-type': 'application/vnd.onem2m-res+json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(new Request(`http://cse/${base}${path}`, { method, headers, ...content }));
    assert.ok(answer.status < 300, `${method} ${path} ${await answer.text()}`);
    await settled();
    await clock.advance('10s');
  };
  const watch = (rn: string, more: object) =>
    ask('POST', '/app/box', 23, { 'm2m:sub': { rn, nu: [`${inbox.url}/${rn}`], ...more } });
  const put = (path: string, rn: string) =>
    ask('POST', path, 4, { 'm2m:cin': { rn, con: `of ${rn}`, cnf: 'text/plain:0' } });
  const app = isStandard ? { rr: true, srv: ['3'] } : { rr: 'TRUE' };
  await ask('POST', '', 2, { 'm2m:ae': { rn: 'app', api: 'Nx', ...app } });
  await ask('POST', '/app', 3, { 'm2m:cnt': { rn: 'box' } });
  await watch('all', { enc: { net: [1, 2, 3, 4] } });
  await watch('plain', {});
  await watch('changed', { enc: { net: [1] } });
  await watch('third', { enc: { net: [3] }, ...(isStandard && { cr: null }) });
  await put('/app/box', 'one');
  await ask('POST', '/app/box', 3, { 'm2m:cnt': { rn: 'in' } });
  await put('/app/box/in', 'deep');
  if (isStandard) await ask('PUT', '/app/box', undefined, { 'm2m:cnt': { lbl: ['x'] } });
  await ask('DELETE', '/app/box/one');
  if (isStandard) await ask('DELETE', '/app/box/third');
  await put('/app/box', 'two');
  // How many come of these is not counted.
  await watch('sorted', { enc: { net: [3] }, ...(isStandard && { nec: 2 }) });
  await watch('part', { enc: { net: [1] }, nct: 2 });
  await put('/app/box', 'three');
  if (isStandard) await ask('PUT', '/app/box', undefined, { 'm2m:cnt': { lbl: ['y'] } });
  await ask('DELETE', '/app/box');
  await ask('DELETE', '/app');
  const all = [...cse.requests.entries, ...cse.sent.entries].map((one) => JSON.parse(JSON.stringify(one)) as Entry);
  return all.sort((a, b) => a.at - b.at);
}

async function judged(
  entries: readonly unknown[],
  dialect: Dialect,
  more: { cseId?: string } = {},
): Promise<RunResult> {
  const file = join(folder, 'journal.ndjson');
  writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return lastOf(judgeTraffic({ files: [file], dialect, ...more }));
}

const withVerdict = ({ requirements }: RunResult, wanted: string, about = /notification/) =>
  requirements.filter(({ id, verdict }) => verdict === wanted && about.test(id)).map(({ id }) => id);

test('of what a sound CSE notifies nothing is wrong, and much is seen to be kept', async () => {
  const run = await judged(await journalOf('onem2m', []), 'onem2m');
  assert.deepEqual(withVerdict(run, 'violated', /./), []);
  const kept = withVerdict(run, 'satisfied');
  assert.ok(kept.length >= 21, kept.join(' '));
  assert.match(run.notes?.join() ?? '', /\d\d notifications of the CSE were checked, too/);
});

test('what cannot be read takes nothing away from what comes after it, or has nothing to do with it', async () => {
  const entries = await journalOf('onem2m', []);
  const [first] = entries;
  const unread = (method: string, target: string, status: number) => {
    const answer = { status, headers: {}, body: '' };
    return { ...first, method, target, body: '', answer };
  };
  const fifth = entries.findIndex(({ number }) => number === 5);
  const all: Array<Readonly<Record<string, unknown>>> = [unread('POST', '/cse-in/anybody/fopt', 200), ...entries];
  all.splice(fifth + 1, 0, { ...unread('DELETE', '/id-of-something', 404), at: entries[fifth]?.at ?? 0 });
  let count = 0;
  const numbered = all.map((entry) => (entry.to === undefined ? { ...entry, number: ++count, until: count } : entry));
  const run = await judged(numbered, 'onem2m');
  assert.deepEqual(withVerdict(run, 'violated', /./), []);
  const kept = withVerdict(run, 'satisfied');
  assert.ok(kept.length >= 21, kept.join(' '));
});

test('in the documented dialect what is left open is observed', async () => {
  const run = await judged(await journalOf('documented', []), 'documented');
  assert.deepEqual(withVerdict(run, 'violated', /./), []);
  assert.deepEqual(withVerdict(run, 'implementation-defined'), ['events.notifications']);
});

test('what is passed on for another is sent in his name', async () => {
  const entries = await journalOf('onem2m', []);
  const last = entries.findLast((entry) => entry.to !== undefined);
  const headers = { ...(last?.headers as object), 'x-m2m-origin': '/id-in/Cother', 'x-m2m-ri': 'passed-on' };
  const passedOn = { ...last, headers, body: JSON.stringify({ 'm2m:sgn': { nev: { net: 1 }, sur: '/id-in/other' } }) };
  assert.deepEqual(withVerdict(await judged([...entries, passedOn], 'onem2m'), 'violated', /./), []);
});

test('a CSE-ID is the same with a slash before it', async () => {
  const kept = withVerdict(await judged(await journalOf('onem2m', []), 'onem2m', { cseId: '/id-in' }), 'satisfied');
  assert.ok(kept.includes('std.notification.created-child'), kept.join(' '));
});

test('a notification of which the answer was not recorded is judged in an archive, too', async () => {
  const entries = (await journalOf('onem2m', ['std.notification.header.identifier.missing'])).map((entry) => {
    const { method, target, to, headers, body, answer, at } = entry as Entry & Readonly<Record<string, string>>;
    const told = (to === undefined ? answer : undefined) as unknown as {
      status: number;
      headers: object;
      body: string;
    };
    const named = (all: object = {}) => Object.entries(all).map(([name, value]) => ({ name, value }));
    return {
      ...{ startedDateTime: new Date(Number(at) / 1000).toISOString(), time: 1 },
      request: {
        method,
        url: `${to ?? 'http://cse'}${target}`,
        headers: named(headers as unknown as object),
        postData: { text: body },
      },
      response: { status: told?.status ?? 0, headers: named(told?.headers), content: { text: told?.body ?? '' } },
    };
  });
  const file = join(folder, 'session.har');
  writeFileSync(file, JSON.stringify({ log: { entries } }));
  const run = await lastOf(judgeTraffic({ files: [file], dialect: 'onem2m', isAlone: true }));
  assert.deepEqual(withVerdict(run, 'violated', /./), ['std.notification.header.identifier']);
});

/** What is told of them, by the recording alone. */
const seeded: ReadonlyArray<readonly [deviation: string, told: string]> = [
  ['std.notification.header.originator.anonymous', 'header.originator'],
  ['std.notification.header.identifier.missing', 'header.identifier'],
  ['std.notification.header.release.unknown', 'header.release'],
  ['std.notification.header.content-type.xml', 'header.content-type'],
  ['std.notification.header.event-category.missing', 'header.event-category'],
  ['std.notification.root.list', 'root'],
  ['std.notification.subscription.resource-instead', 'subscription'],
  ['std.notification.creator.host', 'creator'],
  ['std.notification.creator.told.left-out', 'creator.told'],
  ['std.notification.created-child.without-identifier', 'created-child'],
  ['std.notification.deleted-child.without-content', 'deleted-child'],
  ['std.notification.deleted-resource.name-only', 'deleted-resource'],
  ['std.notification.all-attributes-by-default.modified-only', 'all-attributes-by-default'],
  ['std.notification.modified-attributes.nothing-else.whole', 'modified-attributes.nothing-else'],
  ['std.notification.event.default.children-too', 'event.default'],
  ['std.notification.event.create-child.as-update', 'event.others'],
  ['std.notification.event.delete-child.as-deletion', 'deleted-resource'],
  ['std.notification.event.direct-children.grandchildren-too', 'event.direct-children'],
  ['std.notification.each-subscription.first-only', 'event.create-child'],
  ['std.notification.after-deletion.children-still-told', 'after-deletion'],
];

for (const [deviation, told] of seeded)
  test(`${deviation} is told from a recording`, async () => {
    const run = await judged(await journalOf('onem2m', [deviation]), 'onem2m');
    const found = withVerdict(run, 'violated', /./);
    assert.ok(found.includes(`std.notification.${told}`), found.join(' '));
  });
