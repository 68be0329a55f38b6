/** The requests of an application to its CSE. */
import { randomUUID } from 'node:crypto';
import type { OutgoingAnswer, Sender } from '../dialects/outgoing-message.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/** The CSE refused a request. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly method: string;
  readonly path: string;
  /** HTTP status code. */
  readonly status: number;
  /** Response status code of oneM2M, where the CSE sent one. */
  readonly code: number | undefined;

  constructor(method: string, path: string, { status, headers, body }: OutgoingAnswer) {
    const code = headers['x-m2m-rsc'];
    const told = body === '' ? '' : `: ${sentenceIn(body)}`;
    super(`${method} ${path} was answered with ${status}${code === undefined ? '' : `, RSC ${code}`}${told}`);
    this.method = method;
    this.path = path;
    this.status = status;
    this.code = code === undefined ? undefined : Number(code);
  }
}

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

  delete(path: string): Promise<Attributes> {
    return this.#exchange('DELETE', path);
  }

  /** Paths below `path` that meet the criteria, in the form in which `path` addresses the CSE. */
  async discover(path: string, criteria: URLSearchParams): Promise<string[]> {
    criteria.set('fu', '1');
    const found = await this.#send('GET', `${path}?${criteria}`);
    const list = (JSON.parse(found.body) as { 'm2m:uril'?: unknown })['m2m:uril'];
    return Array.isArray(list) ? list.map(String) : [];
  }

  async #exchange(method: string, path: string, content?: object): Promise<Attributes> {
    const { body } = await this.#send(method, path, content);
    if (body === '') return {};
    return Object.values(JSON.parse(body) as Record<string, Attributes>)[0] ?? {};
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

function sentenceIn(body: string): string {
  try {
    return String((JSON.parse(body) as { 'm2m:dbg'?: string })['m2m:dbg'] ?? body).slice(0, 300);
  } catch {
    return body.slice(0, 300);
  }
}
