/** CSEs for the tests of applications: the reference CSE on a clock that the test moves, and one that the test plays. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveHttp } from '../../bindings/http.ts';
import { createCse } from '../../cse/create-cse.ts';
import { writeTimestamp } from '../../dialects/timestamp.ts';
import { type ManualClock, manualClock } from '../../environment/clock.ts';

/** The reference CSE, and a clock that the application has too. */
export async function laboratory() {
  const clock = manualClock();
  const cse = createCse({ clock });
  /** `<method> <target>` of everything that came. */
  const requests: string[] = [];
  /** What an application is told in the background. */
  const failures: unknown[] = [];
  const serve = (served: typeof cse, port = 0) => {
    const { http } = served;
    const handle: typeof http.handle = (request) => {
      requests.push(`${request.method} ${request.target}`);
      return http.handle(request);
    };
    return serveHttp({ handle, refuse: (error) => http.refuse(error) }, { port });
  };
  let server = await serve(cse);
  const { port, url } = server;
  return {
    clock,
    cse,
    requests,
    failures,
    url,
    onError: (error: unknown) => void failures.push(error),
    stop: () => server.close(),
    /** As it was before `stop`. */
    resume: async () => {
      server = await serve(cse, port);
    },
    /** Stops it, if it runs, and starts it with nothing in its memory. */
    restartEmpty: async () => {
      await server.close();
      server = await serve(createCse({ clock }), port);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

export interface SimulatedRequest {
  readonly method: string;
  readonly target: string;
  /** What is below the root key of the body. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface SimulatedAnswer {
  readonly status: number;
  /** A text is sent as it is. */
  readonly body?: object | string;
}

type Respond = (request: SimulatedRequest) => SimulatedAnswer | Promise<SimulatedAnswer>;

/** Answers as the test says, and no better. */
export async function simulateCse(respond: Respond) {
  const requests: SimulatedRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Uint8Array[] = await incoming.toArray();
    const content: object = JSON.parse(Buffer.concat(pieces).toString('utf8') || '{}');
    const request = {
      method: incoming.method ?? '',
      target: incoming.url ?? '',
      attributes: Object.values(content)[0] ?? {},
    };
    requests.push(request);
    const { status, body = '' } = await respond(request);
    outgoing.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** An AE with the times that the clock says, which is so many seconds off, and a lifetime in seconds. */
export function applicationBody(clock: ManualClock, lifetime: number, offset = 0): object {
  const now = clock.now() + offset * 1_000_000;
  const [ct, et] = [now, now + lifetime * 1_000_000].map(writeTimestamp);
  return { 'm2m:ae': { rn: 'App', aei: 'CApp', ct, lt: ct, et } };
}

/** What a test waits for, or lets others wait for. */
export function signal(): { readonly raised: Promise<void>; readonly raise: () => void } {
  let raise = () => {};
  const raised = new Promise<void>((resolve) => {
    raise = resolve;
  });
  return { raised, raise };
}
