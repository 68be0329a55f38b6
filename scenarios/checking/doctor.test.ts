/** Broken set-ups, each with what the doctor calls it and the line that mends it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { shipped } from '../../certs/shipped.ts';
import { createCse, serveHttp } from '../../sim/index.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { closedPort, pem, tcpServer } from '../engine/targets/test-servers.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import { type Deviation, type TestAnswer, testCse } from '../engine/test-cse.ts';
import { check } from './check.ts';
import { diagnose } from './doctor.ts';

const timeout = 1500;
const own = shipped.certificate('test-ae');
const cacert = shipped.chain;
const refused = (kind: string) => {
  const path = (ending: string) => fileURLToPath(new URL(`../../certs/refused/${kind}.${ending}.pem`, import.meta.url));
  return { cert: path('cert'), key: path('key') };
};

const attributes = {
  ...{ rn: 'cse-in', ty: 5, csi: '/gw', spi: '//sp.example', srv: ['2a', '3', '4'] },
  ...{ ct: '20260101T000000', lt: '20260101T000000' },
};

/** Reads its base as the standard has it, but for those whom it does not know. */
function healthy(given: object = {}, headers: Record<string, string> = {}): Deviation {
  return ({ path, headers: { 'x-m2m-origin': originator } }): TestAnswer => {
    if (originator !== 'CAdmin') return { status: 403, headers: { 'x-m2m-rsc': '4103' } };
    const [address, query] = path.split('?');
    if (address !== '/cse-in') return { status: 404, headers: { 'x-m2m-rsc': '4004' } };
    const body = query === undefined ? { 'm2m:cb': { ...attributes, ...given } } : { 'm2m:uril': [] };
    return { status: 200, headers: { 'x-m2m-rsc': '2000', ...headers }, body };
  };
}

const usual = { dialect: 'onem2m', base: 'cse-in', admin: 'CAdmin', release: '3' } as const;

/** What is wrong, with the change that is proposed. */
async function ills(choice: UrlChoice, more: Parameters<typeof diagnose>[1] = {}): Promise<string[]> {
  const { remarks } = await diagnose(choice, { timeout, ...more });
  return remarks.flatMap(({ about, state, says, change }) => {
    if (state !== 'wrong') return [];
    const mends = change === undefined ? '' : 'flag' in change ? change.flag : change.elsewhere;
    return [`${about}: ${says} → ${mends}`];
  });
}

type Broken = (
  t: TestContext,
) => Promise<{ readonly choice: UrlChoice; readonly more?: Parameters<typeof diagnose>[1] }>;

const at = (deviation: Deviation, choice: Partial<UrlChoice> = {}): Broken => {
  return async (t) => ({ choice: { ...usual, url: (await testCse(t, deviation)).url, ...choice } });
};
const secured = (
  choice: Partial<UrlChoice>,
  tls: Parameters<typeof testCse>[2] = {},
  deviation = healthy(),
): Broken => {
  return async (t) => ({ choice: { ...usual, url: (await testCse(t, deviation, tls)).url, ...choice } });
};
const bytes = (written: string | undefined): Broken => {
  return async (t) => {
    const url = await tcpServer(t, (socket) => void (written === undefined || socket.end(written)));
    return { choice: { ...usual, url } };
  };
};

