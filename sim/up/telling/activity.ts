/** What one CSE of `cselab up` has done, in whole numbers: it stands in the way of every request and costs next to nothing. */

import type { Cse } from '../../core/cse.ts';
import { applicationEntityType, subscriptionType } from '../../core/numbers.ts';
import type { Resource } from '../../core/resource.ts';
import { watchTree } from '../../core/tree-watch.ts';
import type { Instruments } from '../../instruments/instruments.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import type { CseNode } from '../../topology/node.ts';
import type { Census, Counts } from './event.ts';
import type { Latest } from './latest.ts';

export class Activity {
  readonly #cseId: string;
  readonly #latest: Latest | undefined;
  readonly #counts = { requests: 0, refused: 0, failed: 0, notifications: 0, undelivered: 0 };
  #held = { applications: 0, subscriptions: 0 };
  #node: CseNode | undefined;
  #watched: Cse | undefined;

  /** `latest` hears of what was refused and of what was not delivered. */
  constructor(cseId: string, latest?: Latest) {
    this.#cseId = cseId;
    this.#latest = latest;
  }

  /** Since the beginning. */
  get counts(): Counts {
    return { ...this.#counts };
  }

  census(): Census {
    this.#watchCurrent();
    return { resources: this.#watched?.tree.size ?? 0, ...this.#held };
  }

  attach(node: CseNode): void {
    this.#node = node;
    this.#watchCurrent();
  }

  /** To the journals of the CSE. */
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

  /** By the binding itself, before it came to the CSE. */
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

  /** A reset of the CSE puts a new one in its place. */
  #watchCurrent(): void {
    const core = this.#node?.cse.core;
    if (core === undefined || core === this.#watched) return;
    this.#watched = core;
    this.#held = { applications: 0, subscriptions: 0 };
    for (const resource of core.tree.byCreation) this.#count(resource, 1);
    watchTree(core.tree, {
      added: (resource) => void (core === this.#watched && this.#count(resource, 1)),
      removed: (resource) => void (core === this.#watched && this.#count(resource, -1)),
    });
  }

  #count({ type: { ty } }: Resource, sign: 1 | -1): void {
    if (ty === applicationEntityType) this.#held.applications += sign;
    else if (ty === subscriptionType) this.#held.subscriptions += sign;
  }
}

/** By its media type in the documented dialect; in the other by its having content and no resource type. */
function isNotification({ method, headers }: JournalEntry): boolean {
  const type = headers['content-type'];
  if (method !== 'POST' || type === undefined) return false;
  return type.includes('-ntfy+') || (!type.includes('-res+') && !type.includes('ty='));
}
