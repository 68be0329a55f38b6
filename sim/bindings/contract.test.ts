import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { setupServer } from 'msw/node';
import { type CertificatePair, shipped } from '../../certs/shipped.ts';
import { CseError } from '../core/status.ts';
import { assembleCse } from '../cse/assemble-cse.ts';
import { createCse } from '../cse/create-cse.ts';
import type { HttpService, Peer } from '../dialects/http-message.ts';
import { cseHandlers } from '../msw.ts';
import { authentication } from '../topology/installation.ts';
import { createFetch } from './fetch.ts';
import { serveHttp } from './http.ts';
import type { HttpLimits } from './limits.ts';
import {
  type BindingName,
  CONTRACT,
  type ContractAnswer,
  type ContractRequest,
  CSE_SEQUENCE,
  ORIGINATOR,
  sentBy,
} from './testing/contract.ts';
import { createEchoService } from './testing/echo-service.ts';
import { answersIn } from './testing/raw-client.ts';
import type { TlsOptions } from './tls.ts';

interface Binding extends AsyncDisposable {
  send(request: ContractRequest): Promise<ContractAnswer>;
  /** What the service was reported to have failed with. */
  readonly failures: unknown[];
}

const ca = readFileSync(shipped.chain, 'utf8');
const pair = ({ cert, key }: CertificatePair) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
});
const material = { ca, ...pair(shipped.certificate('mn-cse-1-client-server')) };
const own = pair(shipped.certificate('test-ae'));
const host = '127.0.0.1';
/** Of which the handlers of MSW know how the CSE is called. */
const { core } = createCse();

type Open = (service: HttpService, limits?: Partial<HttpLimits>) => Promise<Binding>;

const bindings: Record<BindingName, Open> = {
  http: overSockets(undefined, (port) => connectTcp({ port, host })),
  https: overSockets('optional', (port) => connectTls({ port, host, ca })),
  'mutual TLS': overSockets('required', (port) => connectTls({ port, host, ca, ...own })),
  async fetch(service, limits = {}) {
    const failures: unknown[] = [];
    const fetch = createFetch(service, { limits, onError: (error) => failures.push(error) });
    return { failures, send: (request) => sendToFunction(fetch, request), [Symbol.asyncDispose]: async () => {} };
  },
  async msw(service, limits = {}) {
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    const handlers = cseHandlers({ core, http: service }, 'http://localhost', {
      limits,
      onError,
      onNearMiss: () => {},
    });
    const server = setupServer(...handlers);
    server.listen({ onUnhandledRequest: 'error' });
    return {
      failures,
      send: (request) => sendToFunction(fetch, request),
      [Symbol.asyncDispose]: async () => server.close(),
    };
  },
};

/** Who the service is told that the client is. */
const peers: Record<BindingName, Peer | undefined> = {
  http: undefined,
  https: { uris: undefined },
  'mutual TLS': { uris: [ORIGINATOR] },
  fetch: undefined,
  msw: undefined,
};

function overSockets(
  clientCertificate: TlsOptions['clientCertificate'] | undefined,
  connect: (port: number) => Socket,
): Open {
  const tls = clientCertificate === undefined ? {} : { tls: { material, clientCertificate } };
  return async (service, limits = {}) => {
    const failures: unknown[] = [];
    const server = await serveHttp(service, {
      hosts: ['gateway.example'],
      limits,
      onError: (error) => failures.push(error),
      ...tls,
    });
    return {
      failures,
      send: (request) => sendOverSocket(connect(server.port), request),
      [Symbol.asyncDispose]: () => server.close(),
    };
  };
}

/** Rejects when the connection ends in another way than in order. */
async function sendOverSocket(socket: Socket, request: ContractRequest): Promise<ContractAnswer> {
  const body = Buffer.from(request.body ?? '');
  const headers: Record<string, string> = { Host: 'localhost', Connection: 'close', ...request.headers };
  if (request.body !== undefined) headers['Content-Length'] = String(body.length);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${request.method} ${request.target} HTTP/1.1\r\n${lines.join('')}\r\n`;
  socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
  const answers = answersIn(await buffer(socket), request.method === 'HEAD');
  const [answer] = answers;
  assert.ok(answer !== undefined && answers.length === 1, 'there is exactly one answer');
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...rest } = answer.headers;
  return { status: answer.status, headers: rest, body: answer.body };
}

async function sendToFunction(
  fetch: (request: Request) => Promise<Response>,
  { method, target, headers = {}, body }: ContractRequest,
): Promise<ContractAnswer> {
  const answer = await fetch(
    new Request(`http://localhost${target}`, { method, headers, ...(body === undefined ? {} : { body }) }),
  );
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
}

const checkFor = (name: BindingName) =>
  authentication({ requireCertificate: name === 'mutual TLS', isRegisteredCse: () => false });

/** The service behind the check of the gateway, noting who it is told that the client is. */
function guarded(name: BindingName, service: HttpService): HttpService & { readonly seen: (Peer | undefined)[] } {
  const check = checkFor(name);
  const seen: (Peer | undefined)[] = [];
  return {
    seen,
    handle(request) {
      seen.push(request.peer);
      try {
        check(request);
      } catch (error) {
        if (error instanceof CseError) return service.refuse(error);
        throw error;
      }
      return service.handle(request);
    },
    refuse: (error) => service.refuse(error),
  };
}

