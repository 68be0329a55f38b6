/** For tests: a server that understands a request in every way in which some server might. */

import { type AnyRequest, asRaw, isExactBytes, type Target } from '../../engine/messages/target.ts';
import { wireBytes } from '../../engine/messages/wire.ts';
import type { Exchange } from '../../engine/results/exchange.ts';

export const description = {
  kind: 'url',
  url: 'http://cse.example:8080/api',
  base: 'onem2m',
  cseId: 'mn-cse-1',
  spId: 'openmtc.org',
} as const;

export const label = 'cl-abc1234-1';

/** What stands on the server, by every name; the group named loose has a member of others. */
export const foreign: ReadonlySet<string> = new Set([
  'onem2m',
  'onem2m/foreign',
  'onem2m/foreign/data',
  'onem2m/foreign/data/la',
  'onem2m/foreign/channel',
  'cb1',
  'f1',
  'f1/data',
  'f2',
  'onem2m/others/fopt',
]);
const members: Readonly<Record<string, readonly string[]>> = {
  [`onem2m/${label}/loose/fopt`]: ['onem2m/foreign'],
  'g2/fopt': ['onem2m/foreign'],
  [`onem2m/${label}/nested/fopt`]: ['onem2m/foreign'],
  'onem2m/others/fopt': ['onem2m/foreign'],
};

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
}

/** Answers every creation with 201 and the given identifier, and records harm that requests could do to others. */
export class LenientServer implements Target {
  readonly description = description;
  /** What some server would have changed though it is of others. */
  readonly harm: SeenRequest[] = [];
  readonly sent: SeenRequest[] = [];
  readonly #answers: Array<{ readonly status: number; readonly body?: unknown }> = [];
  /** Representations, by identifier. */
  readonly representations = new Map<string, unknown>();

  objection = (): undefined => undefined;
  close = async (): Promise<void> => {};
  send = (request: AnyRequest): Promise<Exchange> => this.#take(request);

  answerNext(status: number, body?: unknown): void {
    this.#answers.push({ status, body });
  }

  #read(request: AnyRequest): { readonly status: number; readonly body: unknown } | undefined {
    const reads = !isExactBytes(request) && request.method === 'GET';
    const body = reads ? this.representations.get(request.path.split('/').at(-1) ?? '') : undefined;
    return body === undefined ? undefined : { status: 200, body };
  }

  async #take(request: AnyRequest): Promise<Exchange> {
    const all = meaningsOf(request);
    if (!isExactBytes(request)) this.sent.push({ method: request.method, path: request.path });
    this.harm.push(...all.filter(harms));
    const { status, body } = this.#read(request) ?? this.#answers.shift() ?? { status: 404 };
    const answer = { status, headers: [], body: body === undefined ? '' : JSON.stringify(body) };
    return { request: { method: '', path: '', headers: [] }, answer, at: 0, took: 0, curl: '' };
  }
}

function meaningsOf(request: AnyRequest): SeenRequest[] {
  const raw = isExactBytes(request) ? request : asRaw({ ...request, path: `/api${request.path}` });
  const text = Buffer.from(wireBytes(raw, 'cse.example')).toString('latin1');
  const lines = [...text.matchAll(/([!#$%&'*+.^_`|~\w-]+)[ \t]+([^\s]+)(?=[ \t\r\n]|$)/g)];
  const overriding = /x-http-method(-override)?:\s*(\w+)/i.exec(text)?.[2];
  return lines
    .filter(([, method = '']) => /^[a-z]+$/i.test(method) && !/^(host|content|accept)/i.test(method))
    .flatMap(([, method = '', path = '']) =>
      [method, ...(overriding ? [overriding] : [])].map((one) => ({ method: one, path })),
    );
}

function harms({ method, path }: SeenRequest): boolean {
  if (/^(GET|HEAD|OPTIONS|TRACE)$/.test(method)) return false;
  return [...readings(path)].some((key) => {
    const reached = fannedOut(key);
    if (method === 'POST' && (key === 'onem2m' || key === '')) return false;
    return reached.some((one) => foreign.has(one) || (one === '' && method !== 'POST'));
  });
}

function fannedOut(key: string): string[] {
  const point = Object.keys(members).find((one) => key === one || key.startsWith(`${one}/`));
  if (point === undefined) return [key];
  return [...(members[point] ?? [])].map((member) => member + key.slice(point.length));
}

/** Every address that a server could make of a request target, tidied up in its own way. */
function readings(target: string): Set<string> {
  const found = new Set<string>();
  let text = target;
  for (let round = 0; round < 4; round += 1) {
    for (const cut of [text, ...['?', '#', ';', '\0'].map((mark) => text.split(mark)[0] ?? '')]) {
      for (const path of [
        cut,
        cut.replaceAll('\\', '/'),
        new URL(cut.replace(/[\0-\x20]/g, ''), 'http://x').pathname,
      ]) {
        found.add(tidied(path));
      }
    }
    text = unescaped(text);
  }
  return found;
}

function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function tidied(path: string): string {
  const done: string[] = [];
  for (const part of path.replace(/^[a-z]+:\/\/[^/]*/i, '').split('/')) {
    if (part === '..') done.pop();
    else if (part !== '' && part !== '.') done.push(part);
  }
  if (done[0] === 'api') done.shift();
  if (done[0] === '~' && done[1] === 'mn-cse-1') done.splice(0, 2);
  if (done[0] === '_' && done[2] === 'mn-cse-1') done.splice(0, 3);
  if (done[0] === '-') done[0] = 'onem2m';
  return done.join('/');
}
