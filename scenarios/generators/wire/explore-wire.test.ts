import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { createCse, type HttpServer, serveHttp } from '../../../sim/index.ts';
import { exploreWire, type WireFound, type WireOptions } from './explore-wire.ts';

const seed = 1;
const place = '/onem2m/wire1';

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
        if (plant(this, bytes.toString('latin1'), socket)) return;
        const upstream = this.#keep(connect(sound.port, '127.0.0.1'));
        upstream.write(bytes);
        socket.pipe(upstream).pipe(socket);
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

  /** Creates a container in the explored application entity. */
  async create(): Promise<void> {
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

function explore(url: string, more: Partial<WireOptions> = {}) {
  return exploreWire({ target: { url, base: 'onem2m' }, runs: 500, seed, ...more });
}

/** What was found, with its port left out. */
function told(found: WireFound | undefined) {
  return found && { ...found, bytes: found.bytes.replace(/127\.0\.0\.1:\d+/, 'HOST') };
}

describe('malformed and odd bytes', () => {
  for (const [dialect, base] of [
    ['documented', 'onem2m'],
    ['onem2m', 'cse-in'],
  ] as const) {
    test(`find nothing in the sound CSE, ${dialect}, and leave nothing behind`, async () => {
      const defects: unknown[] = [];
      const cse = createCse({ dialect, requireAuth: false, onError: (error) => defects.push(error) });
      const server = await serveHttp(cse.http, { onError: (error) => defects.push(error) });
      const headers =
        dialect === 'onem2m' ? [...Object.entries({ 'X-M2M-Origin': 'Ca', 'X-M2M-RI': '1', 'X-M2M-RVI': '4' })] : [];
      const result = await exploreWire({ target: { url: server.url, base, dialect, headers }, runs: 500, seed });
      await server.close();
      assert.deepEqual(result, { runs: 500, seed });
      assert.deepEqual(defects, []);
      assert.equal(cse.core.tree.size, 1);
    });
  }

  test('find a connection that is neither answered nor closed, and are made as short as they can be', async () => {
    await using front = await Front.before((_front, bytes) => /^\S+ \S*%(?![\da-f]{2})/i.test(bytes));
    const { found } = await explore(front.url, { timeout: 1000 });
    assert.equal(told(found)?.bytes, `GET ${place}/c/% HTTP/1.1\\r\\nHost: HOST\\r\\n\\r\\n`);
    assert.match(found?.says ?? '', /neither answers nor closes/);
    assert.equal(found?.answer, 'no complete answer within 1 s');
    assert.equal(found?.requirement, 'gap');
  });

  test('find a success for a length that is none', async () => {
    await using front = await Front.before((_front, bytes, socket) => {
      if (!/Content-Length: (?!\d+\r\n)/.test(bytes)) return false;
      return socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n') !== undefined;
    });
    const { found, runs } = await explore(front.url);
    assert.match(found?.bytes ?? '', /\\r\\nContent-Length: -1\\r\\n\\r\\n\{"m2m:cin"/);
    assert.equal(found?.what, 'a length that is no length');
    assert.equal(found?.says, 'The request is answered by 200, though it is malformed.');
    assert.equal(found?.requirement, 'http.contradicting-lengths');
    assert.ok(runs < 500);
  });

  test('find a refusal that has changed the tree', async () => {
    await using front = await Front.before((at, bytes, socket) => {
      if (!/\r\nX\r\n/.test(bytes)) return false;
      at.create().then(() => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'));
      return true;
    });
    const { found } = await explore(front.url);
    assert.equal(told(found)?.bytes, `GET ${place}/c HTTP/1.1\\r\\nHost: HOST\\r\\nX\\r\\n\\r\\n`);
    assert.equal(found?.says, 'The request, answered by 400, has changed the tree.');
    assert.equal(found?.requirement, 'body.refused-stores-nothing');
  });

  test('find a 500, which is a failure and no refusal', async () => {
    await using front = await Front.before((_front, bytes, socket) => {
      if (!bytes.includes('[[[')) return false;
      return socket.end('HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\nOops') !== undefined;
    });
    const { found } = await explore(front.url);
    assert.match(found?.bytes ?? '', /\{"con":\[\[\[(?!\[)/);
    assert.match(found?.what ?? '', /^nesting of 3 levels/);
    assert.equal(found?.answer, '500 Oops');
    assert.match(found?.says ?? '', /has failed, not refused/);
  });

  test('find a server that is gone after them, and keep what was found', async () => {
    await using front = await Front.before((at, bytes) => {
      if (!bytes.includes('\0')) return false;
      at.stop();
      return true;
    });
    const { found, ended } = await explore(front.url);
    assert.match(found?.bytes ?? '', /\\x00/);
    assert.equal(found?.says, 'The next request, on a new connection, is not served.');
    assert.equal(found?.requirement, 'http.goes-on');
    assert.match(ended ?? '', /cannot be explored/);
  });
});

describe('an exploration', () => {
  const planted = () =>
    Front.before((_front, bytes, socket) => {
      if (!/Transfer-Encoding: gzip/.test(bytes)) return false;
      return socket.end('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n') !== undefined;
    });

  test('is repeated from the path that it gave, in one run', async () => {
    await using front = await planted();
    const first = await explore(front.url);
    const again = await explore(front.url, { ...(first.found?.path !== undefined && { path: first.found.path }) });
    assert.ok(first.found?.path);
    assert.equal(again.runs, 1);
    assert.equal(told(again.found)?.bytes, told(first.found)?.bytes);
  });

  test('gives the bytes to be sent and the same to be read', async () => {
    await using front = await planted();
    const { found } = await explore(front.url);
    const text = Buffer.from(found?.exact ?? []).toString();
    assert.match(text, /\r\nTransfer-Encoding: gzip\r\n\r\n/);
    assert.equal(found?.bytes, text.replaceAll('\r\n', '\\r\\n'));
  });

  test('ends when it is stopped', async () => {
    await using front = await planted();
    const stopping = new AbortController();
    let runs = 0;
    const onRun = () => {
      runs += 1;
      if (runs === 3) stopping.abort();
    };
    const result = await explore(front.url, { signal: stopping.signal, onRun });
    assert.deepEqual(result, { runs: 3, seed, ended: 'It was stopped.' });
  });

  test('says why a target cannot be explored', async () => {
    const result = await explore('http://127.0.0.1:1');
    assert.equal(result.runs, 0);
    assert.match(result.ended ?? '', /^The target cannot be explored: POST \/onem2m got .*refused/);
  });
});
