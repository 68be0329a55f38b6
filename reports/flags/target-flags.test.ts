import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command, CommanderError } from 'commander';
import type { TargetChoice } from '../../scenarios/index.ts';
import { UsageError } from '../../scenarios/words.ts';
import { addFlags } from '../../sim/command-line/flag.ts';
import { chosenTarget, type Secrets } from './chosen-target.ts';
import { type TargetFlags, targetFlags } from './target-flags.ts';

function choice(line: string, secrets: Secrets = {}): TargetChoice {
  const command = addFlags(new Command().exitOverride().configureOutput({ outputError: () => {} }), targetFlags);
  command.parse(line === '' ? [] : line.split(' '), { from: 'user' });
  return chosenTarget(command.opts<TargetFlags>(), secrets).target;
}

const url = 'https://gw';

test('without a URL the reference CSE is checked', () => {
  assert.deepEqual(choice(''), { kind: 'embedded' });
  assert.deepEqual(choice('--in-process'), { kind: 'in-process' });
});

test('a URL comes with nothing that was not said', () => {
  assert.deepEqual(choice(`--url ${url}`), { kind: 'url', url, headers: [], tls: {} });
});

test('the flags of curl are read as curl reads them', () => {
  assert.deepEqual(
    choice(
      `--url ${url} -E ae.pem:open:sesame --key ae.key --cacert chain.pem -k -H A:b -H Authorization:x --cert-type p12`,
    ),
    {
      kind: 'url',
      url,
      headers: [
        ['A', 'b'],
        ['Authorization', 'x'],
      ],
      tls: {
        cacert: 'chain.pem',
        insecure: true,
        own: { cert: 'ae.pem', key: 'ae.key', type: 'P12', passphrase: 'open:sesame' },
      },
    },
  );
});

test('a passphrase on the command line comes before that of the environment', () => {
  const askPassphrase = async () => '';
  const own = (line: string, secrets: Secrets) => {
    const target = choice(`--url ${url} ${line}`, secrets);
    return target.kind === 'url' ? target.tls?.own : undefined;
  };
  assert.deepEqual(own('--cert a', { passphrase: 'p', askPassphrase }), { cert: 'a', passphrase: 'p', askPassphrase });
  assert.deepEqual(own('--cert a:b', { passphrase: 'p' }), { cert: 'a', passphrase: 'b' });
});

test('whether a certificate is required may be said either way, or not at all', () => {
  const required = (line: string) => {
    const target = choice(`--url ${url} ${line}`.trim());
    return target.kind === 'url' ? target.tls?.requireCert : 'no URL';
  };
  assert.deepEqual([required(''), required('--require-cert'), required('--no-require-cert')], [undefined, true, false]);
});

test('the originator may be given as its header', () => {
  const originator = (line: string) => {
    const target = choice(`--url ${url} ${line}`);
    return target.kind === 'url' ? [target.originator, target.headers] : [];
  };
  assert.deepEqual(originator('-H X-M2M-Origin://sp/cse/C1'), ['//sp/cse/C1', []]);
  assert.deepEqual(originator('--originator C1 -H x-m2m-origin:C1'), ['C1', []]);
  assert.throws(() => originator('--originator C1 -H X-M2M-Origin:C2'), /more than one originator: C2, C1/);
});

test('a backend is given, or played', () => {
  const { backend, asBackend } = choice(`--url ${url} --backend-url http://b --backend-base in`) as Record<
    string,
    unknown
  >;
  assert.deepEqual([backend, asBackend], [{ url: 'http://b', base: 'in' }, undefined]);
  const played = choice(
    `--url ${url} --as-backend 18000 --as-backend-interface :: --as-backend-label plant-7 --backend-wait 300s --backend-cse-id far`,
  ) as Record<string, unknown>;
  assert.deepEqual(played.asBackend, { port: 18000, interface: '::', label: 'plant-7', wait: 300_000, cseId: 'far' });
});

const wrong: Readonly<Record<string, RegExp>> = {
  '--base x': /^--base goes with --url$/,
  '-k --cert a --cse-id b': /^--cse-id, --cert, --insecure go with --url$/,
  '--in-process --url http://x': /exclude each other/,
  '--url https://x --key k': /^--key goes with --cert$/,
  '--url https://x --cert-type PEM': /^--cert-type goes with --cert$/,
  '--url https://x --cert a --cert-type DER': /PEM or P12, not "DER"/,
  '--url https://x --backend-base b': /go with --backend-url or --as-backend/,
  '--url https://x --backend-url http://b --as-backend 1': /exclude each other/,
  '--url https://x --backend-wait 5m': /^--backend-wait goes with --as-backend$/,
  '--url https://x --as-backend 70000': /Ports end at 65535/,
  '--url https://x --as-backend 0': /a port from 1 to 65535/,
  '--url https://x --as-backend-interface ::': /goes with --as-backend/,
  '--url https://x -H nothing': /-H 'Name: value'/,
  '--url https://x -H Name:': /-H 'Name: value'/,
  '--url https://x -H Host:a': /cselab writes the header Host itself/,
};

for (const [line, message] of Object.entries(wrong)) {
  test(`"${line}" is a usage error`, () => {
    assert.throws(
      () => choice(line),
      (error) => (error instanceof UsageError || error instanceof CommanderError) && message.test(error.message),
    );
  });
}

test('what the onem2m dialect adds comes with a URL', () => {
  assert.deepEqual(
    choice(`--url ${url} --admin CAdmin --release 4 --inbox-host tester --wait-budget 5ms --no-access-control`),
    {
      kind: 'url',
      url,
      admin: 'CAdmin',
      release: '4',
      accessControl: false,
      inboxHost: 'tester',
      waitBudget: 5,
      headers: [],
      tls: {},
    },
  );
  assert.deepEqual(choice('--dialect onem2m'), { kind: 'embedded' });
  assert.throws(() => choice('--admin CAdmin'), UsageError);
  assert.throws(() => choice('--dialect mca'));
});