const cases: Readonly<Record<string, readonly [Broken, RegExp]>> = {
  'a name that nobody knows': [
    async () => ({ choice: { ...usual, url: 'http://gateway.invalid:8000' } }),
    /^host name: no name server knows gateway\.invalid → /,
  ],
  'a port at which nobody listens': [
    async (t) => ({ choice: { ...usual, url: await closedPort(t) } }),
    /^port: nothing listens at 127\.0\.0\.1:\d+ → start the target/,
  ],
  'a server that says nothing': [bytes(undefined), /^answers: it does not answer: .* → /],
  'no HTTP': [bytes('SSH-2.0-OpenSSH_9.2\r\n'), /^answers: it does not answer as a CSE would: .* → /],
  'a page instead of a CSE': [
    bytes('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>'),
    /^answers: it answers, but not as a CSE/,
  ],
  'a page that is somewhere else': [
    bytes('HTTP/1.1 301 Moved\r\nLocation: https://other.example/\r\nContent-Length: 0\r\n\r\n'),
    /^answers: .*to https:\/\/other\.example\//,
  ],
  'a CSE that is asked in CBOR and knows JSON alone': [
    at(
      (request) =>
        request.headers.accept?.includes('cbor')
          ? { status: 406, headers: { 'x-m2m-rsc': '5207' } }
          : healthy()(request),
      { serialization: 'cbor' },
    ),
    /^serialization: it does not speak CBOR: GET \/cse-in as CAdmin: 406, RSC 5207 → --serialization json$/,
  ],
  'HTTPS at a port of plain HTTP': [
    async (t) => ({ choice: { ...usual, url: (await testCse(t, healthy())).url.replace('http:', 'https:') } }),
    /^TLS: 127\.0\.0\.1:\d+ does not speak TLS → --url http:\/\//,
  ],
  'plain HTTP at a port of HTTPS': [
    async (t) => ({ choice: { ...usual, url: (await testCse(t, healthy(), {})).url.replace('https:', 'http:') } }),
    /^TLS: it speaks HTTPS, and the URL says http → --url https:\/\//,
  ],
  'an authority that is not known': [
    secured({}),
    /^its certificate: it does not verify, its authority is not known: it was issued by .* → --cacert FILE$/,
  ],
  'a certificate of the target that signs itself': [
    secured({ tls: { cacert } }, pem(refused('self-signed'))),
    /^its certificate: it does not verify, it is self-signed/,
  ],
  'a certificate of the target that has expired': [
    secured({ tls: { cacert } }, pem(refused('expired'))),
    /^its certificate: it has expired, at .* → put a valid one/,
  ],
  'a certificate of the target from the future': [
    secured({ tls: { cacert } }, pem(refused('not-yet-valid'))),
    /^its certificate: it is not valid before .* set the clock/,
  ],
  'a certificate of the target for another host': [
    secured({ tls: { cacert } }, pem(refused('no-alternative-names'))),
    /^its certificate: it is for no name, and not for 127\.0\.0\.1/,
  ],
  'no client certificate where one is demanded': [
    secured({ tls: { cacert } }, { requestCert: true }),
    /^client certificate: .*it may want a client certificate → --cert FILE/,
  ],
  'no client certificate where the CSE, not its TLS, demands one': [
    secured({ tls: { cacert } }, {}, () => ({ status: 403, headers: { 'x-m2m-rsc': '4107' } })),
    /^client certificate: GET \/cse-in as CAdmin: 403, RSC 4107: it may want a client certificate → --cert FILE/,
  ],
  'a client certificate of another authority': [
    secured({ tls: { cacert, own: refused('other-authority') } }, { requestCert: true }),
    /^client certificate: .*closed the connection.*: it may not accept .*other-authority\.cert\.pem → give --cert another/,
  ],
  'a client certificate that has expired': [
    secured({ tls: { cacert, own: refused('expired') } }, { requestCert: true }),
    /^configuration: the client certificate .*expired\.cert\.pem cannot be used: it expired/,
  ],
  'a key of another certificate': [
    secured({ tls: { cacert, own: { cert: own.cert, key: shipped.certificate('test-ipe').key } } }),
    /^configuration: the private key in .* does not belong to the certificate in/,
  ],
  'the wrong word on client certificates': [
    secured({ tls: { cacert, own, requireCert: true } }, { requestCert: true, rejectUnauthorized: false }, (request) =>
      healthy()({ ...request, headers: { 'x-m2m-origin': 'CAdmin' } }),
    ),
    /^client certificate: it works without one as well → --no-require-cert$/,
  ],
  'another name of the CSE base': [
    at(healthy(), { base: 'onem2m' }),
    /^CSE base: it is \/cse-in, and not \/onem2m → --base cse-in$/,
  ],
  'the other dialect': [
    at(healthy(), { dialect: 'documented' }),
    /^dialect: it looks like onem2m, .* → --dialect onem2m$/,
  ],
  'another CSE-ID': [at(healthy(), { cseId: '/mn' }), /^CSE-ID: it is gw, and not mn → --cse-id gw$/],
  'another SP-ID': [
    at(healthy(), { spId: 'openmtc.org' }),
    /^SP-ID: it is sp\.example, and not openmtc\.org → --sp-id sp\.example$/,
  ],
  'a release that it does not list': [
    at(healthy({ srv: ['2a'] })),
    /^release: srv of its CSE base lists 2a → --release 2a$/,
  ],
  'an administrator whom it does not know': [
    at(healthy(), { admin: 'Cboss' }),
    /^administrator: Cboss may not read the CSE base: .*RSC 4103 → --admin CAdmin$/,
  ],
  'an originator whom it does not know': [
    at(healthy(), { originator: 'Cnobody' }),
    /^originator: none of the originators tried may read \/cse-in: .* → --admin ORIGINATOR$/,
  ],
  'a clock that is behind': [
    at((request) => healthy({}, { date: new Date(Date.now() - 100_000).toUTCString() })(request)),
    /^clock: it is (99|100|101) s behind ours: .* → set the clock/,
  ],
  'local time for UTC': [
    at((request) => healthy({}, { date: new Date(Date.now() + 7_200_000).toUTCString() })(request)),
    /^time zone: it reports local time as UTC, \d+ s ahead of ours: .* → make the target write times in UTC$/,
  ],
  'more than it answers in a second': [
    async (t) => {
      let count = 0;
      const { url } = await testCse(t, (request) => (++count > 1 ? { status: 429 } : healthy()(request)));
      return { choice: { ...usual, url } };
    },
    /^rate: it refuses ten requests per second with 429: .* → --rate 2\/s$/,
  ],
  'what another run has left': [
    at((request) => {
      const answer = healthy()(request) as TestAnswer;
      return request.path.includes('?') ? { ...answer, body: { 'm2m:uril': ['cse-in/cl-0ab1cd2-7-app'] } } : answer;
    }),
    /^leftovers: 1 application entities of other runs are there, such as cse-in\/cl-0ab1cd2-7-app → cselab cleanup/,
  ],
  'an inbox with a name that nobody knows': [
    at(healthy(), { inboxHost: 'harness.invalid' }),
    /^notifications: no name server here knows harness\.invalid → --inbox-host HOST$/,
  ],
};

