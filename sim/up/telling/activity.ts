/** What one CSE of `cselab up` has done, in whole numbers: it stands in the way of every request and costs next to nothing. */

import type { Cse } from '../../core/cse.ts';
import { applicationEntityType, subscriptionType } from '../../core/numbers.ts';
import type { Resource } from '../../core/resource.ts';

import { watchTree } from '../../core/tree-watch.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import type { OutgoingRequest, Sender } from '../../dialects/outgoing-message.ts';
import { watchedSender, watchedService } from '../../dialects/watched.ts';
import type { CseNode } from '../../topology/node.ts';
import type { Census, Counts } from './event.ts';
import type { Latest } from './latest.ts';

export class Activity {
  readonly #cseId: string;
  readonly #latest: Latest | undefined;
  #requests = 0;
  #refused = 0;
  #failed = 0;
  #notifications = 0;
  #undelivered = 0;
  #applications = 0;
  #subscriptions = 0;
  #node: CseNode | undefined;
  #watched: Cse | undefined;

  /** `latest` hears of what was refused and of what was not delivered. */
  constructor(cseId: string, latest?: Latest) {
    this.#cseId = cseId;
    this.#latest = latest;
  }

  /** Since the beginning. */
  get counts(): Counts {
    return {
      ...{ requests: this.#requests, refused: this.#refused, failed: this.#failed },
      ...{ notifications: this.#notifications, undelivered: this.#undelivered },
    };
  }

  census(): Census {
    this.#watchCurrent();
    const resources = this.#watched?.tree.size ?? 0;
    return { resources, applications: this.#applications, subscriptions: this.#subscriptions };
  }

  attach(node: CseNode): void {
    this.#node = node;
    this.#watchCurrent();
  }

  around(service: HttpService): HttpService {
    const watched = watchedService(service, {
      came: () => {
        this.#requests += 1;
      },
      answered: (answer, _mark, request) => this.#answered(request, answer),
    });
    return {
      ...watched,
      refuse: (error) => {
        this.#requests += 1;
        this.#refused += 1;
        this.#latest?.add('refused', this.#cseId, error.message);
        return service.refuse(error);
      },
    };
  }

  aroundSender(sender: Sender): Sender {
    return watchedSender(sender, {
      sent: (request) => {
        if (isNotification(request)) this.#notifications += 1;
      },
      answered: () => {},
      failed: (problem, _mark, { method }) => {
        this.#undelivered += 1;
        this.#latest?.add('undelivered', this.#cseId, `${method} to ${problem}`);
      },
    });
  }

  #answered(request: HttpRequest, answer: HttpResponse): void {
    const { status } = answer;
    if (status < 400) return;
    if (status < 500) this.#refused += 1;
    else this.#failed += 1;
    this.#latest?.refusal(this.#cseId, request, answer);
  }

  /** A reset of the CSE puts a new one in its place. */
  #watchCurrent(): void {
    const core = this.#node?.cse.core;
    if (core === undefined || core === this.#watched) return;
    this.#watched = core;
    this.#applications = 0;
    this.#subscriptions = 0;
    for (const resource of core.tree.byCreation) this.#count(resource, 1);
    watchTree(core.tree, {
      added: (resource) => void (core === this.#watched && this.#count(resource, 1)),
      removed: (resource) => void (core === this.#watched && this.#count(resource, -1)),
    });
  }

  #count({ type: { ty } }: Resource, sign: 1 | -1): void {
    if (ty === applicationEntityType) this.#applications += sign;
    else if (ty === subscriptionType) this.#subscriptions += sign;
  }
}

/** By its media type in the documented dialect; in the other by its having content and no resource type. */
function isNotification({ method, headers }: OutgoingRequest): boolean {
  const type = headers['Content-Type'];
  if (method !== 'POST' || type === undefined) return false;
  return type.includes('-ntfy+') || (!type.includes('-res+') && !type.includes('ty='));
}
