/** What follows an Upgrade on its connection is in another protocol, or in none: it is never a request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { shipped } from '../../certs/shipped.ts';
import { handedOver, only, serveEcho } from './testing/echo-server.ts';
import { answersIn, RawClient } from './testing/raw-client.ts';

const host = 'Host: a\r\n';
const smuggled = `DELETE /smuggled HTTP/1.1\r\n${host}\r\n`;
const follows = `POST /2 HTTP/1.1\r\n${host}Content-Length: ${smuggled.length}\r\n\r\n`;
const upgrade = (lines: string, body = '') => `POST /1 HTTP/1.1\r\n${host}Upgrade: h2c\r\n${lines}\r\n${body}`;

const first = {
  'without a body': upgrade('Connection: Upgrade\r\n'),
  'with a body': upgrade('Connection: upgrade, HTTP2-Settings\r\nContent-Length: 2\r\n', '{}'),
  'with chunks': upgrade('Connection: Upgrade\r\nTransfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
  'to a proxy': upgrade('Proxy-Connection: upgrade\r\n'),
  'that keeps the connection': upgrade('Connection: keep-alive, Upgrade\r\n'),
};

const { cert, key } = shipped.certificate('mn-cse-1-client-server');
const [own, secret, ca] = [cert, key, shipped.chain].map((file) => readFileSync(file, 'utf8')) as [
  string,
  string,
  string,
];
const material = { cert: own, key: secret, ca };

const ways = {
  HTTP: { options: {}, open: async (port: number): Promise<Duplex> => new RawClient(port).socket },
  TLS: {
    options: { tls: { material, clientCertificate: 'optional' } },
    async open(port: number): Promise<Duplex> {
      const socket = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: [] });
      await once(socket, 'secureConnect');
      return socket;
    },
  },
} as const;

for (const [name, { options, open }] of Object.entries(ways)) {
  for (const [kind, bytes] of Object.entries(first)) {
    test(`nothing that follows an Upgrade ${kind} over ${name} is a request`, async () => {
      await using running = await serveEcho(options);
      const client = await open(running.port);
      const received = buffer(client);
      // The head of the second request comes together with the first one, its body afterwards.
      client.write(bytes + follows);
      await running.service.arrival('/1');
      client.write(smuggled);
      const answer = only(answersIn(await received, false));
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.connection, 'close');
      assert.deepEqual(handedOver(running.service), ['/1']);
    });
  }
}
