/** What a CSE sends to points of access and notification URIs that begin with `coap:` (TS-0008, clause 6.3). */

import { lookup } from 'node:dns/promises';
import type { HttpResponse } from '../../dialects/http-message.ts';
import { type OutgoingRequest, type Sender, UnreachableError } from '../../dialects/outgoing-message.ts';
import { type Scheduler, systemClock } from '../../environment/clock.ts';
import { deniedTarget, type TargetRules } from '../target-rules.ts';
import { CoapExchange } from './coap-exchange.ts';
import { asAnswer, asRequest } from './mapping.ts';
import { blockIn, blockOption, type CoapContent, type CoapOption, nothing, usualBlock } from './message.ts';

export interface CoapSenderOptions {
  /** Milliseconds for one request with its answer; 5,000 unless given. */
  readonly timeout?: number;
  /** Which targets are denied; none unless given. */
  readonly targets?: TargetRules;
  /** By which messages are sent again; that of the system unless given. */
  readonly clock?: Scheduler;
}

export class CoapSender implements Sender {
  readonly #options: CoapSenderOptions;
  readonly #end = new AbortController();

  constructor(options: CoapSenderOptions = {}) {
    this.#options = options;
  }

  async send(url: string, request: OutgoingRequest, signal?: AbortSignal): Promise<HttpResponse> {
    const { timeout = 5_000, clock = systemClock() } = this.#options;
    const { protocol, hostname, port } = new URL(url);
    if (protocol === 'coaps:') throw new UnreachableError(`${url}: DTLS is not spoken here, only coap:`);
    const late = AbortSignal.timeout(timeout);
    const over = AbortSignal.any([late, this.#end.signal, ...(signal ? [signal] : [])]);
    try {
      const host = hostname.replace(/^\[|\]$/g, '');
      const { address } = await lookup(host);
      if (this.#options.targets?.of(url)(address)) throw deniedTarget(host);
      await using exchange = await CoapExchange.open(address, Number(port || usualPort), { clock, over });
      return asAnswer(await transfer(exchange, asRequest(request, host)));
    } catch (error) {
      const reason = late.aborted ? `no complete answer within ${timeout / 1000} s` : reasonOf(error);
      throw new UnreachableError(`${url}: ${reason}`, { cause: error });
    }
  }

  /** Aborts requests under way. */
  close(): void {
    this.#end.abort(new Error('closed'));
  }
}

const usualPort = 5683;
/** Octets of an answer. */
const largestAnswer = 16 * 1024 * 1024;
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Sends the whole request, and resolves to the whole answer. */
async function transfer(exchange: CoapExchange, request: CoapContent): Promise<CoapContent> {
  let answer = await sendWhole(exchange, request);
  const pieces: Buffer[] = [];
  let length = 0;
  for (;;) {
    const block = blockIn(answer.options, 'Block2');
    pieces.push(answer.payload);
    length += answer.payload.length;
    if (length > largestAnswer) throw new Error(`the answer is longer than ${largestAnswer} bytes`);
    if (!block?.more) return { ...answer, payload: Buffer.concat(pieces) };
    if (block.number * block.size + answer.payload.length !== length)
      throw new Error('a block of the answer is missing');
    const next = { number: length / block.size, more: false, size: block.size };
    if (!Number.isInteger(next.number)) throw new Error('a block of the answer is cut short');
    answer = await exchange.ask(withOption({ ...request, payload: nothing }, blockOption('Block2', next)));
  }
}

async function sendWhole(exchange: CoapExchange, request: CoapContent): Promise<CoapContent> {
  const { payload } = request;
  if (payload.length <= usualBlock) return exchange.ask(request);
  let size = usualBlock;
  for (let from = 0; ; from += size) {
    const block = { number: from / size, more: from + size < payload.length, size };
    const part = { ...request, payload: payload.subarray(from, from + size) };
    const answer = await exchange.ask(withOption(part, blockOption('Block1', block)));
    if (answer.code !== '2.31' || !block.more) return answer;
    // The peer may request smaller blocks from now on (RFC 7959, clause 2.3).
    const requested = blockIn(answer.options, 'Block1')?.size ?? size;
    if (requested < size) [from, size] = [from + size - requested, requested];
  }
}

const withOption = (request: CoapContent, option: CoapOption): CoapContent => ({
  ...request,
  options: [...request.options, option],
});
