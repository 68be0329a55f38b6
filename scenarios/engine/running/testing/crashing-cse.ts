/** For tests: a CSE that dies of requests, and comes back when somebody waits for it. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { PauseClock } from '../../targets/exchanging/clocks.ts';
import { bodyOf } from '../../targets/test-servers.ts';
import { answerOf, type TestRequest } from '../../test-cse.ts';

export interface CrashingCse {
  readonly url: string;
  readonly log: string[];
  readonly deaths: () => number;
  /** By which time passes while it is waited for: with the first pause it is back, empty, unless it `stays` dead. */
  readonly clock: PauseClock;
  /** Brings it back whatever it `stays`. */
  readonly restart: () => Promise<void>;
}

/** `kills`: after such a request nobody listens any more, or with `hangs` nothing is answered; or only its connection is `cut`. */
export async function crashingCse(
  t: TestContext,
  kills: (request: TestRequest) => boolean | 'cut',
  { hangs = false, stays = false }: { readonly hangs?: boolean; readonly stays?: boolean } = {},
): Promise<CrashingCse> {
  const state = { deaths: 0, dead: false, tree: freshTree(), now: 0 };
  const log: string[] = [];
  const sockets = new Set<Socket>();
  let server: Server;
  const listener: RequestListener = async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: (await bodyOf(incoming)).toString() };
    if (state.dead) return;
    log.push(`${method} ${path}`);
    const end = kills(request);
    if (end === 'cut') incoming.socket.destroy();
    else if (end) die();
    if (end) return;
    const { status, body } = answerOf(request, state.tree);
    response.writeHead(status).end(body === undefined ? undefined : JSON.stringify(body));
  };
  const open = async (port: number) => {
    server = createServer(listener).on('connection', (socket: Socket) => {
      sockets.add(socket.on('close', () => sockets.delete(socket)));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const die = () => {
    if (state.dead) return;
    state.deaths += 1;
    state.dead = true;
    if (hangs) return;
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const port = await open(0);
  const restart = async () => {
    if (!state.dead) return;
    state.tree = freshTree();
    state.dead = false;
    if (!hangs) await open(port);
  };
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const pause = async (milliseconds: number) => {
    state.now += milliseconds;
    if (!stays) await restart();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    deaths: () => state.deaths,
    clock: { now: () => state.now, pause },
    restart,
  };
}

function freshTree(): Map<string, unknown> {
  return new Map<string, unknown>([['/onem2m', { 'm2m:cb': { csi: '/test-cse', rn: 'onem2m' } }]]);
}
