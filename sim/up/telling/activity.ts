/** What one CSE of `cselab up` has done, in whole numbers: it stands in the way of every request and costs next to nothing. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import { subscriptionType } from '../../core/tree.ts';
import { watchTree } from '../../core/tree-watch.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import type { OutgoingRequest, Sender } from '../../dialects/outgoing-message.ts';
import type { CseNode } from '../../topology/node.ts';
import type { Census, Counts } from './event.ts';
import type { Latest } from './latest.ts';

/** `ty` of an AE. */
const applicationType = 2;

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
    return {
      refuse: (error) => {
        this.#requests += 1;
        this.#refused += 1;
        this.#latest?.add('refused', this.#cseId, error.message);
        return service.refuse(error);
      },
      handle: (request) => {
        this.#requests += 1;
        const answer = service.handle(request);
        if (answer instanceof Promise) return answer.then((late) => this.#answered(request, late));
        return this.#answered(request, answer);
      },
    };
  }

  aroundSender(sender: Sender): Sender {
    return {
      send: (url, request, signal) => {
        if (isNotification(request)) this.#notifications += 1;
        return sender.send(url, request, signal).catch((error: unknown) => {
          this.#undelivered += 1;
          this.#latest?.add('undelivered', this.#cseId, `${request.method} to ${reasonOf(error)}`);
          throw error;
        });
      },
    };
  }

  #answered(request: HttpRequest, answer: HttpResponse): HttpResponse {
    const { status } = answer;
    if (status < 400) return answer;
    if (status < 500) this.#refused += 1;
    else this.#failed += 1;
    this.#latest?.refusal(this.#cseId, request, answer);
    return answer;
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
    if (ty === applicationType) this.#applications += sign;
    else if (ty === subscriptionType) this.#subscriptions += sign;
  }
}

/** By its media type in the documented dialect; in the other by its having content and no resource type. */
function isNotification({ method, headers }: OutgoingRequest): boolean {
  const type = headers['Content-Type'];
  if (method !== 'POST' || type === undefined) return false;
  return type.includes('-ntfy+') || (!type.includes('-res+') && !type.includes('ty='));
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
