import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConfigurationError, type ConfigurationProblem } from './problem.ts';
import { type ConfigurationReading, parseConfiguration, readConfigurationFile } from './read.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

interface Entry {
  name: string;
  package: string;
  disabled: boolean;
  config: object;
}

const http = { interface: '127.0.0.1', port: 8000, enable_https: false, require_cert: false };
const registration = {
  interval: 60,
  offset: 30,
  labels: ['a', 'b'],
  remote_cses: [
    {
      cse_base: 'base',
      cse_id: 'in-1',
      cse_type: 'in_cse',
      own_poa: ['http://h:1/'],
      poa: ['http://[::1]:2', 'http://k'],
    },
  ],
};
const onem2m = { cse_base: 'cse', cse_id: 'mn-1', cse_type: 'mn_CSE', sp_id: 'example.org' };

const entry = (name: string, config: object, disabled = false): Entry => ({ name, package: 'p', disabled, config });
const bothPlugins = [entry('HTTPTransportPlugin', http), entry('RegistrationHandler', registration)];

/** Certificates are all there. */
function parse(document: object): ConfigurationReading {
  return parseConfiguration(JSON.stringify(document, null, 2), 'folder/config.json', () => undefined);
}

const messages = (notes: readonly ConfigurationProblem[]) => notes.map(({ message }) => message);

test('the shipped files describe a gateway and a backend that find each other', () => {
  const gateway = readConfigurationFile(fixture('config-gateway.json')).settings;
  const backend = readConfigurationFile(fixture('config-backend.json')).settings;
  assert.deepEqual(
    [gateway.cse.cseId, gateway.cse.cseType, gateway.http?.interface, gateway.http?.port, gateway.http?.enableHttps],
    ['mn-cse-1', 'MN-CSE', '127.0.0.1', 8000, false],
  );
  assert.deepEqual([backend.cse.cseId, backend.cse.cseType, backend.http?.port], ['in-cse-1', 'IN-CSE', 18000]);
  assert.equal(backend.registration, undefined);
  const [remote, ...others] = gateway.registration?.remoteCses ?? [];
  assert.deepEqual(others, []);
  assert.deepEqual(
    [remote?.cseId, remote?.base, remote?.cseType],
    [backend.cse.cseId, backend.cse.base, backend.cse.cseType],
  );
  assert.deepEqual([remote?.poa, remote?.ownPoa], [['http://localhost:18000'], ['http://localhost:8000']]);
  assert.deepEqual(gateway.tls, {
    key: fixture('../certs/mn-cse-1-client-server.key.pem'),
    crt: fixture('../certs/mn-cse-1-client-server.cert.pem'),
    ca: fixture('../certs/ca-chain.cert.pem'),
  });
});

test('a file like deployed ones is read, and settings without effect are reported in few notes', () => {
  const { settings, notes } = readConfigurationFile(fixture('deployed-config/config-gateway.json'));
  assert.deepEqual(settings, {
    cse: {
      base: 'onem2m',
      cseId: 'mn-cse-1',
      spId: 'openmtc.org',
      cseType: 'MN-CSE',
      limits: { lifetime: 2000 },
      requireAuth: false,
      pointOfAccess: ['http://localhost:8000'],
    },
    http: { interface: '::', port: 8000, enableHttps: false, requireCert: true, rejectAtHandshake: false },
    acceptInsecureCerts: false,
    registration: {
      interval: 3600,
      offset: 3600,
      labels: ['openmtc'],
      remoteCses: [
        {
          base: 'onem2m',
          cseId: 'in-cse-1',
          cseType: 'IN-CSE',
          ownPoa: ['http://localhost:8000'],
          poa: ['http://localhost:18000'],
        },
      ],
    },
  });
  assert.deepEqual(
    notes.map(({ severity, line, message }) => [severity, line, message]),
    [
      ['note', 2, '"database" and "logging" are not used'],
      ['note', 7, '"default_content_type" and "additional_host_names" are not used'],
      ['note', 14, 'the plugin "NotificationHandler" is not used'],
      ['detail', 41, 'require_cert has no effect while enable_https is false'],
      ['detail', 44, 'the plugin "MQTTTransportPlugin" is disabled, and not used here anyway'],
      ['note', 57, '"default_privileges" is not used'],
      [
        'note',
        59,
        '"/openmtc.org/mn-cse-1" is not absolute, as in //openmtc.org/mn-cse-1; it is not used, because enabled is false',
      ],
      ['note', 60, 'these files are not all there, and without HTTPS nobody needs them'],
    ],
  );
});

test('the plugins may stand in a list, by their names, or in named lists', () => {
  const [first, second] = bothPlugins;
  const forms = [
    bothPlugins,
    { HTTPTransportPlugin: first, RegistrationHandler: second },
    { HTTPTransportPlugin: { ...first, name: undefined }, RegistrationHandler: second },
    { some_cse: bothPlugins },
    { one: [first], other: [second] },
  ];
  const [expected, ...others] = forms.map((plugins) => parse({ plugins, onem2m }));
  assert.deepEqual(expected?.notes, []);
  for (const other of others) assert.deepEqual(other, expected);
});