const names: readonly BindingName[] = ['http', 'https', 'mutual TLS', 'fetch', 'msw'];
for (const name of names) {
  describe(`the ${name} binding keeps the contract`, () => {
    const applicable = CONTRACT.filter((one) => one.notApplicable?.[name] === undefined);
    for (const { name: title, request, limits, check } of applicable) {
      test(title, async () => {
        const service = guarded(name, createEchoService());
        await using binding = await bindings[name](service, limits);
        const answer = await binding.send(name === 'mutual TLS' ? sentBy(ORIGINATOR, request) : request);
        check(answer);
        assert.equal(binding.failures.length, answer.status === 500 ? 1 : 0);
        for (const peer of service.seen) assert.deepEqual(peer, peers[name]);
      });
    }
    test('every case runs, or cannot occur here for a stated reason', (context) => {
      for (const { name: title, notApplicable } of CONTRACT) {
        if (notApplicable?.[name] !== undefined) context.diagnostic(`${title}: ${notApplicable[name]}`);
      }
      const reasons = CONTRACT.flatMap((one) => one.notApplicable?.[name] ?? []);
      assert.equal(applicable.length + reasons.length, CONTRACT.length);
      assert.ok(reasons.every((reason) => reason.length > 10));
    });
  });
}

describe('the same CSE gives the same answers, byte for byte', () => {
  const statuses = [201, 201, 201, 201, 409, 200, 200, 200, 200, 404, 406, 200, 204, 405, 400, 400, 415, 413, 200, 404];

  async function conversation(name: BindingName, requests: readonly ContractRequest[]): Promise<ContractAnswer[]> {
    await using binding = await bindings[name](sameCse(name));
    const answers: ContractAnswer[] = [];
    for (const request of requests) answers.push(await binding.send(request));
    assert.deepEqual(binding.failures, []);
    return answers;
  }

  async function assertSame(over: readonly BindingName[], requests: readonly ContractRequest[]): Promise<void> {
    const expected = await conversation('http', requests);
    const seen = expected.map(({ status }) => status);
    assert.deepEqual(seen, statuses);
    for (const name of over) assert.deepEqual(await conversation(name, requests), expected, name);
  }

  test('over every binding without a client certificate, to who names no originator', () =>
    assertSame(['https', 'fetch', 'msw'], CSE_SEQUENCE));

  test('over every binding, to the originator whose certificate it is', () => {
    const requests = CSE_SEQUENCE.map((request) => sentBy(ORIGINATOR, request));
    return assertSame(['https', 'mutual TLS', 'fetch', 'msw'], requests);
  });
});

test('over mutual TLS an originator outside the certificate is refused, and nothing is created', async () => {
  const [create, , , , , read] = CSE_SEQUENCE;
  assert.ok(create !== undefined && read !== undefined);
  await using binding = await bindings['mutual TLS'](sameCse('mutual TLS'));
  const others = ['CTest-AE', `${ORIGINATOR}2`, '//openmtc.org/mn-cse-1'].map((other) => sentBy(other, create));
  for (const request of [create, ...others]) {
    const { status, headers } = await binding.send(request);
    assert.deepEqual([status, headers['x-m2m-rsc']], [403, '4103']);
  }
  assert.equal((await binding.send(sentBy(ORIGINATOR, read))).status, 404);
});

/** Two of these differ in nothing: their time stands still and their names are counted. */
function sameCse(binding: BindingName): HttpService {
  let names = 0;
  const randomText = (length: number): string => String(names++).padStart(length, '0');
  const options = { clock: { now: () => 1_700_000_000_000_000 }, randomText };
  const sender = { send: () => Promise.reject(new Error('nobody')) };
  return assembleCse(options, { sender }, () => ({ admit: checkFor(binding) })).http;
}

test('a body is not read further than the limit', async () => {
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(100));
    },
  });
  // A stream as the body needs `duplex`, which the type of the options does not know.
  const options = { method: 'POST', body: endless, duplex: 'half' };
  const request = new Request('http://localhost/', options);
  const answer = await createFetch(createEchoService(), { limits: { bodyBytes: 1000 } })(request);
  assert.equal(answer.status, 413);
  assert.ok(pulled < 20, `${pulled} pieces were read`);
});

test('a whole CSE in place of its service is refused at once', async () => {
  const cse = JSON.parse('{"http":{},"core":{}}');
  assert.throws(() => createFetch(cse), /not the HTTP service of a CSE/);
  await assert.rejects(serveHttp(cse), TypeError);
});

test('it takes what fetch takes: a request, a URL or a text, and what differs from that', async () => {
  const fetch = createFetch(createEchoService());
  const url = 'http://localhost/a?b=1';
  const init = { method: 'POST', body: 'content', headers: { 'X-M2M-RI': '1' } };
  const echoed = await Promise.all(
    [fetch(new Request(url, init)), fetch(url, init), fetch(new URL(url), init), fetch(new Request(url), init)].map(
      async (answer) => (await answer).text(),
    ),
  );
  assert.match(echoed[0] ?? '', /POST/);
  assert.equal(new Set(echoed).size, 1, echoed.join('\n'));
  await assert.rejects(fetch('no URL'), TypeError);
});

test('an aborted request rejects with the reason of its signal', async () => {
  const reason = new Error('no longer wanted');
  const request = new Request('http://localhost/', { signal: AbortSignal.abort(reason) });
  await assert.rejects(createFetch(createEchoService())(request), reason);
});

test('where a request has no stream of its body, the body is read at once, and no more of it is taken', async () => {
  const fetch = createFetch(createEchoService(), { limits: { bodyBytes: 5 } });
  const statuses = ['12345', '123456'].map(async (body) => {
    const request = new Request('http://localhost/', { method: 'POST', body });
    Object.defineProperty(request, 'body', { value: undefined });
    return (await fetch(request)).status;
  });
  assert.deepEqual(await Promise.all(statuses), [200, 413]);
});
