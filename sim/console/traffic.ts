/** Traffic between applications and CSEs: the latest messages, each with its request and its answer. */

import { wireNames } from '../dialects/outgoing-message.ts';
import { receiverIn } from '../dialects/target.ts';
import { defined } from '../environment/defined.ts';
import type { Instruments } from '../instruments/instruments.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { MessageParts } from '../journal/message.ts';

/** Stands for everybody but the CSEs of the installation. */
export const applications = 'applications';

/** A message as lists show it. */
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
  /** The wire, where it is not HTTP: `MQTT`. */
  readonly wire?: string;
  /** W3C trace id. */
  readonly trace?: string;
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

const usualMost = 1_000;
/** Characters. */
const longestBody = 32 * 1024;

export class ConsoleTraffic {
  readonly #changed: (summary: MessageSummary) => void;
  readonly #most: number;
  readonly #messages = new Map<number, Message>();
  /** By journal entries: of a message between two CSEs both have one. */
  readonly #messageOf = new WeakMap<JournalEntry, Message>();
  /** Sent to another CSE, and not received there yet. */
  readonly #expected = new Map<JournalEntry, { readonly from: string; readonly to: string }>();
  readonly #cseAt = new Map<string, string>();
  #next = 1;

  /** Keeps the latest messages, 1,000 unless `most` is given. `changed` is called for each when it arrives and when it is answered. */
  constructor(changed: (summary: MessageSummary) => void, most = usualMost) {
    this.#changed = changed;
    this.#most = most;
  }

  /** Messages to that URL are recorded where they arrive. */
  listensAt(url: string, cseId: string): void {
    this.#cseAt.set(url, cseId);
  }

  message(id: number): Message | undefined {
    return this.#messages.get(id);
  }

  /** The latest messages, the oldest first. */
  get summaries(): MessageSummary[] {
    return [...this.#messages.values()].map(({ summary }) => summary);
  }

  forget(): void {
    this.#messages.clear();
  }

  /** Records what a CSE receives and sends from now on. */
  watch({ requests, sent }: Instruments, cseId: string): void {
    requests.subscribe(({ kind, entry }) => {
      if (kind === 'request') this.#received(entry, cseId);
      else this.#settled(this.#messageOf.get(entry), entry);
    });
    sent.subscribe(({ kind, entry }) => {
      if (kind === 'request') this.#sent(entry, cseId);
      else this.#settledAtSender(entry);
    });
  }

  #received(entry: JournalEntry, cseId: string): void {
    const isSame = (sent: JournalEntry) => sent.method === entry.method && sent.target === entry.target;
    const [sent, { from } = { from: applications }] =
      [...this.#expected].find(([one, { to }]) => to === cseId && isSame(one)) ?? [];
    const message = this.#enter(from, cseId, entry);
    if (sent === undefined) return;
    this.#expected.delete(sent);
    this.#messageOf.set(sent, message);
  }

  #sent(entry: JournalEntry, from: string): void {
    const to = this.#receiverOf(entry);
    if (to === undefined) this.#enter(from, applications, entry);
    else this.#expected.set(entry, { from, to });
  }

  /** Undefined for everybody but the CSEs of the installation. Those at one MQTT server are told apart by their names. */
  #receiverOf({ to = '', wire, target }: JournalEntry): string | undefined {
    if (wire === 'http') return this.#cseAt.get(to);
    const named = receiverIn(target)?.slice(1);
    return [...this.#cseAt.values()].find((one) => one === named);
  }

  /** The receiver may have recorded the message already, and answered it. */
  #settledAtSender(entry: JournalEntry): void {
    const expected = this.#expected.get(entry);
    this.#expected.delete(entry);
    const message = expected ? this.#enter(expected.from, expected.to, entry) : this.#messageOf.get(entry);
    if (message?.answer === undefined || entry.problem !== undefined) this.#settled(message, entry);
  }

  #enter(from: string, to: string, entry: JournalEntry): Message {
    const { at, method, target, originator, traceId: trace } = entry;
    const wire = entry.wire === 'http' ? undefined : wireNames[entry.wire];
    const summary = { id: this.#next++, at, from, to, method, target, ...defined({ originator, wire, trace }) };
    const message: Message = { summary, request: partOf(entry) };
    this.#messageOf.set(entry, message);
    this.#messages.set(summary.id, message);
    for (const id of this.#messages.keys()) {
      if (this.#messages.size <= this.#most) break;
      this.#messages.delete(id);
    }
    this.#changed(summary);
    return message;
  }

  #settled(message: Message | undefined, { answer, problem, milliseconds = 0 }: JournalEntry): void {
    if (message === undefined) return;
    const took = Math.round(milliseconds * 10) / 10;
    const { status, reason, headers } = answer ?? {};
    Object.assign(message.summary, defined({ took, problem, status, rsc: headers?.['x-m2m-rsc'], reason }));
    if (answer !== undefined) message.answer = partOf(answer);
    this.#changed(message.summary);
  }
}

const partOf = ({ raw: { headers, body } }: { readonly raw: MessageParts }): Part => ({ headers, body: textOf(body) });

function textOf(body: string | Uint8Array): string {
  const text = typeof body === 'string' ? body : readable(Buffer.from(body));
  return text.length <= longestBody ? text : `${text.slice(0, longestBody)} … (${text.length} characters in all)`;
}

function readable(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? `base64: ${bytes.toString('base64')}` : text;
}
