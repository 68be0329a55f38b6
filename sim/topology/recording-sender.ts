/** Remembers what a CSE sends, for tests that ask. */
import type { OutgoingAnswer, OutgoingRequest, Sender } from '../dialects/outgoing-message.ts';

export interface SentRequest {
  /** Microseconds since 1970 UTC. */
  readonly at: number;
  /** Base URL of the receiver. */
  readonly url: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes that are no text as base64. */
  readonly body?: string;
  /** Absent while it is awaited. */
  answer?: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** Why no answer came. */
  problem?: string;
}

const usualMost = 10_000;

export class RecordingSender implements Sender {
  readonly #sender: Sender;
  readonly #now: () => number;
  readonly #most: number;
  #sent: SentRequest[] = [];
  /** Requests that are forgotten because there were more than the bound. */
  #forgotten = 0;

  /** Keeps the latest requests, 10,000 unless `most` says otherwise. */
  constructor(sender: Sender, now: () => number, most = usualMost) {
    this.#sender = sender;
    this.#now = now;
    this.#most = most;
  }

  async send(baseUrl: string, request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer> {
    const entry = this.#enter(baseUrl, request);
    try {
      const answer = await this.#sender.send(baseUrl, request, signal);
      const { status, headers, body, bytes } = answer;
      entry.answer = { status, headers, body: textOf(bytes ?? body) };
      return answer;
    } catch (error) {
      entry.problem = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  /** In the order in which they were sent. */
  get sent(): { readonly sent: readonly SentRequest[]; readonly forgotten: number } {
    return { sent: this.#sent, forgotten: this.#forgotten };
  }

  forget(): void {
    this.#sent = [];
    this.#forgotten = 0;
  }

  #enter(url: string, { method, target, headers, body }: OutgoingRequest): SentRequest {
    const entry = { at: this.#now(), url, method, target, headers, ...(body !== undefined && { body: textOf(body) }) };
    this.#sent.push(entry);
    // A tenth more than the bound, so that forgetting costs little.
    if (this.#sent.length > this.#most * 1.1) {
      this.#forgotten += this.#sent.length - this.#most;
      this.#sent = this.#sent.slice(-this.#most);
    }
    return entry;
  }
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  const text = Buffer.from(body);
  const readable = text.toString('utf8');
  return Buffer.from(readable).equals(text) ? readable : text.toString('base64');
}
