/** Receives notifications for a test. */

import { type Scheduler, systemClock } from '../environment/clock.ts';
import { defined } from '../environment/defined.ts';
import { type NotificationFacts, notificationsIn, type ReceivedNotification } from '../journal/notification.ts';
import { JournalWaits } from '../journal/waiting.ts';

/** No notification came in time, or an unexpected one. */
export class InboxError extends Error {
  override readonly name = 'InboxError';
}

export interface NextOptions {
  /** How long to wait, as in `WaitOptions.within` of the journal; 1 second unless given. */
  readonly within?: number | string;
  /** Which one; others stay in the inbox. Any unless given. */
  readonly where?: (notification: ReceivedNotification) => boolean;
}

interface InboxOptions {
  /** To be put into `nu` of a subscription, or `poa` of an AE. */
  readonly url: string;
  readonly clock?: Scheduler;
  readonly onClose?: () => Promise<void> | void;
}

/** Answers everything with 2000 (OK), verifications too. */
export class Inbox implements AsyncDisposable {
  /** To be put into `nu` of a subscription, or `poas` of an application; any path below it arrives here too. */
  readonly url: string;
  readonly #clock: Scheduler;
  readonly #waiting: JournalWaits;
  readonly #onClose: () => Promise<void> | void;
  #all: ReceivedNotification[] = [];
  #unread: ReceivedNotification[] = [];
  #verifications: ReceivedNotification[] = [];
  #refusals: string[] = [];

  /** From `openInbox` or `startInbox`. */
  constructor({ url, clock = systemClock(), onClose = () => {} }: InboxOptions) {
    this.url = url;
    this.#clock = clock;
    this.#waiting = new JournalWaits(clock);
    this.#onClose = onClose;
  }

  /** All received notifications, the oldest first, also those already returned by `next`; without verifications. */
  get all(): readonly ReceivedNotification[] {
    return [...this.#all];
  }

  /** Those that `next` has not returned yet. */
  get unread(): readonly ReceivedNotification[] {
    return [...this.#unread];
  }

  /** Verification requests; they were answered. */
  get verifications(): readonly ReceivedNotification[] {
    return [...this.#verifications];
  }

  /** The oldest unread notification, or the next to come, which counts as read then. Rejects with an InboxError that says what else came. */
  next({ within = '1s', where = () => true }: NextOptions = {}): Promise<ReceivedNotification> {
    const findUnread = (): ReceivedNotification | undefined => {
      const at = this.#unread.findIndex(where);
      return at < 0 ? undefined : this.#unread.splice(at, 1)[0];
    };
    return this.#waiting.until(
      findUnread,
      within,
      (ending) => new InboxError(`No notification came${ending}${this.#others}.`),
    );
  }

  /** Throws an InboxError when there are unread notifications. */
  expectEmpty(): void {
    const [first] = this.#unread;
    if (first === undefined) return;
    throw new InboxError(`${this.#unread.length} notifications are unread; the first is ${textOf(first)}.`);
  }

  /** Removes everything received. */
  clear(): void {
    this.#all = [];
    this.#unread = [];
    this.#verifications = [];
    this.#refusals = [];
  }

  /** Reasons why malformed HTTP requests were refused; nothing else of them is kept. */
  get refusals(): readonly string[] {
    return [...this.#refusals];
  }

  /** For the server: the reason of a malformed HTTP request. */
  noteRefusal(reason: string): void {
    this.#refusals.push(reason);
    this.#waiting.notify();
  }

  /** For the server: returns the headers of the answer, which is 200. */
  receive(message: Omit<NotificationFacts, 'at'>): Record<string, string> {
    for (const notification of notificationsIn({ ...message, at: this.#clock.now() })) {
      if (notification.isVerification) this.#verifications.push(notification);
      else {
        this.#all.push(notification);
        this.#unread.push(notification);
      }
    }
    this.#waiting.notify();
    const { 'x-m2m-ri': identifier, 'x-m2m-rvi': release } = message.headers;
    return { 'x-m2m-rsc': '2000', ...defined({ 'x-m2m-ri': identifier, 'x-m2m-rvi': release }) };
  }

  /** Nobody answers at its URL from now on; what was received stays. */
  async close(): Promise<void> {
    await this.#onClose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #others(): string {
    const { length } = this.#unread;
    const verified = this.#verifications.length;
    const [reason] = this.#refusals;
    const malformed = reason === undefined ? '' : `; ${this.#refusals.length} malformed came: ${reason}`;
    const extra =
      (verified === 0 ? '' : `; ${verified} verification${verified === 1 ? ' was' : 's were'} answered`) + malformed;
    if (length === 0) return extra;
    const [first] = this.#unread;
    return `; ${length} other${length === 1 ? '' : 's'} came, the first ${first && textOf(first)}${extra}`;
  }
}

function textOf({ root, eventType, subscription, content, isDeletion }: ReceivedNotification): string {
  if (isDeletion) return `the end of ${subscription}`;
  const what = [root, content === undefined ? undefined : JSON.stringify(content)].filter(Boolean).join(' ');
  return `${what || 'without a resource'} (net ${eventType}) from ${subscription}`;
}
