/** What comes and goes between applications and CSEs: the latest messages, each with its request and its answer. */
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import type { OutgoingRequest, Sender } from '../dialects/outgoing-message.ts';
import { refusalReason } from '../dialects/refusal-reason.ts';
import { watchedSender, watchedService } from '../dialects/watched.ts';

/** What stands for everybody who is no CSE of ours. */
export const applications = 'applications';

/** What a list of messages shows. */
export interface MessageSummary {
  readonly id: number;
  /** Microseconds since 1970 UTC, by the clock of the installation. */
  readonly at: number;
  /** CSE identifier, or `applications`. */
  readonly from: string;
  readonly to: string;
  readonly method: string;
  readonly target: string;
  readonly originator?: string;
  /** Absent while the answer is awaited. */
  status?: number;
  /** Response status code of oneM2M. */
  rsc?: string;
  /** Why it was refused, as the answer says. */
  reason?: string;
  /** Milliseconds until the answer, by the system's time. */
  took?: number;
  /** Why no answer came. */
  problem?: string;
}

interface Part {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface Message {
  readonly summary: MessageSummary;
  readonly request: Part;
  answer?: Part;
}

/** A request of a CSE to another that was not taken there yet. */
interface Expected {
  readonly from: string;
  message: Message | undefined;
}

const usualMost = 1_000;
/** Characters. */
const longestBody = 32 * 1024;

export class Traffic {
  readonly #now: () => number;
  readonly #changed: (summary: MessageSummary) => void;
  readonly #most: number;
  readonly #messages = new Map<number, Message>();
  readonly #expected = new Map<string, Expected[]>();
  readonly #cseAt = new Map<string, string>();
  #next = 1;

  /** Keeps the latest messages, 1,000 unless `most` says otherwise. `changed` hears of each when it comes and when it is answered. */
  constructor(now: () => number, changed: (summary: MessageSummary) => void, most = usualMost) {
    this.#now = now;
    this.#changed = changed;
    this.#most = most;
  }

  /** What is sent there is seen where it arrives. */
  listensAt(url: string, cseId: string): void {
    this.#cseAt.set(url, cseId);
  }

  message(id: number): Message | undefined {
    return this.#messages.get(id);
  }

  /** Of the latest messages, the oldest first. */
  get summaries(): MessageSummary[] {
    return [...this.#messages.values()].map(({ summary }) => summary);
  }

  forget(): void {
    this.#messages.clear();
  }

  /** What comes to a CSE. */
  around(service: HttpService, cseId: string): HttpService {
    return watchedService(service, {
      came: (request) => {
        const expected = this.#take(keyOf(cseId, request));
        const message = this.#enter(expected?.from ?? applications, cseId, request);
        if (expected !== undefined) expected.message = message;
        return { message, began: performance.now() };
      },
      answered: (answer, { message, began }) => this.#answered(message, answer, began),
    });
  }

  /** What a CSE sends. */
  aroundSender(sender: Sender, cseId: string): Sender {
    return watchedSender(sender, {
      sent: (request, url) => {
        const began = performance.now();
        const to = this.#cseAt.get(url);
        const expected: Expected = { from: cseId, message: undefined };
        if (to === undefined) expected.message = this.#enter(cseId, applications, request);
        else this.#expect(keyOf(to, request), expected);
        const arrived = (): Message => {
          if (to !== undefined) this.#expectNoMore(keyOf(to, request), expected);
          return expected.message ?? this.#enter(cseId, to ?? applications, request);
        };
        return { arrived, began };
      },
      answered: (answer, { arrived, began }) => {
        const message = arrived();
        if (message.answer === undefined) this.#answered(message, answer, began);
      },
      failed: (problem, { arrived, began }) => {
        const { summary } = arrived();
        Object.assign(summary, { problem, took: since(began) });
        this.#changed(summary);
      },
    });
  }

  #expect(key: string, expected: Expected): void {
    this.#expected.set(key, [...(this.#expected.get(key) ?? []), expected]);
  }

  #take(key: string): Expected | undefined {
    const [first] = this.#expected.get(key) ?? [];
    if (first !== undefined) this.#expectNoMore(key, first);
    return first;
  }

  #expectNoMore(key: string, expected: Expected): void {
    const left = (this.#expected.get(key) ?? []).filter((one) => one !== expected);
    if (left.length === 0) this.#expected.delete(key);
    else this.#expected.set(key, left);
  }

  #enter(from: string, to: string, request: HttpRequest | OutgoingRequest): Message {
    const { method, target, headers, body } = request;
    const originator = headerOf(headers, 'x-m2m-origin');
    const at = this.#now();
    const summary = { id: this.#next++, at, from, to, method, target, ...(originator !== undefined && { originator }) };
    const message: Message = { summary, request: { headers, body: textOf(body ?? '') } };
    this.#messages.set(summary.id, message);
    for (const id of this.#messages.keys()) {
      if (this.#messages.size <= this.#most) break;
      this.#messages.delete(id);
    }
    this.#changed(summary);
    return message;
  }

  #answered(message: Message, answer: Pick<HttpResponse, 'status' | 'headers' | 'body'>, began: number): void {
    const { status, headers, body } = answer;
    const rsc = headerOf(headers, 'x-m2m-rsc');
    const reason = status < 400 ? undefined : refusalReason(answer);
    const told = { ...(rsc !== undefined && { rsc }), ...(reason !== undefined && { reason }) };
    Object.assign(message.summary, { status, ...told, took: since(began) });
    message.answer = { headers, body: textOf(body) };
    this.#changed(message.summary);
  }
}

const since = (began: number): number => Math.round((performance.now() - began) * 10) / 10;

const keyOf = (cseId: string, { method, target }: { readonly method: string; readonly target: string }) =>
  `${cseId} ${method} ${target}`;

function headerOf(headers: Part['headers'], name: string): string | undefined {
  return headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

function textOf(body: string | Uint8Array): string {
  const text = typeof body === 'string' ? body : readable(Buffer.from(body));
  return text.length <= longestBody ? text : `${text.slice(0, longestBody)} … (${text.length} characters in all)`;
}

function readable(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? `base64: ${bytes.toString('base64')}` : text;
}
