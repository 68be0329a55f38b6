import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shipped } from '../../certs/shipped.ts';
import { type UpOptions, UpOptionsError } from './options.ts';
import { readUpSettings } from './settings.ts';

const settings = (options: Partial<UpOptions>) => readUpSettings({ gateways: 1, ...options });

test('a gateway registers at a backend elsewhere, under its own URL', async () => {
  const registerAt = 'http://backend:18000';
  const { gateways, backend } = await settings({ registerAt, ownUrl: 'http://me:8000/', cseId: 'mn-7' });
  assert.equal(backend, undefined);
  assert.deepEqual(gateways[0]?.registration?.remoteCses, [
    { cseId: 'in-cse-1', base: 'onem2m', cseType: 'IN-CSE', poa: [registerAt], ownPoa: ['http://me:8000'] },
  ]);
  assert.deepEqual([gateways[0]?.cse.cseId, gateways[0]?.cse.pointOfAccess], ['mn-7', ['http://me:8000']]);
});

test('the backend elsewhere is called as its dialect has it, or as its URL says', async () => {
  const remoteOf = async (options: Partial<UpOptions>) => {
    const [remote] = (await settings(options)).gateways[0]?.registration?.remoteCses ?? [];
    return [remote?.cseId, remote?.base, remote?.poa];
  };
  const at = 'https://backend:18000';
  assert.deepEqual(await remoteOf({ registerAt: at, dialect: 'onem2m' }), ['id-in', 'cse-in', [at]]);
  assert.deepEqual(await remoteOf({ registerAt: `${at}/~/in-9/base` }), ['in-9', 'base', [at]]);
  for (const [wire, url] of [
    ['mqtt', 'mqtt://backend:1883'],
    ['ws', 'wss://backend:18100'],
    ['coap', 'coap://backend:5683'],
  ] as const) {
    assert.deepEqual(await remoteOf({ [wire]: true, registerAt: url }), ['in-cse-1', 'onem2m', [url]]);
    assert.deepEqual(await remoteOf({ [wire]: true, registerAt: `${url}/~/in-9/base` }), ['in-9', 'base', [url]]);
  }
  const { cse } = (await settings({ registerAt: at, dialect: 'onem2m' })).gateways[0] ?? {};
  assert.deepEqual([cse?.cseId, cse?.base], ['id-mn', 'cse-mn']);
});

test('a backend alone is reached by its own URL', async () => {
  const { backend } = await settings({ gateway: false, ownUrl: 'http://backend:18000' });
  assert.deepEqual(backend?.cse.pointOfAccess, ['http://backend:18000']);
});

test('certificates of a directory belong to the CSE of their name', async () => {
  const certs = shipped.path;
  const { gateways, backend, certificates } = await settings({ https: true, certs });
  const { cert, key } = shipped.certificate('mn-cse-1-client-server');
  assert.deepEqual(gateways[0]?.tls, { key, crt: cert, ca: shipped.chain });
  assert.equal(backend?.tls?.crt, shipped.certificate('in-cse-1-client-server').cert);
  assert.equal(certificates, undefined);
  await assert.rejects(settings({ https: true, certs, cseId: 'other' }), /there is no file ".*other-client-server/);
});

test('what contradicts itself about the place is refused', async () => {
  const registerAt = 'http://backend:18000';
  for (const [options, message] of [
    [{ registerAt, backendPort: 1 }, /goes without --backend and --backend-port/],
    [{ registerAt, gateway: false }, /--register-at is for gateways/],
    [{ registerAt: 'ws://backend:18100' }, /--register-at names a backend over WebSocket; it goes with --ws/],
    [{ registerAt: 'backend' }, /--register-at is an http or https URL, not "backend"/],
    [{ registerAt: `${registerAt}/onem2m` }, /--register-at is a URL such as/],
    [{ ownUrl: 'ftp://me' }, /--own-url is an http or https URL/],
    [{ ownUrl: 'http://me', gateways: 2 }, /--own-url is the URL of one CSE/],
    [{ certs: 'not-there' }, /--certs: there is no directory "not-there"/],
    [{ registerAt, https: true, cseId: 'other' }, /needs certificates that the backend trusts: --certs/],
  ] as const) {
    await assert.rejects(settings(options), (error: unknown) => {
      assert.ok(error instanceof UpOptionsError);
      assert.match(error.message, message);
      return true;
    });
  }
});
