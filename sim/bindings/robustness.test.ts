/** Whatever bytes arrive: no crash, no 5xx, no hang, and the next client is served. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCse, type HttpService } from '../index.ts';
import { serveHttp } from './http.ts';
import { createEchoService } from './testing/echo-service.ts';
import { converse, RawClient } from './testing/raw-client.ts';

const HEADS = [
  'GET /onem2m HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n',
  'POST /onem2m HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX-A: b\r\n\r\n',
  'PUT /a%20b?fu=1 HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\n1',
  'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
  'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
  'DELETE http://a/onem2m/b HTTP/1.1\r\nHost: a\r\nX-M2M-Origin: C\r\nX-M2M-Origin: D\r\n\r\n',
];

const byte = fc.oneof(
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(...Buffer.from('\r\n\0 :/?#%*,;-01234567890aAGHTP.{}"\xff', 'latin1')),
);
const soup = fc.array(byte, { maxLength: 300 }).map((bytes) => Buffer.from(bytes));

/** Some requests one after the other, with pieces cut out, put in and overwritten. */
const mutated = fc
  .tuple(
    fc.array(fc.constantFrom(...HEADS), { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(600), fc.nat(4), fc.array(byte, { maxLength: 4 })), { minLength: 1, maxLength: 5 }),
  )
  .map(([heads, edits]) => {
    const bytes = [...Buffer.from(heads.join(''), 'latin1')];
    for (const [at, removed, added] of edits) bytes.splice(at % bytes.length, removed, ...added);
    return Buffer.from(bytes);
  });

/** The pieces in which the bytes are written. */
const pieces = fc.tuple(fc.oneof(soup, mutated), fc.array(fc.nat(400), { maxLength: 3 })).map(([bytes, cuts]) => {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
});

const services: Record<string, () => HttpService> = {
  'the echo service': createEchoService,
  'the reference CSE': () => createCse().http,
};

for (const [name, create] of Object.entries(services)) {
  test(`no bytes bring down the binding in front of ${name}`, async () => {
    const failures: unknown[] = [];
    await using server = await serveHttp(create(), { hosts: ['a'], onError: (error) => failures.push(error) });
    const property = fc.asyncProperty(pieces, async (bytes) => {
      const client = new RawClient(server.port);
      for (const piece of bytes) {
        await new Promise<void>((resolve) => client.socket.write(piece, () => setImmediate(resolve)));
      }
      client.socket.end();
      await client.ended;
      assert.doesNotMatch(client.received.toString('latin1'), /HTTP\/1\.1 5\d\d /);
      const { answers } = await converse(server.port, 'GET /onem2m HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      assert.equal(answers[0]?.status, 200);
      assert.deepEqual(failures, []);
    });
    await fc.assert(property, { numRuns: 300 });
  });
}
