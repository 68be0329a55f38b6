import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createCse, serveHttp } from '../../sim/index.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { type RobustnessOptions, type RobustnessResult, robustness } from './robustness.ts';

const run = (options: RobustnessOptions): Promise<RobustnessResult> => lastOf(robustness(options));

/** Before the reference CSE; true from `treat` when it has dealt with the connection itself. */
async function front(treat: (bytes: string, socket: Socket) => boolean) {
  const sound = await serveHttp(createCse().http);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => {});
  };
  const server = createServer((socket) => {
    keep(socket).once('data', (bytes) => {
      if (treat(bytes.toString('latin1'), socket)) return;
      const upstream = keep(connect(sound.port, '127.0.0.1'));
      upstream.write(bytes);
      socket.pipe(upstream).pipe(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    sound: sound.url,
    target: { kind: 'url', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } as const,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await sound.close();
    },
  };
}

test('a refusal that is none, a server error and a silence are wrong, with the line that sends the bytes', async () => {
  await using lenient = await front((bytes, socket) => {
    const answers = [
      [/Host: a b/, '200 OK'],
      [/^BREW/, '500 Oops'],
    ] as const;
    const [, status] = answers.find(([pattern]) => pattern.test(bytes)) ?? [];
    if (status !== undefined) socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
    return status !== undefined || /^G@T/.test(bytes);
  });
  const result = await run({
    target: { ...lenient.target, risky: 'all' },
    numbers: ['R-3.4', 'R-2.2', 'R-2.6', 'R-3.1'],
    timeout: 500,
  });
  assert.deepEqual(
    result.cases.map(({ number, verdict, came }) => [number, verdict, came]),
    [
      ['R-2.2', 'wrong', '500'],
      ['R-2.6', 'wrong', 'left waiting'],
      ['R-3.1', 'as it should', '400'],
      ['R-3.4', 'wrong', '200'],
    ],
  );
  assert.match(result.cases[3]?.curl ?? '', /^printf 'GET .*Host: a b.*\/sentinel HTTP.*\| nc 127\.0\.0\.1 \d+$/);
  assert.deepEqual([result.exit.code, result.exit.reason], [1, '3 of 4 robustness cases wrong']);
});

test('a target that dies is lost by the case that did it, and waited for', async () => {
  let deaf = 0;
  await using dying = await front((bytes, socket) => {
    if (/^BREW/.test(bytes)) deaf = 4;
    if (deaf === 0) return false;
    deaf -= 1;
    socket.destroy();
    return true;
  });
  const { cases, exit } = await run({ target: { ...dying.target, risky: 'all' }, numbers: ['R-2.2', 'R-2.3'] });
  assert.deepEqual(
    cases.map(({ number, verdict }) => [number, verdict]),
    [
      ['R-2.2', 'lost'],
      ['R-2.3', 'as it should'],
    ],
  );
  assert.deepEqual([exit.code, exit.reason], [1, '0 of 2 robustness cases wrong, and the target lost by 1']);
});

test('what kills a deployed product is left out at a live target, unless requested', async () => {
  await using live = await front(() => false);
  const polite = await run({ target: live.target, numbers: ['R-2.10', 'R-7.12'] });
  assert.deepEqual(
    polite.cases.map(({ verdict }) => verdict),
    ['left out', 'left out'],
  );
  assert.match(polite.cases[0]?.says ?? '', /^left out: a request whose method is none of .* kills tinyIoT /);
  assert.match(polite.cases[1]?.says ?? '', /^left out: a head that comes in several TCP segments kills tinyIoT /);
  assert.equal(polite.exit.code, 4);
  const { totals } = await run({ target: { ...live.target, risky: 'all' }, numbers: ['R-2.10', 'R-7.12'] });
  assert.equal(totals['as it should'], 2);
});

test('a POST that is carried out before the connection is closed may store what it creates', async () => {
  await using closing = await front((bytes, socket) => {
    if (!/^POST .*GET /s.test(bytes)) return false;
    const url = `${closing.sound}${/^POST (\S+)/.exec(bytes)?.[1]}`;
    const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
    fetch(url, { method: 'POST', headers, body: '{"m2m:cin":{"con":"a","cnf":"text/plain:0"}}' }).then(() =>
      socket.end('HTTP/1.0 201 Created\r\nContent-Length: 0\r\n\r\n'),
    );
    return true;
  });
  const { cases } = await run({ target: closing.target, numbers: ['R-6.3'] });
  assert.deepEqual(
    cases.map(({ verdict, came }) => [verdict, came]),
    [['tolerable', 'closed without an answer']],
  );
});

test('a target that is not there has no verdict', async () => {
  const { exit, cases } = await run({ target: { kind: 'url', url: 'http://127.0.0.1:1', waitForTarget: 0 } });
  assert.deepEqual([exit.code, cases.length], [3, 0]);
});