test('every value of the file is in the reading', () => {
  const secure = { interface: '::1', port: 0, enable_https: true, require_cert: true, reject_at_handshake: true };
  const { settings, notes } = parse({
    plugins: [entry('HTTPTransportPlugin', secure)],
    onem2m: {
      ...onem2m,
      cse_type: 'ASN-CSE',
      accept_insecure_certs: true,
      dynamic_authorization: { enabled: true, poa: [] },
      overwrite_originator: { enabled: true, originator: '//example.org/other', forwarded: true },
      ssl_certs: { key: 'k.pem', crt: '../c.pem', ca: '/ca.pem' },
    },
    global: { default_lifetime: 77, require_auth: true, disable_forwarding: true },
  });
  assert.deepEqual(settings, {
    cse: {
      base: 'cse',
      cseId: 'mn-1',
      spId: 'example.org',
      cseType: 'ASN-CSE',
      limits: { lifetime: 77 },
      requireAuth: true,
    },
    disableForwarding: true,
    http: { interface: '::1', port: 0, enableHttps: true, requireCert: true, rejectAtHandshake: true },
    tls: { key: resolve('folder/k.pem'), crt: resolve('c.pem'), ca: '/ca.pem' },
    acceptInsecureCerts: true,
    overwriteOriginator: '//example.org/other',
    overwriteForwarded: true,
  });
  assert.deepEqual(messages(notes), [
    'the certificates of other CSEs are not verified',
    'dynamic authorization is not supported: this CSE has access control policies only',
  ]);
});

test('a registration is read with its remote CSEs', () => {
  assert.deepEqual(parse({ plugins: bothPlugins, onem2m }).settings.registration, {
    interval: 60,
    offset: 30,
    labels: ['a', 'b'],
    remoteCses: [
      {
        base: 'base',
        cseId: 'in-1',
        cseType: 'IN-CSE',
        ownPoa: ['http://h:1'],
        poa: ['http://[::1]:2', 'http://k'],
      },
    ],
  });
});

test('a plugin that is disabled does not run, whatever its config says', () => {
  const plugins = [entry('HTTPTransportPlugin', { port: 'none' }, true), entry('RegistrationHandler', {}, true)];
  const { settings, notes } = parse({ plugins, onem2m });
  assert.equal(settings.http, undefined);
  assert.equal(settings.registration, undefined);
  assert.deepEqual(messages(notes), [
    'HTTPTransportPlugin is disabled, so this CSE does not listen',
    'RegistrationHandler is disabled',
  ]);
  const twice = [entry('HTTPTransportPlugin', { ...http, port: 1 }, true), entry('HTTPTransportPlugin', http)];
  assert.equal(parse({ plugins: twice, onem2m }).settings.http?.port, 8000);
});

test('a plugin that is missing does not run', () => {
  const { settings, notes } = parse({ plugins: [], onem2m });
  assert.equal(settings.http, undefined);
  assert.equal(settings.registration, undefined);
  assert.deepEqual(messages(notes), ['there is no HTTPTransportPlugin, so this CSE does not listen']);
});

test('without an interface the CSE listens on this machine only', () => {
  const { settings, notes } = parse({ plugins: [entry('HTTPTransportPlugin', { port: 1 })], onem2m });
  assert.deepEqual([settings.http?.interface, settings.http?.enableHttps], ['127.0.0.1', false]);
  assert.deepEqual(messages(notes), ['"interface" is missing, so the CSE listens on 127.0.0.1 only']);
});

test('a file that is missing, is a folder, or is not UTF-8 is a ConfigurationError', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  try {
    const file = join(folder, 'config.json');
    const problem = () => {
      try {
        readConfigurationFile(file);
      } catch (error) {
        assert(error instanceof ConfigurationError);
        return error.message;
      }
      return assert.fail('it was read');
    };
    assert.equal(problem(), `${file}:1:1: the file does not exist`);
    writeFileSync(file, Buffer.from('{\n  "a": "\xe4"\n}', 'latin1'));
    assert.equal(problem(), `${file}:2:9: this is not UTF-8\n 2 |   "a": "\u{fffd}"\n   |         ^`);
    assert.throws(() => readConfigurationFile(folder), { message: `${folder}:1:1: the file is a folder` });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the shipped file of the gateway forwards in its own name once that is enabled', () => {
  const shipped = JSON.parse(readFileSync(fixture('config-gateway.json'), 'utf8'));
  shipped.onem2m.overwrite_originator.enabled = true;
  const { overwriteOriginator, overwriteForwarded } = parse(shipped).settings;
  assert.deepEqual([overwriteOriginator, overwriteForwarded], ['//openmtc.org/mn-cse-1', true]);
});
