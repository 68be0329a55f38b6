/** The requests of an application to its CSE. */

import { randomUUID } from 'node:crypto';
import { isObject, jsonIn } from '../dialects/body.ts';
import type { OutgoingAnswer, Sender } from '../dialects/outgoing-message.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/** The CSE refused a request, or gave it an answer that means nothing. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly method: string;
  readonly path: string;
  /** HTTP status code. */
  readonly status: number;
  /** Response status code of oneM2M, where the CSE sent one. */
  readonly code: number | undefined;
  /** What the CSE said about it: `m2m:dbg`, or the beginning of whatever else the body is; empty when it said nothing. */
  readonly told: string;

  constructor(method: string, path: string, { status, headers, body }: OutgoingAnswer, problem = '') {
    const code = headers['x-m2m-rsc'];
    const told = sentenceIn(body);
    const answer = `${method} ${path} was answered with ${status}${code === undefined ? '' : `, RSC ${code}`}`;
    super(`${answer}${problem}${told === '' ? '' : `: ${told}`}`);
    this.method = method;
    this.path = path;
    this.status = status;
    this.code = code === undefined ? undefined : Number(code);
    this.told = told;
  }
}

export const isMissing = (error: unknown): boolean => error instanceof RequestError && error.status === 404;

const contentType = 'application/vnd.onem2m-res+json';

export class Requests {
  readonly #sender: Sender;
  readonly #cse: string;
  readonly #originator: string;

  constructor(sender: Sender, cse: URL, originator: string) {
    this.#sender = sender;
    this.#cse = cse.href.replace(/\/+$/, '');
    this.#originator = originator;
  }

  /** The attributes of the created resource. Rejects, as the others, with a RequestError or an UnreachableError. */
  create(parent: string, root: string, attributes: Attributes): Promise<Attributes> {
    return this.#exchange('POST', parent, { [root]: attributes });
  }

  retrieve(path: string): Promise<Attributes> {
    return this.#exchange('GET', path);
  }

  update(path: string, root: string, attributes: Attributes): Promise<Attributes> {
    return this.#exchange('PUT', path, { [root]: attributes });
  }

  /** The form of the answer's body is left open ("Endpoints", row 8). */
  async delete(path: string): Promise<void> {
    await this.#send('DELETE', path);
  }

  /** What the CSE lists below `path`, letter by letter: a list of texts, or one text with spaces between them. */
  async discover(path: string, criteria: URLSearchParams): Promise<string[]> {
    const target = `${path}?${new URLSearchParams([...criteria, ['fu', '1']])}`;
    const answer = await this.#send('GET', target);
    const list = objectIn(answer.body)?.['m2m:uril'];
    if (Array.isArray(list)) return list.map(String);
    if (typeof list === 'string') return list.split(' ').filter((entry) => entry !== '');
    throw new RequestError('GET', target, answer, ', and its body has no list m2m:uril');
  }

  async #exchange(method: string, path: string, content?: object): Promise<Attributes> {
    const answer = await this.#send(method, path, content);
    if (typeof answer.body !== 'string' || answer.body === '') return {};
    const attributes = Object.values(objectIn(answer.body) ?? {})[0];
    if (isObject(attributes)) return attributes;
    throw new RequestError(method, path, answer, ', and its body is no representation of a resource');
  }

  async #send(method: string, path: string, content?: object): Promise<OutgoingAnswer> {
    const answer = await this.#sender.send(this.#cse, {
      method,
      target: path,
      headers: {
        'x-m2m-origin': this.#originator,
        'x-m2m-ri': randomUUID(),
        accept: contentType,
        ...(content !== undefined && { 'content-type': contentType }),
      },
      ...(content !== undefined && { body: JSON.stringify(content) }),
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw new RequestError(method, path, answer);
  }
}

type Body = OutgoingAnswer['body'];

function objectIn(body: Body): Attributes | undefined {
  const value = jsonIn(body);
  return isObject(value) ? value : undefined;
}

const sentenceIn = (body: Body): string =>
  typeof body === 'string' ? String(objectIn(body)?.['m2m:dbg'] ?? body).slice(0, 300) : '';
