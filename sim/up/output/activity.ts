/** Counts the activity of one CSE of `cselab up`: it is part of every request and costs next to nothing. */

import { applicationEntityType } from '../../core/numbers.ts';
import type { Instruments } from '../../instruments/instruments.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import type { CseNode } from '../../topology/node.ts';
import type { Census, RequestCounts } from './event.ts';
import type { Latest } from './latest.ts';

export class Activity {
  readonly #cseId: string;
  readonly #latest: Latest | undefined;
  readonly #counts = { requests: 0, refused: 0, failed: 0, notifications: 0, undelivered: 0 };
  #node: CseNode | undefined;

  /** `latest` gets refusals and failed deliveries. */
  constructor(cseId: string, latest?: Latest) {
    this.#cseId = cseId;
    this.#latest = latest;
  }

  /** Since the beginning. */
  get counts(): RequestCounts {
    return { ...this.#counts };
  }

  /** A reset replaces the CSE by a new one. Applications are directly below the CSE base. */
  census(): Census {
    if (this.#node === undefined) return { resources: 0, applications: 0, subscriptions: 0 };
    const { tree, services } = this.#node.cse.core;
    const registered = [...(tree.base.children?.values() ?? [])];
    const applications = registered.filter(({ type }) => type.ty === applicationEntityType).length;
    return { resources: tree.size, applications, subscriptions: services.notifier.subscriptions };
  }

  attach(node: CseNode): void {
    this.#node = node;
  }

  /** Subscribes to the journals of the CSE. */
  listenTo({ requests, sent }: Pick<Instruments, 'requests' | 'sent'>): void {
    requests.subscribe(({ kind, entry }) => {
      if (kind === 'request') this.#counts.requests += 1;
      else this.#answered(entry);
    });
    sent.subscribe(({ kind, entry }) => {
      if (kind === 'request') this.#counts.notifications += isNotification(entry) ? 1 : 0;
      else if (entry.problem !== undefined) this.#failedToSend(entry);
    });
  }

  /** Refused by the binding itself, before the CSE. */
  refused(reason: string): void {
    this.#counts.requests += 1;
    this.#counts.refused += 1;
    this.#latest?.add('refused', this.#cseId, reason);
  }

  #answered(entry: JournalEntry): void {
    const status = entry.answer?.status ?? 0;
    if (status < 400) return;
    if (status < 500) this.#counts.refused += 1;
    else this.#counts.failed += 1;
    this.#latest?.refusal(this.#cseId, entry);
  }

  #failedToSend({ method, problem }: JournalEntry): void {
    this.#counts.undelivered += 1;
    this.#latest?.add('undelivered', this.#cseId, `${method} to ${problem}`);
  }
}

/** By its media type in the documented dialect; in the other by its having content and no resource type. */
function isNotification({ method, headers }: JournalEntry): boolean {
  const type = headers['content-type'];
  if (method !== 'POST' || type === undefined) return false;
  return type.includes('-ntfy+') || (!type.includes('-res+') && !type.includes('ty='));
}
