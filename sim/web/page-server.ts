/** A page for users of this machine: its files, reads, actions and events. On the loopback interface only. */

import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Detour } from '../bindings/detour.ts';
import { type HttpServer, serveUnguarded } from '../bindings/http.ts';
import { reserved } from '../bindings/target-rules.ts';
import { getOrInsert } from '../core/memoize.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import { isSameToken, newToken } from '../environment/token.ts';
import { inForm, jsonAnswer, PortRefusal, portService } from '../topology/port-refusal.ts';

const mebibyte = 1024 * 1024;
/** More than twice the longest body is not even read; requests under way are cut when the page ends. */
const limitsOf = ({ longestBody = mebibyte }: PageService) => ({ bodyBytes: 2 * longestBody, closeMilliseconds: 0 });

interface PageFile {
  readonly type: string;
  readonly text: string;
}

type Parameter = (name: string) => string;

export interface PageService {
  /** Its name in refusals: `console`. */
  readonly name: string;
  /** By their paths. In the text of `/`, `{{token}}` stands for the token that its script needs for actions. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** Reads of the page, by paths. Each may throw a PortRefusal. */
  readonly reads: ReadonlyMap<string, (parameter: Parameter) => unknown>;
  /** Bytes of a request's body; 1 MiB when absent. */
  readonly longestBody?: number;
  /** Actions of the page, by paths, with the JSON that it sends. */
  readonly actions: ReadonlyMap<string, (body: unknown) => unknown>;
  /** Documents for its frame, by paths: whole pages, each with its own policy. */
  readonly documents?: ReadonlyMap<string, (parameter: Parameter) => string>;
  readonly events: {
    /** Writes to the response from now on, after these headers; false where too many watch already. */
    watch(response: ServerResponse, headers: Readonly<Record<string, string>>): boolean;
    end(): void;
  };
  /** Called with internal errors. */
  readonly onError: (error: unknown) => void;
}

/** At 127.0.0.1; 0: at a free port. Rejects with node's error for a port that is taken. */
export async function servePage(page: PageService, port: number): Promise<Pick<HttpServer, 'url' | 'close'>> {
  const { events, name, onError } = page;
  const at = { port };
  const guard = guardOf(name, at);
  const answer = answering(page, guard);
  const service = secured(portService({ answer, onError, failed: 'This failed; the terminal says why.' }));
  const detour = (request: HttpRequest) =>
    isForEvents(request) && guard.objectionTo(request) === undefined ? streaming(page) : undefined;
  const settings = { port, interface: '127.0.0.1', limits: limitsOf(page), onError, detour };
  const server = reserved(await serveUnguarded(service, settings));
  at.port = server.port;
  const close = (): Promise<void> => {
    events.end();
    return server.close();
  };
  return { url: server.url, close };
}

/** Rejects with a PortRefusal for requests that are forbidden, unknown or impossible. */
function answering(page: PageService, guard: Guard) {
  return async (request: HttpRequest): Promise<HttpResponse> => {
    const objection = guard.objectionTo(request);
    if (objection !== undefined) throw new PortRefusal(403, objection);
    const { method, target } = request;
    const { pathname, searchParams } = new URL(target, 'http://page.invalid');
    const act = method === 'POST' ? page.actions.get(pathname) : undefined;
    if (act !== undefined) return found(await act(jsonOf(request, page.longestBody)));
    const parameter = (name: string) => searchParams.get(name) ?? '';
    const answer = method === 'GET' ? await readAt(pathname, parameter, page, guard.token) : undefined;
    if (answer === undefined) throw new PortRefusal(404, `There is no ${method} ${pathname} here.`);
    return answer;
  };
}

async function readAt(path: string, parameter: Parameter, page: PageService, token: string) {
  const file = page.files.get(path);
  if (file !== undefined) return written(file, path === '/' ? token : undefined);
  const document = page.documents?.get(path);
  if (document !== undefined) return framed(document(parameter));
  const read = page.reads.get(path);
  return read === undefined ? undefined : found(await read(parameter));
}