/** What a run does not end for: it can be judged all the same, the target may be what is wrong, or it is unreachable, as the run says itself. */
const unsure = new Set([
  'a name that nobody knows',
  'a port at which nobody listens',
  'a server that says nothing',
  'no HTTP',
  'the wrong word on client certificates',
  'the other dialect',
  'a release that it does not list',
  'a clock that is behind',
  'local time for UTC',
  'what another run has left',
  'an inbox with a name that nobody knows',
]);

/** A scenario of each dialect. */
const some = { documented: 'documented/ae/create', onem2m: 'standard/status-codes' };

/** What of the set-up ends a run before anything is judged; undefined for nothing. */
async function obstacleIn({ dialect = 'documented', ...choice }: UrlChoice): Promise<string | undefined> {
  const target = { kind: 'url', waitForTarget: 0, ...choice } as const;
  const { exit, scenarios } = await lastOf(check({ target, dialect, ids: [some[dialect]], timeout, again: false }));
  if (exit.code !== 5) return undefined;
  assert.deepEqual(scenarios, []);
  return exit.reason;
}

for (const [what, [broken, ill]] of Object.entries(cases)) {
  test(`named right: ${what}`, async (t) => {
    const { choice, more } = await broken(t);
    const found = await ills(choice, more);
    assert.match(found.join('\n'), ill);
    assert.equal(found.length, 1, found.join('\n'));
  });
  test(`a check of ${what} ${unsure.has(what) ? 'does not blame the set-up' : 'ends with that'}`, async (t) => {
    const { choice } = await broken(t);
    const reason = await obstacleIn(choice).catch((error: unknown) => {
      assert.ok(error instanceof UsageError, String(error));
      return `configuration: ${error.message} → `;
    });
    if (unsure.has(what)) assert.equal(reason, undefined);
    else assert.match(reason ?? '', ill);
  });
}

