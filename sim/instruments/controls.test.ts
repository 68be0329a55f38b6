import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCse, manualClock } from '../index.ts';
import { sampleCse } from '../testing/sample-cse.ts';

const tree = {
  resources: [{ ae: { rn: 'App', api: 'N.a', rr: true }, children: [{ container: { rn: 'c' }, instances: ['1'] }] }],
};

describe('a CSE in memory', () => {
  test('goes back to a snapshot', async () => {
    const clock = manualClock();
    await using cse = createCse({ clock });
    await cse.seed(tree);
    const before = cse.snapshot();
    const { id } = cse.tree.get('App/c');
    cse.core.perform({ operation: 'delete', to: 'onem2m/App' });
    await cse.seed({ resources: [{ container: { rn: 'later' } }] });
    cse.restore(before);
    assert.deepEqual([cse.tree.get('App/c').id, cse.tree.get('App/c').latest?.content], [id, '1']);
    assert.equal(cse.tree.has('later'), false);
    assert.deepEqual(cse.snapshot(), before);
    assert.throws(() => cse.restore({ ...before, cseId: 'another' }), { name: 'SnapshotError' });
    assert.equal(cse.tree.has('App'), true);
  });

  test('answers requests after it went back', async () => {
    const cse = sampleCse();
    const empty = cse.snapshot();
    await cse.seed(tree);
    assert.equal((await cse.send('GET', '/onem2m/App')).status, 200);
    cse.restore(empty);
    assert.equal((await cse.send('GET', '/onem2m/App')).status, 404);
  });

  test('has deviations switched on and off while it runs', async () => {
    const cse = sampleCse();
    await cse.seed(tree);
    const rr = async () => (await cse.send('GET', '/onem2m/App')).attributes.rr;
    const sound = await rr();
    assert.notEqual(sound, undefined);
    cse.deviate('ae.rr.missing');
    assert.equal(await rr(), undefined);
    assert.deepEqual(cse.activeDeviations(), ['ae.rr.missing']);
    cse.clearDeviations();
    assert.equal(await rr(), sound);
  });

  test('has simulated devices stopped, and others begin', async () => {
    const clock = manualClock();
    await using cse = createCse({ clock });
    const device = (into: string) => ({ devices: [{ into, every: '1m', after: '1m', value: { constant: 1 } }] });
    const first = await cse.startWorkload(device('one/c'));
    await clock.advance('2m');
    cse.stopWorkload();
    const second = await cse.startWorkload(device('two/c'));
    await clock.advance('3m');
    assert.deepEqual([first.pushed, second.pushed], [2, 3]);
  });

  test('refuses deviations that there are not, or that lie below HTTP', () => {
    const cse = createCse();
    assert.throws(() => cse.deviate('ae.rr.missing', 'ae.rr.mising'), /nearest is "ae\.rr\.missing"/);
    assert.deepEqual(cse.activeDeviations(), []);
    assert.throws(() => cse.deviate('tls.server-certificate.self-signed'), {
      name: 'UnknownDeviationError',
      message: /below HTTP.*disturbances\.add\('certificate is=self-signed'\)/,
    });
    assert.throws(() => cse.deviate('std.headers.content-length.left-out'), /start the CSE with deviations: \[/);
  });

  test('reaches inboxes beside a messenger that is given', async () => {
    let tell = (_url: string): void => {};
    const sent = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const messenger = {
      send: async (url: string) => {
        tell(url);
        return { status: { code: 2000, name: 'OK', http: 200 } };
      },
    };
    await using cse = createCse({ messenger });
    const inbox = cse.openInbox();
    const subscription = { nct: 1, enc: { net: [3] }, nu: [inbox.url, 'http://elsewhere.example/n'] };
    await cse.seed({ resources: [{ container: { rn: 'c' }, children: [{ subscription }] }] });
    cse.core.perform({
      operation: 'create',
      to: 'onem2m/c',
      content: { 'm2m:cin': { con: '1', cnf: 'text/plain:0' } },
    });
    assert.equal((await inbox.next()).content, '1');
    assert.equal(await sent, 'http://elsewhere.example/n');
  });
});
