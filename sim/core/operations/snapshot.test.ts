import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CseOptions } from '../../cse/create-cse.ts';
import { manualClock } from '../../environment/clock.ts';
import { exampleMoment, sampleCse } from '../../testing/sample-cse.ts';
import { restoreSnapshot, type Snapshot, SnapshotError, takeSnapshot } from './snapshot.ts';

const throughJson = (snapshot: Snapshot): Snapshot => JSON.parse(JSON.stringify(snapshot));

function lab(options: CseOptions = {}) {
  const clock = manualClock(exampleMoment);
  const sent: string[] = [];
  const messenger: CseOptions['messenger'] = {
    async send(url, { content }) {
      sent.push(`${url} ${JSON.stringify(content)}`);
      return { status: { code: 2000, http: 200, name: 'OK' } };
    },
  };
  const cse = sampleCse({ clock, messenger, requireAuth: false, ...options });
  return { clock, sent, cse };
}

/** An application with a container of which the oldest instances have gone, its policy, a group and a subscription. */
async function furnish({ cse }: ReturnType<typeof lab>) {
  const base = `/${cse.core.configuration.base}`;
  const make = async (path: string, content: object) => {
    const answer = await cse.send('POST', base + path, content, { 'x-m2m-origin': 'Capp' });
    assert.equal(answer.status, 201, answer.text);
  };
  await make('', { 'm2m:ae': { rn: 'app', api: 'N', rr: true, lbl: ['x', 'y'] } });
  await make('/app', { 'm2m:cnt': { rn: 'c', mni: 3, lbl: ['y'] } });
  for (const con of ['1', '2', '3', '4', '5'])
    await make('/app/c', { 'm2m:cin': { con, cnf: 'text/plain:0', lbl: [con] } });
  await make('/app', { 'm2m:grp': { rn: 'g', mnm: 5, mid: [`${cse.core.configuration.base}/app/c`] } });
  await make('/app/c', { 'm2m:sub': { rn: 's', nu: ['http://app'], enc: { net: [3] }, su: 'http://gone' } });
  await cse.send('PUT', `${base}/app/c`, { 'm2m:cnt': { lbl: ['z'] } });
}

/** Everything that can be read of the tree. */
async function picture({ cse }: ReturnType<typeof lab>) {
  const base = `/${cse.core.configuration.base}`;
  const targets = [`${base}?rcn=4`, `${base}/app/c/la`, `${base}/app/c/ol`, `${base}?fu=1&lbl=z`, `${base}?fu=1&lbl=y`];
  const answers = [];
  for (const target of targets) {
    const { text } = await cse.send('GET', target, undefined, { 'x-m2m-origin': 'Capp' });
    answers.push(text);
  }
  return answers;
}

for (const dialect of ['documented', 'onem2m'] as const) {
  test(`in the ${dialect} dialect, a restored tree answers as the one of which the snapshot is`, async () => {
    const former = lab({ dialect });
    await furnish(former);
    await former.cse.core.services.notifier.settled();
    const before = await picture(former);
    const snapshot = throughJson(takeSnapshot(former.cse.core));
    const later = lab({ dialect });
    restoreSnapshot(later.cse.core, snapshot);
    assert.deepEqual(await picture(later), before);
    assert.deepEqual(later.sent, [], 'nobody is told');
    assert.deepEqual(throughJson(takeSnapshot(later.cse.core)), snapshot);
  });
}

test('counters go on, times never go back, limits and subscriptions act', async () => {
  const former = lab();
  await furnish(former);
  const later = lab();
  restoreSnapshot(later.cse.core, takeSnapshot(former.cse.core));
  for (const { cse, sent } of [former, later]) {
    await cse.core.services.notifier.settled();
    sent.length = 0;
    const answer = await cse.send('POST', '/onem2m/app/c', { 'm2m:cin': { rn: 'new', con: '6' } });
    assert.equal(answer.attributes.ri, 'cin5');
    await cse.core.services.notifier.settled();
  }
  assert.deepEqual(later.sent, former.sent);
  assert.equal(later.sent.length, 1);
  assert.deepEqual(await picture(later), await picture(former));
});

test('resources expire, and with a subscription that is noticed without a request', async () => {
  const former = lab();
  await furnish(former);
  const later = lab();
  restoreSnapshot(later.cse.core, takeSnapshot(former.cse.core));
  const soon = { 'm2m:cin': { con: 'short', et: '2017-03-02T16:13:00Z' } };
  await later.cse.send('POST', '/onem2m/app/c', soon);
  const { size } = later.cse.core.tree;
  await later.clock.advance('1m');
  assert.equal(later.cse.core.tree.size, size - 1);
});

test('changes after a snapshot do not change it', async () => {
  const all = lab();
  await furnish(all);
  const snapshot = takeSnapshot(all.cse.core);
  const before = JSON.stringify(snapshot);
  await all.cse.send('PUT', '/onem2m/app/c', { 'm2m:cnt': { mni: 1, lbl: ['other'] } });
  assert.equal(JSON.stringify(snapshot), before);
});

test('a snapshot that does not fit is refused, and says where', () => {
  const snapshot = throughJson(takeSnapshot(lab().cse.core));
  const [base] = snapshot.resources;
  assert.ok(base !== undefined);
  const child = { ...base, root: 'm2m:cnt', id: 'cnt7', name: 'c', parent: 'cb0' };
  const wrong: readonly (readonly [Partial<Snapshot>, RegExp])[] = [
    [{ dialect: 'onem2m' }, /dialect is "onem2m", and of this CSE documented/],
    [{ cseId: 'other' }, /cseId is "other"/],
    [{ resources: [] }, /must be the CSE base/],
    [{ resources: [base, { ...child, parent: 'cnt9' }] }, /resources\[1\] comes before its parent, or has none/],
    [{ resources: [base, child, { ...child, id: 'cnt8' }] }, /resources\[2\] is there already/],
    [{ resources: [base, { ...child, root: 'm2m:xyz' }] }, /a resource type unknown to this CSE: "m2m:xyz"/],
  ];
  for (const [part, message] of wrong) {
    assert.throws(
      () => restoreSnapshot(lab().cse.core, { ...snapshot, ...part }),
      (error) => error instanceof SnapshotError && message.test(error.message),
    );
  }
});

test('a snapshot does not contain expired resources', async () => {
  const { cse, clock } = lab();
  await cse.send('POST', '/onem2m', { 'm2m:ae': { rn: 'app', api: 'N', rr: true, et: '2017-03-02T16:13:00Z' } });
  assert.equal(takeSnapshot(cse.core).resources.length, 2);
  await clock.advance('1m');
  assert.equal(takeSnapshot(cse.core).resources.length, 1);
});
