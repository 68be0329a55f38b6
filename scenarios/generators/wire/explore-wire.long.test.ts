import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { createCse, type HttpServer, serveHttp, startPair } from '../../../sim/index.ts';
import { exploreWire, type WireOptions } from './explore-wire.ts';
import type { WireCounterexample, WireEvent, WireResult } from './wire-exploration.ts';

const seed = 1;

/** A server before the sound CSE; true from `plant` when it has dealt with the bytes itself. */
class Front implements AsyncDisposable {
  readonly #sound: HttpServer;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(sound: HttpServer, plant: (front: Front, bytes: string, socket: Socket) => boolean) {
    this.#sound = sound;
    this.#server = createServer((socket) => {
      this.#keep(socket);
      socket.once('data', (bytes) => {
        if (!plant(this, bytes.toString('latin1'), socket)) this.pass(bytes, socket);
      });
    });
  }

  static async before(plant: (front: Front, bytes: string, socket: Socket) => boolean): Promise<Front> {
    const sound = await serveHttp(createCse().http);
    const front = new Front(sound, plant);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Hands on these bytes, and whatever comes after them. */
  pass(bytes: string | Buffer, socket: Socket): true {
    const upstream = this.#keep(connect(this.#sound.port, '127.0.0.1'));
    upstream.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    socket.pipe(upstream).pipe(socket);
    return true;
  }

  /** Creates a container in the application entity that these bytes are about. */
  async createIn(bytes: string): Promise<void> {
    const [place = ''] = /\/onem2m\/[^/\s]+/.exec(bytes) ?? [];
    const body = JSON.stringify({ 'm2m:cnt': {} });
    const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
    await fetch(this.#sound.url + place, { method: 'POST', headers, body });
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#sound.close();
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    return socket.on('error', () => {});
  }
}

async function explore(options: WireOptions, onEvent: (event: WireEvent) => void = () => {}): Promise<WireResult> {
  const events = exploreWire({ runs: 500, seed, ...options });
  let step = await events.next();
  for (; !step.done; step = await events.next()) onEvent(step.value);
  return step.value;
}

const at = (url: string, more: Partial<WireOptions> = {}) =>
  explore({ target: { kind: 'url', url, risky: 'all' }, ...more });

/** Without what differs from run to run. */
function anonymous(found: WireCounterexample | undefined): string {
  return (found?.bytes ?? '').replace(/127\.0\.0\.1:\d+/g, 'HOST').replace(/cl-\w+-1/g, 'NAME');
}

const refuse = (socket: Socket, answer: string): true => {
  socket.end(`HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n`);
  return true;
};

describe('malformed and odd bytes', () => {
  for (const [dialect, base] of [
    ['documented', 'onem2m'],
    ['onem2m', 'cse-in'],
  ] as const) {
    test(`find nothing in the sound CSE, ${dialect}, and leave nothing behind`, async () => {
      const defects: unknown[] = [];
      const cse = createCse({ dialect, onError: (error) => defects.push(error) });
      const server = await serveHttp(cse.http, { onError: (error) => defects.push(error) });
      const target = {
        kind: 'url',
        url: server.url,
        base,
        risky: 'all',
        ...(dialect === 'onem2m' && { admin: 'CAdmin' }),
      } as const;
      const result = await explore({ target, dialect, level: 'gap', runs: 150, safety: { survey: true } });
      await server.close();
      assert.equal(result.exit.code, 0, JSON.stringify([result.exit, result.counterexample]));
      assert.equal(result.runs + result.withheld, 150);
      assert.ok(result.withheld < 25, String(result.withheld));
      assert.equal(result.split, 3);
      assert.deepEqual(result.notes, []);
      assert.deepEqual(defects, []);
      assert.equal(cse.core.tree.size, 1);
    });
  }

  test('find a connection that is neither answered nor closed, and are made as short as they can be', async () => {
    await using front = await Front.before((_front, bytes) => /^\S+ \S*%(?![\da-f]{2})/i.test(bytes));
    const { counterexample, exit } = await at(front.url, { timeout: 1000 });
    assert.equal(anonymous(counterexample), 'GET /onem2m/NAME-w/c/% HTTP/1.1\\r\\nHost: HOST\\r\\n\\r\\n');
    assert.match(counterexample?.says ?? '', /neither answers nor closes/);
    assert.equal(counterexample?.answer, 'no complete answer within 1 s');
    assert.equal(counterexample?.requirement, 'errors.unknown-path.retrieve');
    assert.equal(counterexample?.confirmed, true);
    assert.deepEqual([exit.code, counterexample?.file.kind], [1, 'scenario']);
  });

  const lenient = () =>
    Front.before(
      (_front, bytes, socket) => /Content-Length: (?!\d+\r\n).*\r\n\r\n/s.test(bytes) && refuse(socket, '200 OK'),
    );

  test('find a success for a length that is none, where what the specification leaves open is demanded', async () => {
    await using front = await lenient();
    const { counterexample, runs } = await at(front.url, { level: 'gap' });
    assert.match(counterexample?.bytes ?? '', /\\r\\nContent-Length: -1\\r\\n\\r\\n\{"m2m:cin"/);
    assert.equal(counterexample?.what, 'a negative length (R-4.2)');
    assert.equal(counterexample?.says, 'The request is answered by 200, though it is malformed.');
    assert.equal(counterexample?.requirement, 'http.contradicting-lengths');
    assert.match(counterexample?.file.text ?? '', /leaves this open: cselab check reports what/);
    assert.ok(runs < 500);
  });

  test('find nothing wrong with a success that no documented requirement forbids', async () => {
    await using front = await lenient();
    assert.equal((await at(front.url, { runs: 80 })).exit.code, 0);
  });

  test('find a refusal that has changed the tree', async () => {
    await using front = await Front.before((here, bytes, socket) => {
      if (!/\r\nX\r\n/.test(bytes)) return false;
      here.createIn(bytes).then(() => refuse(socket, '400 Bad Request'));
      return true;
    });
    const { counterexample } = await at(front.url);
    assert.equal(anonymous(counterexample), 'GET /onem2m/NAME-w/c HTTP/1.1\\r\\nHost: HOST\\r\\nX\\r\\n\\r\\n');
    assert.equal(counterexample?.says, 'The request, answered by 400, has changed the tree.');
    assert.equal(counterexample?.requirement, 'body.refused-stores-nothing');
    assert.equal(counterexample?.confirmed, true);
    assert.match(counterexample?.file.text ?? '', /bytes: "GET \/\$\{base\}\/\$\{name\}-w\/c HTTP/);
  });

  test('find a 500, which is a failure and no refusal', async () => {
    await using front = await Front.before(
      (_front, bytes, socket) => bytes.includes('[[[') && refuse(socket, '500 Oops'),
    );
    const { counterexample } = await at(front.url);
    assert.match(counterexample?.bytes ?? '', /\{"con":\[\[\[(?!\[)/);
    assert.match(counterexample?.what ?? '', /^nesting of 3 levels/);
    assert.equal(counterexample?.answer, '500');
    assert.match(counterexample?.says ?? '', /has failed, not refused/);
    assert.equal(counterexample?.confirmed, true);
  });

  test('find a server that is gone after them, and keep what was found', async () => {
    await using front = await Front.before((here, bytes) => {
      if (!bytes.includes('\0')) return false;
      here.stop();
      return true;
    });
    const { counterexample, exit } = await at(front.url);
    assert.match(counterexample?.bytes ?? '', /\\x00/);
    assert.equal(counterexample?.says, 'The next request, on a new connection, is not served.');
    assert.deepEqual([counterexample?.requirement, counterexample?.confirmed], ['http.goes-on', false]);
    assert.equal(exit.code, 4, 'what was not seen again is not told as violated');
  });

  test('are kept as a text with the command line where no requirement says anything of them', async () => {
    await using front = await Front.before(
      (_front, bytes, socket) => /\r\nX-M2M-RI:/.test(bytes) && refuse(socket, '500 Oops'),
    );
    const { counterexample, exit } = await at(front.url);
    assert.deepEqual([counterexample?.requirement, counterexample?.confirmed, exit.code], ['gap', true, 1]);
    assert.match(counterexample?.file.text ?? '', /^printf 'GET \/onem2m.*X-M2M-RI: .*\| nc 127\.0\.0\.1 \d+$/m);
    assert.match(counterexample?.file.text ?? '', /\\r\\nX-M2M-RI: .*\\r\\n\\r\\n$/m);
  });

  test('go over TLS, and are sent again by openssl', async () => {
    const deviations = ['std.content.broken.fails'];
    await using pair = await startPair({ dialect: 'onem2m', tls: 'server', backend: { deviations } });
    const { url, base } = pair.backend;
    const target = {
      kind: 'url',
      url,
      base,
      risky: 'all',
      admin: 'CAdmin',
      tls: { cacert: pair.certs?.chain ?? '' },
    } as const;
    const { counterexample, exit } = await explore({ target, dialect: 'onem2m' });
    assert.deepEqual([exit.code, counterexample?.requirement], [1, 'std.content.broken'], exit.reason);
    assert.equal(counterexample?.confirmed, true);
    assert.match(counterexample?.curl ?? '', /^printf 'POST .*\| openssl s_client -quiet -connect 127\.0\.0\.1:\d+ /);
    assert.match(counterexample?.file.text ?? '', /^dialects:\n {2}- onem2m$/m);
  });
});

describe('a sound request behind malformed ones', () => {
  /** Bytes from the second request on; empty where there is one only. */
  const further = (bytes: string) => /^.+?\r\n\r\n(GET .*)$/s.exec(bytes)?.[1] ?? '';

  test('finds what is dropped that came in the same segment', async () => {
    await using front = await Front.before((here, bytes, socket) => {
      const rest = further(bytes);
      return (
        /Expect: a-miracle/i.test(bytes) &&
        rest !== '' &&
        here.pass(bytes.slice(0, -rest.length).replace('Expect: a-miracle\r\n', ''), socket)
      );
    });
    const { counterexample, exit } = await at(front.url, { timeout: 1000, runs: 1500 });
    assert.match(
      counterexample?.says ?? '',
      /^The next request on the same connection is not answered.*\(sent at once\)$/,
    );
    assert.match(
      anonymous(counterexample),
      /^GET \/onem2m\/NAME-w\/c HTTP\/1\.1.*\\r\\nExpect: a-miracle\\r\\n\\r\\n$/,
    );
    assert.match(counterexample?.answer ?? '', /^200 .*; then the connection is open$/s);
    assert.match(counterexample?.curl ?? '', /Expect: a-miracle.*GET \/onem2m\/[^ ]+\/sentinel HTTP/);
    assert.deepEqual([exit.code, counterexample?.file.kind, counterexample?.confirmed], [1, 'text', true]);
  });

  test('finds a body that is carried out as a request', async () => {
    await using front = await Front.before((here, bytes, socket) => {
      const body = further(bytes);
      return body.includes('/trap') && here.pass(bytes.replace(/Content-Length: \d+/, 'Content-Length: 0'), socket);
    });
    const { counterexample } = await at(front.url);
    assert.match(counterexample?.says ?? '', /^The body of the request was carried out as a request\./);
  });

  test('finds a request that is not answered before the next one', async () => {
    await using front = await Front.before((here, bytes, socket) => {
      const rest = further(bytes);
      return /^(?!GET|DELETE|POST|OPTIONS|TRACE)[a-z]+ /i.test(bytes) && rest !== '' && here.pass(rest, socket);
    });
    const { counterexample } = await at(front.url);
    assert.match(counterexample?.says ?? '', /^The request was not answered; the answer to the next request/);
  });

  test('and one that is cut finds a server that takes the first segment for the whole', async () => {
    await using front = await Front.before((_here, bytes, socket) => {
      return /^GET .*\/c HTTP.*[^\n]$/s.test(bytes) && refuse(socket, '400 Bad Request');
    });
    const { counterexample, split, runs } = await at(front.url);
    assert.match(counterexample?.says ?? '', /^Cut after \d+ bytes, it is answered by 400; whole, by 200\.$/);
    assert.equal(counterexample?.what, 'a GET that is cut at every byte');
    assert.deepEqual([split, runs, counterexample?.confirmed], [2, 0, true]);
    const again = await at(front.url, { path: counterexample?.path ?? '' });
    assert.equal(again.counterexample?.what, counterexample?.what);
    const polite = await explore({ target: { kind: 'url', url: front.url }, runs: 1 });
    assert.equal(polite.split, 0);
    assert.match(polite.notes.join(), /^left out as a risk: .*a head that comes in several TCP segments/);
  });
});

describe('an exploration', () => {
  const planted = () =>
    Front.before((_front, bytes, socket) => /Transfer-Encoding: gzip/.test(bytes) && refuse(socket, '500 Oops'));

  test('is repeated from the path that it gave, in one run', async () => {
    await using front = await planted();
    const { counterexample: first } = await at(front.url);
    assert.ok(first?.path);
    const again = await at(front.url, { path: first.path });
    assert.equal(again.runs, 1);
    assert.equal(anonymous(again.counterexample), anonymous(first));
  });

  test('counts what it sent by kind, and the answers', async () => {
    const result = await explore({ target: { kind: 'in-process' }, runs: 100 });
    const { parts, answers, malformations, requirements } = result.exercised;
    const total = (counts: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((sum, one) => sum + one, 0);
    assert.deepEqual([result.runs, total(parts), total(answers), total(malformations)], [100, 100, 100, 100]);
    assert.deepEqual(Object.keys(parts).sort(), ['body', 'header lines', 'length', 'path and query', 'request line']);
    assert.ok((requirements['http.not-http'] ?? 0) > 0);
    assert.match(result.target.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test('ends when it is stopped', async () => {
    await using front = await planted();
    const stopping = new AbortController();
    const target = { kind: 'url', url: front.url, risky: 'all' } as const;
    const result = await explore({ target, signal: stopping.signal }, ({ type }) => {
      if (type === 'searched') stopping.abort();
    });
    assert.deepEqual([result.exit.code, result.counterexample], [130, undefined]);
    assert.ok(result.runs < 500);
  });

  test('says why a target cannot be explored', async () => {
    const target = { kind: 'url', url: 'http://127.0.0.1:1', waitForTarget: 0 } as const;
    const away = await explore({ target });
    assert.deepEqual([away.exit.code, away.runs], [3, 0]);
    await using refusing = await Front.before(
      (_front, bytes, socket) => bytes.startsWith('POST') && refuse(socket, '403 Forbidden'),
    );
    const closed = await at(refusing.url);
    assert.equal(closed.exit.code, 4);
    assert.match(closed.exit.reason, /^the target cannot be explored: POST \/onem2m: 403/);
  });
});
