/** For tests: an application over real sockets, correct unless its requests or answers are changed. */
import { once } from 'node:events';
import { createServer, request as open, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastOf } from '../../words.ts';
import { type CheckApplicationsOptions, checkApplications } from '../check-applications.ts';

export interface ApplicationRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As JSON, unless it is a text. */
  readonly body?: unknown;
  /** Without Content-Length. */
  readonly isChunked?: boolean;
}

interface ApplicationAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface RequestChanges {
  readonly [step: string]: ((sent: ApplicationRequest) => ApplicationRequest) | undefined;
}

export interface Behaviour {
  readonly changes?: RequestChanges;
  /** Sent before it deregisters. */
  readonly more?: readonly ApplicationRequest[];
  /** Undefined closes the connection. */
  readonly answer?: (sound: ApplicationAnswer) => ApplicationAnswer | undefined;
  readonly dialect?: 'documented';
}

let count = 0;
const from = 'CmyApp';
const usual = () => ({ 'X-M2M-Origin': from, 'X-M2M-RI': `r${++count}`, 'X-M2M-RVI': '3' });
export const create = (path: string, ty: number, body: unknown): ApplicationRequest => ({
  ...{ method: 'POST', path, body },
  headers: { ...usual(), 'Content-Type': `application/json;ty=${ty}` },
});
export const update = (path: string, body: unknown): ApplicationRequest => ({
  ...{ method: 'PUT', path, body },
  headers: { ...usual(), 'Content-Type': 'application/json' },
});
export const retrieve = (path: string): ApplicationRequest => ({ method: 'GET', path, headers: usual() });
export const remove = (path: string): ApplicationRequest => ({ method: 'DELETE', path, headers: usual() });

/** The requests of a correct application in the standard's dialect. */
const script = (poa: string): Readonly<Record<string, ApplicationRequest>> => ({
  register: create('/cse-in', 2, { 'm2m:ae': { rn: 'app', api: 'Nx', rr: true, srv: ['3'], poa: [poa] } }),
  container: create('/cse-in/app', 3, { 'm2m:cnt': { rn: 'box', mni: 3 } }),
  subscribe: create('/cse-in/app/box', 23, { 'm2m:sub': { rn: 'sub', nu: [`/id-in/${from}`], enc: { net: [3] } } }),
  instance: create('/cse-in/app/box', 4, { 'm2m:cin': { rn: 'one', con: 'x', cnf: 'text/plain:0' } }),
  read: retrieve('/cse-in/app/box'),
  latest: retrieve('/cse-in/app/box/la'),
  relabel: update('/cse-in/app/box', { 'm2m:cnt': { lbl: ['a'], mni: null } }),
  unstructured: retrieve(`/~/id-in/${from}`),
  discover: retrieve('/cse-in?fu=1&ty=3&ty=4&lbl=a'),
});

const documentedOrigin = { 'X-M2M-Origin': '//openmtc.org/mn-cse-1/app' };

const documentedScript = (): Readonly<Record<string, ApplicationRequest>> => {
  const type = 'application/vnd.onem2m-res+json';
  const headers = { ...documentedOrigin, 'Content-Type': type };
  const post = (path: string, body: unknown): ApplicationRequest => ({ method: 'POST', path, headers, body });
  return {
    register: post('/onem2m', { 'm2m:ae': { rn: 'app', api: 'x', rr: 'TRUE' } }),
    container: post('/onem2m/app', { 'm2m:cnt': { rn: 'box' } }),
    instance: post('/onem2m/app/box', { 'm2m:cin': { con: 'x', cnf: 'text/plain:0' } }),
    latest: { method: 'GET', path: '/onem2m/app/box/latest', headers: documentedOrigin },
    discover: {
      ...{ method: 'GET', headers: documentedOrigin },
      path: '/~/mn-cse-1/onem2m?fu=1&lbl=a&cra=2026-11-22+10%3A00%3A00.000000%2B00%3A00',
    },
  };
};

/** The result of a run with such an application. */
export async function resultOf({ changes = {}, more = [], answer = (sound) => sound, dialect }: Behaviour) {
  const listener = await listening(answer);
  const poa = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const over = new AbortController();
  const steps = Object.entries(dialect === undefined ? script(poa) : documentedScript());
  const onListening: CheckApplicationsOptions['onListening'] = async ({ url }) => {
    try {
      for (const [name, sent] of steps) await send(url, changes[name]?.(sent) ?? sent);
      for (const one of more) await send(url, one);
      await send(
        url,
        dialect === undefined
          ? remove('/cse-in/app')
          : { ...retrieve('/onem2m/app'), method: 'DELETE', headers: documentedOrigin },
      );
    } finally {
      over.abort();
    }
  };
  const options = { port: 0, dialect: dialect ?? 'onem2m', until: over.signal } as const;
  const result = await lastOf(checkApplications({ ...options, onListening }));
  listener.close();
  listener.closeAllConnections();
  return result;
}

async function send(url: string, { method, path, headers, body, isChunked }: ApplicationRequest): Promise<void> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const length = text === undefined || isChunked ? {} : { 'Content-Length': Buffer.byteLength(text) };
  const options: RequestOptions = { method, path, headers: { ...headers, ...length }, agent: false };
  const request = open(url, options);
  // Data written before the end of a request is chunked.
  if (isChunked) request.write(text);
  request.end(isChunked ? undefined : text);
  const [answer] = await once(request, 'response');
  answer.resume();
  await once(answer, 'end');
}

async function listening(answer: NonNullable<Behaviour['answer']>) {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const headers = { 'X-M2M-RI': String(request.headers['x-m2m-ri']), 'X-M2M-RSC': '2000', 'X-M2M-RVI': '3' };
      const reply = answer({ status: 200, headers });
      if (reply === undefined) request.socket.destroy();
      else response.writeHead(reply.status, reply.headers).end(reply.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
