import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HttpService } from '../dialects/http-message.ts';
import { createCse } from '../index.ts';
import { type BindingName, CONTRACT, type ContractAnswer, type ContractRequest, CSE_SEQUENCE } from './contract.ts';
import { createFetch } from './fetch.ts';
import { serveHttp } from './http.ts';
import type { HttpLimits } from './limits.ts';
import { createEchoService } from './testing/echo-service.ts';
import { converse } from './testing/raw-client.ts';

interface Binding extends AsyncDisposable {
  send(request: ContractRequest): Promise<ContractAnswer>;
  /** What the service was reported to have failed with. */
  readonly failures: unknown[];
}

const bindings: Record<BindingName, (service: HttpService, limits?: Partial<HttpLimits>) => Promise<Binding>> = {
  async http(service, limits = {}) {
    const failures: unknown[] = [];
    const server = await serveHttp(service, { limits, onError: (error) => failures.push(error) });
    return {
      failures,
      send: (request) => sendOverSocket(server.port, request),
      [Symbol.asyncDispose]: () => server.close(),
    };
  },
  async fetch(service, limits = {}) {
    const failures: unknown[] = [];
    const fetch = createFetch(service, { limits, onError: (error) => failures.push(error) });
    return { failures, send: (request) => sendToFunction(fetch, request), [Symbol.asyncDispose]: async () => {} };
  },
};

async function sendOverSocket(port: number, request: ContractRequest): Promise<ContractAnswer> {
  const body = Buffer.from(request.body ?? '');
  const headers: Record<string, string> = { Host: 'localhost', Connection: 'close', ...request.headers };
  if (request.body !== undefined) headers['Content-Length'] = String(body.length);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${request.method} ${request.target} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), body]);
  const { answers } = await converse(port, bytes, { bodyless: request.method === 'HEAD' });
  const [answer] = answers;
  assert.ok(answer !== undefined && answers.length === 1, 'there is exactly one answer');
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...own } = answer.headers;
  return { status: answer.status, headers: own, body: answer.body };
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

const names: readonly BindingName[] = ['http', 'fetch'];
for (const name of names) {
  describe(`the ${name} binding keeps the contract`, () => {
    const applicable = CONTRACT.filter((one) => one.notApplicable?.[name] === undefined);
    for (const { name: title, request, limits, check } of applicable) {
      test(title, async () => {
        await using binding = await bindings[name](createEchoService(), limits);
        const answer = await binding.send(request);
        check(answer);
        assert.equal(binding.failures.length, answer.status === 500 ? 1 : 0);
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

test('every binding gives the same answers, byte for byte, for the same CSE', async () => {
  const conversations: ContractAnswer[][] = [];
  for (const name of names) {
    await using binding = await bindings[name](sameCse());
    const answers: ContractAnswer[] = [];
    for (const request of CSE_SEQUENCE) answers.push(await binding.send(request));
    assert.deepEqual(binding.failures, []);
    conversations.push(answers);
  }
  const [overHttp, overFetch] = conversations;
  assert.deepEqual(overFetch, overHttp);
  const statuses = overHttp?.map(({ status }) => status);
  assert.deepEqual(
    statuses,
    [201, 201, 201, 201, 409, 200, 200, 200, 200, 404, 406, 200, 204, 405, 400, 400, 415, 413, 200, 404],
  );
});

/** Two of these differ in nothing: their time stands still and their names are counted. */
function sameCse(): HttpService {
  let names = 0;
  const randomText = (length: number): string => String(names++).padStart(length, '0');
  return createCse({ clock: { now: () => 1_700_000_000_000_000 }, randomText }).http;
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

test('an aborted request rejects with the reason of its signal', async () => {
  const reason = new Error('no longer wanted');
  const request = new Request('http://localhost/', { signal: AbortSignal.abort(reason) });
  await assert.rejects(createFetch(createEchoService())(request), reason);
});
