/** A server in front of the echo service, and what the tests say about its answers. */
import assert from 'node:assert/strict';
import { type HttpServer, type HttpServerOptions, serveHttp } from '../http.ts';
import { createEchoService, type Echo, type EchoService } from './echo-service.ts';
import { converse, type RawAnswer } from './raw-client.ts';

interface RunningServer extends AsyncDisposable {
  readonly service: EchoService;
  readonly server: HttpServer;
  readonly port: number;
  /** What the service was reported to have failed with. */
  readonly failures: unknown[];
}

export async function serveEcho(options: HttpServerOptions = {}): Promise<RunningServer> {
  const service = createEchoService();
  const failures: unknown[] = [];
  const server = await serveHttp(service, { onError: (error) => failures.push(error), hosts: ['a'], ...options });
  return { service, server, failures, port: server.port, [Symbol.asyncDispose]: () => server.close() };
}

/** The one answer that there is. */
export function only(answers: readonly RawAnswer[]): RawAnswer {
  const [answer] = answers;
  assert.ok(answer !== undefined && answers.length === 1, `one answer is expected, not ${answers.length}`);
  return answer;
}

export const echoIn = (answer: RawAnswer | undefined): Echo => JSON.parse(answer?.body ?? 'null');

export const targetsIn = (answers: readonly RawAnswer[]): string[] => answers.map((answer) => echoIn(answer).target);

/** A refusal in the service's shape that ends the connection; its sentence contains the text. */
export function assertRefused(answer: RawAnswer, status: number, code: number, text: string): void {
  assert.equal(answer.status, status);
  assert.equal(answer.headers['x-m2m-rsc'], String(code));
  assert.equal(answer.headers.connection, 'close');
  assert.ok(JSON.parse(answer.body)['m2m:dbg'].includes(text), answer.body);
}

/** The server still works. */
export async function assertServes(port: number): Promise<void> {
  const { answers } = await converse(port, 'GET /still-there HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.equal(echoIn(only(answers)).target, '/still-there');
}

/** The targets that the service was handed, but for those of assertServes. */
export const handedOver = (service: EchoService): string[] =>
  service.targets.filter((target) => target !== '/still-there');
