/**
 * At QoS 1 a server delivers a message at least once (TS-0010, clause A.3.2), and each request has an identifier of its own (TS-0001,
 * clause 7.1.7): a repeated request is performed once, and answered twice.
 */

import { operationNumbers } from '../../core/numbers.ts';
import { isObject } from '../../dialects/body.ts';

/** A message from a server. */
export interface Delivery {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** The server says that it may have delivered this before. */
  readonly again: boolean;
}

interface KeptAnswer<Response> {
  readonly response: Promise<Response>;
  readonly at: number;
  readonly octets: number;
}

/** Milliseconds for which the same bytes are the same request, without the server's flag: some restart their identifiers from 1. */
const sameFor = 60_000;
const mostKept = 1_000;
/** Of the requests whose answers are kept. */
const mostOctets = 16 * 1024 * 1024;

export class Deliveries<Response> {
  readonly #now: () => number;
  readonly #generation: () => unknown;
  readonly #kept = new Map<string, KeptAnswer<Response>>();
  #current: unknown;
  #octets = 0;

  /** `generation` changes when the CSE has lost its state, as by a reset. `now` is in milliseconds. */
  constructor(generation: () => unknown, now = () => performance.now()) {
    this.#generation = generation;
    this.#now = now;
  }

  /** What `respond` resolves to, or did for the same request before. Retrievals are performed each time. */
  once({ topic, payload, again }: Delivery, request: unknown, respond: () => Promise<Response>): Promise<Response> {
    if (!isObject(request) || typeof request.rqi !== 'string' || request.op === operationNumbers.retrieve) {
      return respond();
    }
    this.#forgetFormer();
    const key = `${topic}\n${Buffer.from(payload).toString('latin1')}`;
    const known = this.#kept.get(key);
    if (known !== undefined && (again || this.#now() - known.at < sameFor)) return known.response;
    const response = respond();
    response.catch(() => this.#forget(key));
    this.#forget(key);
    this.#kept.set(key, { response, at: this.#now(), octets: payload.length });
    this.#octets += payload.length;
    this.#bound();
    return response;
  }

  #forgetFormer(): void {
    const generation = this.#generation();
    if (generation === this.#current) return;
    this.#current = generation;
    this.#kept.clear();
    this.#octets = 0;
  }

  #bound(): void {
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= mostKept && this.#octets <= mostOctets) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    const gone = this.#kept.get(key);
    if (gone === undefined) return;
    this.#kept.delete(key);
    this.#octets -= gone.octets;
  }
}
