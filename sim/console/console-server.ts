/** The console over HTTP: the page, what it reads, what it has done, and the events. On the loopback interface only. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameToken, newToken } from '../token.ts';
import { PortRefusal, refusalIn } from '../topology/port-refusal.ts';
import { reservePort } from '../topology/reserved-ports.ts';
import { type ConsoleParts, doings, readings } from './console-routes.ts';
import type { Events } from './events.ts';

export interface ConsoleServer {
  readonly url: string;
  close(): Promise<void>;
}

/** What is watched and steered by it. */
export interface Served extends ConsoleParts {
  readonly events: Events;
  readonly onError: (error: unknown) => void;
}

/** Bytes of a request's body. */
const longestBody = 1024 * 1024;

/** At 127.0.0.1; 0: at a free port. Rejects with node's error for a port that is taken. */
export async function serveConsole(options: Served, port: number): Promise<ConsoleServer> {
  let taken = port;
  const answer = answering(
    options,
    guardOf(() => taken),
  );
  const { events, onError } = options;
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const refusal = refusalIn(error);
      if (refusal === undefined) onError(error);
      if (response.headersSent) return response.destroy();
      const { status, message } = refusal ?? { status: 500, message: 'This failed; the terminal says why.' };
      sendJson(response, status, { error: message });
    });
  });
  server.listen({ port, host: '127.0.0.1' });
  await once(server, 'listening');
  taken = (server.address() as AddressInfo).port;
  const release = reservePort(taken);
  const close = async (): Promise<void> => {
    release();
    events.end();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${taken}`, close };
}

type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Rejects with a PortRefusal for what is not allowed, not there, or not possible. */
function answering(options: Served, guard: Guard): Answering {
  const files = pageFiles(guard.token);
  const [reads, does] = [readings(options), doings(options)];
  const { events } = options;
  const answerGet = (response: ServerResponse, { pathname, searchParams }: URL): boolean => {
    const file = files.get(pathname);
    const read = reads.get(pathname);
    if (file !== undefined) send(response, 200, file.type, file.text);
    else if (read !== undefined)
      sendJson(
        response,
        200,
        read((name) => searchParams.get(name) ?? ''),
      );
    else if (pathname !== '/events') return false;
    else if (!events.watch(response, securityHeaders)) {
      throw new PortRefusal(503, 'Too many pages of this console are open; close one.');
    }
    return true;
  };

  return async (request, response) => {
    const objection = guard.objectionTo(request);
    if (objection !== undefined) throw new PortRefusal(403, objection);
    const url = new URL(request.url ?? '/', 'http://console.invalid');
    const done = request.method === 'POST' ? does.get(url.pathname) : undefined;
    if (done !== undefined) sendJson(response, 200, await done(await bodyOf(request)));
    else if (request.method !== 'GET' || !answerGet(response, url)) {
      throw new PortRefusal(404, `There is no ${request.method} ${url.pathname} here.`);
    }
  };
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...securityHeaders, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json', JSON.stringify(value ?? null));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > longestBody) throw new PortRefusal(413, 'This is too long: a megabyte at most.');
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new PortRefusal(400, 'The body is not JSON.');
  }
}

// Who may use the console: the page that it has served itself, in a browser of this machine.

/** Name of the header by which the page shows that it has read the token. */
const tokenHeader = 'x-cselab-token';

/** Nothing from elsewhere, nothing inline, no frame around it. */
const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

interface Guard {
  /** Written into the page; a page of another origin cannot read it. */
  readonly token: string;
  /** Why the request is refused; undefined where it is not. */
  objectionTo(request: Pick<IncomingMessage, 'method' | 'headers'>): string | undefined;
}

/** `port`: at which the console listens. A name that leads to this machine by DNS rebinding is no name of the console. */
function guardOf(port: () => number): Guard {
  const token = newToken();
  const isOwnHost = (host: string) => ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port()}`);
  return {
    token,
    objectionTo({ method, headers }) {
      const { host = '', origin, 'sec-fetch-site': site } = headers;
      if (!isOwnHost(host)) return 'The console is reached at 127.0.0.1 or localhost only.';
      if (origin !== undefined && origin !== `http://${host}`) return 'A page of another origin may not do this.';
      if (method === 'GET' || method === 'HEAD') {
        // A link from elsewhere may lead to the page; nothing else may be loaded from there.
        const isOwn = site === undefined || site === 'same-origin' || site === 'none';
        return isOwn || headers['sec-fetch-mode'] === 'navigate'
          ? undefined
          : 'A page of another origin may not read this.';
      }
      return isSameToken(headers[tokenHeader], token)
        ? undefined
        : 'The token of the page is missing; load the page anew.';
    },
  };
}

/** The files of the page, read once: it is plain HTML, CSS and JavaScript modules, and preact as it is installed. */
interface PageFile {
  readonly type: string;
  readonly text: string;
}

const here = new URL('./page/', import.meta.url);

/** By their paths. `token` is written into the page. */
function pageFiles(token: string): ReadonlyMap<string, PageFile> {
  const page = readFileSync(new URL('index.html', here), 'utf8').replace('{{token}}', token);
  const style = ['colours', 'layout', 'parts', 'sequence', 'panel', 'narrow'].map((name) =>
    readFileSync(new URL(`${name}.css`, here), 'utf8'),
  );
  const scripts = readdirSync(here).filter((name) => name.endsWith('.js'));
  return new Map<string, PageFile>([
    ...scripts.map((name) => [`/${name}`, scriptAt(new URL(name, here))] as const),
    ['/', { type: 'text/html; charset=utf-8', text: page }],
    ['/style.css', { type: 'text/css; charset=utf-8', text: style.join('\n') }],
    ['/icon.svg', { type: 'image/svg+xml', text: readFileSync(new URL('icon.svg', here), 'utf8') }],
    ['/preact.js', scriptAt(new URL(import.meta.resolve('preact')))],
  ]);
}

function scriptAt(url: URL): PageFile {
  const text = readFileSync(url, 'utf8').replace(/\n\/\/# sourceMappingURL=.*/, '');
  return { type: 'text/javascript; charset=utf-8', text };
}
