import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readUpSettings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-up-settings-test-'));
after(() => rmSync(folder, { recursive: true }));

const shipped = fileURLToPath(new URL('../../fixtures/config-gateway.json', import.meta.url));

/** The shipped file of the gateway with a `global` section. */
function fileWith(global: object): string {
  const configuration = JSON.parse(readFileSync(shipped, 'utf8'));
  const { ssl_certs: certificates } = configuration.onem2m;
  for (const name of Object.keys(certificates)) certificates[name] = resolve(dirname(shipped), certificates[name]);
  const file = join(folder, 'gateway.json');
  writeFileSync(file, JSON.stringify({ ...configuration, global }));
  return file;
}

test('require_auth of a configuration file acts, unless a flag says otherwise', async () => {
  const gateway = fileWith({ require_auth: true });
  const requireAuth = async (flags: object) => {
    const { gateways } = await readUpSettings({ gateway, backend: false, gateways: 1, ...flags });
    return gateways[0]?.cse.requireAuth;
  };
  assert.equal(await requireAuth({}), true);
  assert.equal(await requireAuth({ accessControl: false }), false);
  assert.equal(await requireAuth({ gateway: fileWith({}) }), false);
  assert.equal(await requireAuth({ gateway: fileWith({}), accessControl: true }), true);
});

test('without files, one CSE is started in the onem2m dialect, or a pair where flags request a backend', async () => {
  const named = async (flags: object) => {
    const { gateways, backend } = await readUpSettings({ gateways: 1, dialect: 'onem2m', ...flags });
    const cses = [...gateways, ...(backend ? [backend] : [])];
    return cses.map(({ cse, registration }) => [
      ...[cse.dialect, cse.base, cse.cseId, cse.cseType],
      registration?.remoteCses.map(({ cseId }) => cseId) ?? [],
    ]);
  };
  const central = ['onem2m', 'cse-in', 'id-in', 'IN-CSE', []];
  assert.deepEqual(await named({}), [central]);
  assert.deepEqual(await named({ backend: false, backendPort: 1 }), [central]);
  assert.deepEqual(await named({ gateway: false }), [central]);
  assert.deepEqual(await named({ backendPort: 0 }), [['onem2m', 'cse-mn', 'id-mn', 'MN-CSE', ['id-in']], central]);
});

test('in the onem2m dialect access control is on by default, and a file or a flag can turn it off', async () => {
  const requireAuth = async (flags: object) => {
    const { gateways } = await readUpSettings({ gateways: 1, dialect: 'onem2m', ...flags });
    return gateways[0]?.cse.requireAuth;
  };
  assert.equal(await requireAuth({}), undefined, 'left to the dialect');
  assert.equal(await requireAuth({ accessControl: false }), false);
  assert.equal(await requireAuth({ gateway: fileWith({ require_auth: false }), backend: false }), false);
});

test('gateways whose ports reach that of the backend are reported, before anything listens', async () => {
  await assert.rejects(
    readUpSettings({ gateways: 3, port: 8000, backendPort: 8002 }),
    /^UpOptionsError: mn-cse-3 and the backend would both listen at port 8002; choose another one$/,
  );
  assert.equal((await readUpSettings({ gateways: 2, port: 8000, backendPort: 8002 })).gateways.length, 2);
});

test('--limit goes to the core or to the listener, by its name', async () => {
  const { gateways } = await readUpSettings({
    backend: false,
    gateways: 1,
    limit: ['subscriptions=3', 'connections=9'],
  });
  assert.equal(gateways[0]?.cse.limits?.subscriptions, 3);
  assert.deepEqual(gateways[0]?.http?.limits, { connections: 9 });
  for (const wrong of ['subscriptions', 'toString=1', 'connections=-1', 'nothing=1']) {
    await assert.rejects(readUpSettings({ gateways: 1, limit: [wrong] }), /--limit takes name=number/, wrong);
  }
});

test('listening with the shipped keys gives a note', async () => {
  const notes = async (flags: object) =>
    (await readUpSettings({ backend: false, gateways: 1, ...flags })).notes.join('\n');
  assert.match(await notes({ https: true }), /everybody has the private keys/);
  assert.doesNotMatch(await notes({}), /private keys/);
});

const portsOf = (wire: 'ws' | 'coap') => async (flags: object) => {
  const { gateways, backend } = await readUpSettings({ gateways: 2, ...flags });
  return [...gateways, backend].map((one) => one?.[wire]?.port);
};

test('WebSocket has a port above that of HTTP, or those that are named, the backend the last', async () => {
  const ports = portsOf('ws');
  assert.deepEqual(await ports({}), [undefined, undefined, undefined]);
  assert.deepEqual(await ports({ ws: true }), [8100, 8101, 18100]);
  assert.deepEqual(await ports({ ws: true, port: 0 }), [0, 0, 0]);
  assert.deepEqual(await ports({ ws: 9000 }), [9000, 9001, 9002]);
  assert.deepEqual(await ports({ ws: 0 }), [0, 0, 0]);
});

test('CoAP has its own port and those after it, the backend the last', async () => {
  const ports = portsOf('coap');
  assert.deepEqual(await ports({}), [undefined, undefined, undefined]);
  assert.deepEqual(await ports({ coap: true }), [5683, 5684, 5685]);
  assert.deepEqual(await ports({ coap: true, port: 0 }), [0, 0, 0]);
  assert.deepEqual(await ports({ coap: 9000, port: 0 }), [9000, 9001, 9002]);
});