const found = (value: unknown): HttpResponse => jsonAnswer(200, value ?? null);

const written = ({ type, text }: PageFile, token: string | undefined): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': type },
  body: token === undefined ? text : text.replace('{{token}}', token),
});

/** The document has its own policy for scripts; only the page may frame it. */
const framed = (text: string): HttpResponse => ({
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "frame-ancestors 'self'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox",
    'X-Frame-Options': 'SAMEORIGIN',
  },
  body: text,
});

function jsonOf({ body }: HttpRequest, longest = mebibyte): unknown {
  if (body.length > longest) throw new PortRefusal(413, `This is too long: ${longest / mebibyte} MiB at most.`);
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new PortRefusal(400, 'The body is not JSON.');
  }
}

const isForEvents = ({ method, target }: HttpRequest): boolean => method === 'GET' && /^\/events(?:\?|$)/.test(target);

/** The answer goes on for as long as somebody watches. */
function streaming({ name, events }: PageService): Detour {
  return {
    isServed: false,
    take(_answer, { response, write }) {
      if (events.watch(response, securityHeaders)) return;
      write(withSecurity(jsonAnswer(503, { error: `Too many pages of this ${name} are open; close one.` })));
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

// Only its own page may use it, in a browser of this machine.

/** Name of the header with the token of the page. */
const tokenHeader = 'x-cselab-token';

/** Nothing from elsewhere, nothing inline, no frame around it; its own frames are of this origin. */
const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Text from messages cannot become markup or a script.
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

/** `at`: the port at which the page is served. Names that lead to this machine by DNS rebinding are refused. */
function guardOf(name: string, at: { readonly port: number }): Guard {
  const token = newToken();
  const isOwnHost = (host: string) => ['127.0.0.1', 'localhost', '[::1]'].some((own) => host === `${own}:${at.port}`);
  return {
    token,
    objectionTo({ method, headers }) {
      const { host = '', origin, 'sec-fetch-site': site } = headers;
      if (!isOwnHost(host)) return `The ${name} is reached at 127.0.0.1 or localhost only.`;
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

interface PageSources {
  readonly title: string;
  /** With its style sheets and its script: app.tsx, or app.js in the package. */
  readonly folder: URL;
  /** Names of style sheets, in their order, after those of all pages. */
  readonly styles: readonly string[];
}

/** The files of a page by their paths, read once: plain HTML and CSS, and one script. */
export async function pageFilesOf({ title, folder, styles }: PageSources): Promise<ReadonlyMap<string, PageFile>> {
  const shared = ['colours', 'base', 'controls'].map((name) => textOf(`${name}.css`, here));
  const style = [...shared, ...styles.map((name) => textOf(`${name}.css`, folder))];
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', text: textOf('page.html', here).replace('{{title}}', title) }],
    ['/style.css', { type: 'text/css; charset=utf-8', text: style.join('\n') }],
    ['/icon.svg', { type: 'image/svg+xml', text: textOf('icon.svg', here) }],
    ['/app.js', { type: 'text/javascript; charset=utf-8', text: await scriptIn(folder) }],
  ]);
}

const here = new URL('./', import.meta.url);
const textOf = (path: string, folder: URL): string => readFileSync(new URL(path, folder), 'utf8');

const bundled = new Map<string, Promise<string>>();

/** In the package it is a file; from the sources it is built, once in a process. */
function scriptIn(folder: URL): Promise<string> {
  if (existsSync(new URL('app.js', folder))) return Promise.resolve(textOf('app.js', folder));
  return getOrInsert(bundled, folder.href, () => pageScript(new URL('app.tsx', folder)));
}

/** The script of a page as one module, from its sources. Rejects with esbuild's error for invalid sources. */
export async function pageScript(entry: URL): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2022', legalComments: 'none' },
    ...{ jsx: 'automatic', jsxImportSource: 'preact' },
  });
  return outputFiles[0]?.text ?? '';
}

export { inForm, PortRefusal };