test('a check by the wrong dialect ends where the CSE base is read by the other one only, with the line of the target file', async (t) => {
  await using gateway = await serveHttp(createCse({ dialect: 'onem2m' }).http);
  const folder = mkdtempSync(join(tmpdir(), 'cselab-target-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'gw.yaml');
  writeFileSync(file, `product: Ours\nurl: ${gateway.url}\ndialect: documented\nbase: cse-in\n`);
  const choice = { url: gateway.url, base: 'cse-in', product: 'Ours', file };
  const reason = await obstacleIn(choice);
  assert.match(reason ?? '', /^dialect: it looks like onem2m, and not documented: /);
  assert.ok(reason?.endsWith(` → ${file}:3: dialect: onem2m`), reason);
});

test('a check with a release that is refused, or an administrator who may not read, names what would be taken', async (t) => {
  const only =
    (release: string): Deviation =>
    (request) =>
      request.headers['x-m2m-rvi'] === release ? healthy()(request) : { status: 400, headers: { 'x-m2m-rsc': '4001' } };
  const old = { ...usual, url: (await testCse(t, only('2a'))).url, cseId: 'gw', product: 'Ours' };
  assert.match((await obstacleIn(old)) ?? '', /^release: it refuses requests of release 3 → --release 2a$/);
  const { url } = await testCse(t, healthy());
  const nobody = { ...usual, url, admin: 'Cboss', cseId: 'gw', product: 'Ours' };
  assert.match(
    (await obstacleIn(nobody)) ?? '',
    /^administrator: Cboss may not read the CSE base: .* → --admin CAdmin$/,
  );
});

test('a check of a target that tells its CSE base as it was said asks no more for the sake of the doctor', async (t) => {
  const { url, log } = await testCse(t, healthy());
  const target = { kind: 'url', url, base: 'cse-in', admin: 'CAdmin', product: 'Ours', cseId: '/gw' } as const;
  const { exit } = await lastOf(check({ target, dialect: 'onem2m', files: [] }));
  assert.notEqual(exit.code, 5);
  assert.equal(log.filter((line) => line === 'GET /cse-in').length, 1);
});

test('a check of a target that takes connections and says nothing waits for one answer in vain', async (t) => {
  let connections = 0;
  const url = await tcpServer(t, () => (connections += 1));
  const target = { kind: 'url', url, waitForTarget: 0 } as const;
  const { exit } = await lastOf(check({ target, files: [], timeout: 100 }));
  assert.deepEqual([exit.code, connections], [3, 1]);
  assert.match(exit.reason, /does not answer: no complete answer within 0\.1 s$/);
});

test('where nothing is wrong nothing is called so, and nothing is written', async (t) => {
  const { url, log } = await testCse(t, healthy());
  const { outcome, requests, remarks } = await diagnose({ ...usual, url }, { timeout });
  assert.deepEqual(
    remarks.filter(({ state }) => state === 'wrong'),
    [],
  );
  assert.equal(outcome, 'right');
  assert.equal(log.length, requests);
  assert.ok(log.every((line) => line.startsWith('GET ')));
});

test('a ledger of a run that was cut off is named with the command that removes what it left', async (t) => {
  const ledger = mkdtempSync(join(tmpdir(), 'cselab-ledgers-'));
  t.after(() => rmSync(ledger, { recursive: true }));
  const { url } = await testCse(t, healthy());
  const run = { kind: 'run', ledger: 1, run: 'abc1234', startedAt: '2026-01-01T00:00:00.000Z', pid: 2 ** 22 + 1 };
  const gateway = { url, base: 'cse-in', cseId: 'gw', spId: 'sp.example' };
  const lines = [
    { ...run, host: hostname(), gateway, dialect: 'onem2m', release: '3' },
    { kind: 'creating', number: 1, on: 'gateway', in: '/cse-in', name: 'cl-abc1234-1-app' },
  ];
  writeFileSync(join(ledger, 'abc1234.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  assert.deepEqual(await ills({ ...usual, url }, { ledger }), [
    'leftovers: run abc1234 was cut off, and 1 of its resources may remain → cselab cleanup --run abc1234',
  ]);
});

test('with write a notification is sent for, and what that took is gone again', async () => {
  await using gateway = await serveHttp(createCse({ dialect: 'onem2m' }).http);
  const choice = { ...usual, url: gateway.url };
  const { remarks, outcome } = await diagnose(choice, { timeout, write: true });
  assert.equal(outcome, 'right');
  assert.match(remarks.find(({ about }) => about === 'notifications')?.says ?? '', /^one arrived at http:\/\/127/);
  const again = await diagnose(choice, { timeout });
  assert.equal(again.remarks.find(({ about }) => about === 'leftovers')?.state, 'right');
});

test('with write a target that sends none is found', async () => {
  await using gateway = await serveHttp(createCse({ dialect: 'onem2m', notifyDeny: ['127.0.0.1'] }).http);
  const found = await ills({ ...usual, url: gateway.url, waitBudget: 1000 }, { timeout, write: true });
  assert.match(
    found.join('\n'),
    /^notifications: none arrived at 127\.0\.0\.1: create subscription in .* came to 500, RSC 5204 → see whether the target finds/,
  );
});
