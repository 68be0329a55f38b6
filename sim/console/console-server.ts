/** The console over HTTP: the page, what it reads, what it has done, and the events. On the loopback interface only. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Detour } from '../bindings/detour.ts';
import { type HttpServer, serveUnguarded } from '../bindings/http.ts';
import { reserved } from '../bindings/reserved-ports.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import { isSameToken, newToken } from '../environment/token.ts';
import { jsonAnswer, PortRefusal, portService } from '../topology/port-refusal.ts';
import type { Console } from './console.ts';
import { doings, readings } from './console-routes.ts';
import type { Events } from './events.ts';

/** Bytes of a request's body; what is more than twice as long is not even read. */
const longestBody = 1024 * 1024;
/** Nobody waits for what is under way when the console ends. */
const limits = { bodyBytes: 2 * longestBody, closeMilliseconds: 0 };

/** At 127.0.0.1; 0: at a free port. Rejects with node's error for a port that is taken. */
export async function serveConsole(options: Console, port: number): Promise<Pick<HttpServer, 'url' | 'close'>> {
  const { events, onError } = options;
  const at = { port };
  const guard = guardOf(at);
  const answer = answering(options, guard, await pageFiles(guard.token));
  const service = secured(portService({ answer, onError, failed: 'This failed; the terminal says why.' }));
  const detour = (request: HttpRequest) =>
    isForEvents(request) && guard.objectionTo(request) === undefined ? streaming(events) : undefined;
  const settings = { port, interface: '127.0.0.1', limits, onError, detour };
  const server = reserved(await serveUnguarded(service, settings));
  at.port = server.port;
  const close = (): Promise<void> => {
    events.end();
    return server.close();
  };
  return { url: server.url, close };
}

/** Rejects with a PortRefusal for what is not allowed, not there, or not possible. */
function answering(
  options: Console,
  guard: Guard,
  files: ReadonlyMap<string, PageFile>,
): (request: HttpRequest) => Promise<HttpResponse> {
  const [reads, does] = [readings(options), doings(options)];
  return async (request) => {
    const objection = guard.objectionTo(request);
    if (objection !== undefined) throw new PortRefusal(403, objection);
    const { method } = request;
    const { pathname, searchParams } = new URL(request.target, 'http://console.invalid');
    const done = method === 'POST' ? does.get(pathname) : undefined;
    if (done !== undefined) return found(await done(jsonOf(request)));
    const file = method === 'GET' ? files.get(pathname) : undefined;
    if (file !== undefined) return { status: 200, headers: { 'Content-Type': file.type }, body: file.text };
    const read = method === 'GET' ? reads.get(pathname) : undefined;
    if (read !== undefined) return found(read((name) => searchParams.get(name) ?? ''));
    throw new PortRefusal(404, `There is no ${method} ${pathname} here.`);
  };
}

const found = (value: unknown): HttpResponse => jsonAnswer(200, value ?? null);

function jsonOf({ body }: HttpRequest): unknown {
  if (body.length > longestBody) throw new PortRefusal(413, 'This is too long: a megabyte at most.');
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new PortRefusal(400, 'The body is not JSON.');
  }
}

const isForEvents = ({ method, target }: HttpRequest): boolean => method === 'GET' && /^\/events(?:\?|$)/.test(target);

/** The answer goes on for as long as somebody looks. */
function streaming(events: Events): Detour {
  return {
    isServed: false,
    take(_answer, { response, write }) {
      if (events.watch(response, securityHeaders)) return;
      write(withSecurity(jsonAnswer(503, { error: 'Too many pages of this console are open; close one.' })));
    },
  };
}

const secured = ({ handle, refuse }: HttpService): HttpService => ({
  handle: async (request) => withSecurity(await handle(request)),
  refuse: (error) => withSecurity(refuse(error)),
});

const withSecurity = (answer: HttpResponse): HttpResponse => ({
  ...answer,
  headers: { ...securityHeaders, ...answer.headers },
});

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
    // Text from messages cannot become markup or a script, whatever the page does with it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
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
  objectionTo(request: HttpRequest): string | undefined;
}

/** `at`: the port at which the console listens. A name that leads to this machine by DNS rebinding is no name of the console. */
function guardOf(at: { readonly port: number }): Guard {
  const token = newToken();
  const isOwnHost = (host: string) => ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${at.port}`);
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

/** The files of the page, read once: plain HTML and CSS, and one script. */
interface PageFile {
  readonly type: string;
  readonly text: string;
}

const here = new URL('./page/', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, here), 'utf8');

/** By their paths. `token` is written into the page. */
async function pageFiles(token: string): Promise<ReadonlyMap<string, PageFile>> {
  const style = ['colours', 'base'].map((name) => textOf(`../../web/${name}.css`));
  style.push(...['parts', 'layout', 'sequence', 'panel'].map((name) => textOf(`${name}.css`)));
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', text: textOf('index.html').replace('{{token}}', token) }],
    ['/style.css', { type: 'text/css; charset=utf-8', text: style.join('\n') }],
    ['/icon.svg', { type: 'image/svg+xml', text: textOf('icon.svg') }],
    ['/app.js', { type: 'text/javascript; charset=utf-8', text: await script() }],
  ]);
}

let bundled: Promise<string> | undefined;

/** The package has it beside its other files; from the sources it is made, once in a process. */
function script(): Promise<string> {
  bundled ??= existsSync(new URL('app.js', here)) ? Promise.resolve(textOf('app.js')) : pageScript();
  return bundled;
}

/** The page in one module. Rejects with esbuild's error for sources that are none. */
export async function pageScript(): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('app.tsx', here))],
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2022', legalComments: 'none' },
    ...{ jsx: 'automatic', jsxImportSource: 'preact' },
  });
  return outputFiles[0]?.text ?? '';
}
