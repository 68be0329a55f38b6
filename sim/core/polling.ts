/** Polling channels (TS-0001, clauses 9.6.21, 9.6.22 and 10.2.5.12), from which an unreachable AE fetches its requests. */

import { checkCapacity } from './limits.ts';
import { getOrInsert } from './memoize.ts';
import { microsecondsPerMillisecond, operationNumbers } from './numbers.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import { CseError, statuses, statusOf } from './status.ts';

/** A request that waits for the AE, or for its answer. */
interface PendingRequest {
  readonly request: RequestPrimitive;
  readonly identifier: string;
  readonly settle: (response: ResponsePrimitive) => void;
}

/** Ends the wait of a poll: a request has come, or none will. */
type EndPoll = (refusal?: CseError) => void;

interface Channel {
  /** Not fetched yet, oldest first. */
  readonly queue: PendingRequest[];
  /** Fetched but not answered yet, by request identifier. */
  readonly fetched: Map<string, PendingRequest>;
  /** Polls that wait for a request. */
  readonly polls: EndPoll[];
}

const channels = new WeakMap<Resource, Channel>();

export class Polling {
  readonly #services: Pick<Services, 'configuration' | 'ports'>;
  /** Those of all channels. */
  readonly #polls = new Set<EndPoll>();

  constructor(services: Pick<Services, 'configuration' | 'ports'>) {
    this.#services = services;
  }

  /** Puts a request into the channel; resolves with the AE's answer, rejects when it does not come in time. */
  deliver(resource: Resource, request: RequestPrimitive): Promise<ResponsePrimitive> {
    const channel = channelOf(resource);
    const { polledRequests } = this.#services.configuration.limits;
    if (channel.queue.length + channel.fetched.size >= polledRequests) {
      throw new CseError(
        'TARGET_NOT_REACHABLE',
        `${polledRequests} requests wait in the polling channel (polledRequests).`,
      );
    }
    return new Promise((resolve, reject) => {
      const identifier = request.requestIdentifier ?? this.#services.ports.randomText(16);
      const timeout = this.#timeoutOf(request);
      const giveUp = () => {
        channel.fetched.delete(identifier);
        if (channel.queue.includes(pending)) channel.queue.splice(channel.queue.indexOf(pending), 1);
        reject(new CseError('TARGET_NOT_REACHABLE', `The AE has not answered within ${timeout / 1000} s.`));
      };
      const cancel = this.#services.ports.clock.schedule(timeout, giveUp, { isAwaited: true });
      const settle = (response: ResponsePrimitive) => {
        cancel();
        resolve(response);
      };
      const pending: PendingRequest = { request, identifier, settle };
      channel.queue.push(pending);
      channel.polls.shift()?.();
    });
  }

  /** Fetches `m2m:rqp`, or `m2m:agrp` when the channel aggregates. Waits for a request. */
  async poll(resource: Resource, request: RequestPrimitive): Promise<ResponsePrimitive> {
    const channel = channelOf(resource);
    if (channel.queue.length === 0) {
      checkCapacity(channel.polls.length, 'polls', this.#services.configuration.limits, 'polls of this channel');
      await this.#waitForRequest(channel, request);
    }
    const several = resource.values.rqag === true;
    const requests = several ? channel.queue.splice(0) : channel.queue.splice(0, 1);
    for (const pending of requests) channel.fetched.set(pending.identifier, pending);
    const primitives = requests.map(primitiveOf);
    return { status: statuses.OK, content: several ? { 'm2m:agrp': primitives } : { 'm2m:rqp': primitives[0] } };
  }

  /** The AE's answer to a fetched request: `m2m:rsp`. One that names none of them is refused. */
  answered(resource: Resource, content: unknown): ResponsePrimitive {
    const response = (content as { 'm2m:rsp'?: { rqi?: unknown; rsc?: unknown; pc?: unknown } } | undefined)?.[
      'm2m:rsp'
    ];
    const channel = channelOf(resource);
    const pending = typeof response?.rqi === 'string' ? channel.fetched.get(response.rqi) : undefined;
    if (response === undefined || pending === undefined) {
      // An answer without a known rqi must be to a fetched request; no better one will come for it.
      for (const one of channel.fetched.values()) one.settle({ status: statuses.BAD_REQUEST });
      channel.fetched.clear();
      throw new CseError('BAD_REQUEST', 'The body must be an m2m:rsp with the rqi of a request that was fetched here.');
    }
    channel.fetched.delete(pending.identifier);
    const code = typeof response.rsc === 'number' ? response.rsc : statuses.OK.code;
    pending.settle({
      status: statusOf(code, code < 3000 ? 200 : 400),
      ...(response.pc !== undefined && { content: response.pc }),
    });
    return { status: statuses.OK };
  }

  /** Ends the channel; waiting requests are not delivered, and polls are refused. */
  closed(resource: Resource): void {
    const channel = channels.get(resource);
    channels.delete(resource);
    for (const pending of [...(channel?.queue ?? []), ...(channel?.fetched.values() ?? [])]) {
      pending.settle({ status: statuses.TARGET_NOT_REACHABLE });
    }
    for (const poll of channel?.polls ?? []) poll(new CseError('NOT_FOUND', 'The polling channel was deleted.'));
  }

  /** Ends all polls, so that the CSE can be closed. */
  end(): void {
    for (const poll of this.#polls)
      poll(new CseError('REQUEST_TIMEOUT', 'No request to fetch came, and the CSE ends.'));
  }

  /** Milliseconds that a request waits for the AE, at most until its expiration (TS-0001, clause 10.2.5.17). */
  #timeoutOf({ requestExpiration }: RequestPrimitive): number {
    const defaultTimeout = this.#services.configuration.limits.polledSeconds * 1000;
    if (requestExpiration === undefined) return defaultTimeout;
    const left = (requestExpiration - this.#services.ports.clock.now()) / microsecondsPerMillisecond;
    return Math.max(0, Math.min(defaultTimeout, left));
  }

  #waitForRequest(channel: Channel, { requestExpiration }: RequestPrimitive): Promise<void> {
    const { clock } = this.#services.ports;
    const { pollSeconds, heldSeconds } = this.#services.configuration.limits;
    const requested =
      requestExpiration === undefined
        ? pollSeconds * 1000
        : (requestExpiration - clock.now()) / microsecondsPerMillisecond;
    const milliseconds = Math.min(requested, heldSeconds * 1000);
    return new Promise((resolve, reject) => {
      const end: EndPoll = (refusal) => {
        cancel();
        this.#polls.delete(end);
        if (refusal === undefined) resolve();
        else reject(refusal);
      };
      const cancel = clock.schedule(milliseconds, () => {
        channel.polls.splice(channel.polls.indexOf(end), 1);
        end(new CseError('REQUEST_TIMEOUT', 'No request to fetch came in time.'));
      });
      channel.polls.push(end);
      this.#polls.add(end);
    });
  }
}

function channelOf(resource: Resource): Channel {
  return getOrInsert(channels, resource, () => ({ queue: [], fetched: new Map(), polls: [] }));
}

/** The request in its JSON form (TS-0004, clause 7.1.1.1). */
function primitiveOf({ request, identifier }: PendingRequest): Record<string, unknown> {
  const { operation, to, from: fr, releaseVersionIndicator: rvi, resourceType: ty, eventCategory: ec } = request;
  return { op: operationNumbers[operation], to, fr, rqi: identifier, rvi, ty, ec, pc: request.content };
}
