/** Requests and responses that are larger than a message, block by block (RFC 7959; TS-0008, clause 6.5), around a service. */

import type { HttpService } from '../../dialects/http-message.ts';
import { asHttpRequest, asResponse, refusalOf } from './mapping.ts';
import {
  blockIn,
  blockOption,
  type CoapBlock,
  type CoapContent,
  nothing,
  uint,
  usualBlock,
  valuesOf,
} from './message.ts';

interface Bodies {
  readonly service: HttpService;
  /** Octets of one request body. */
  readonly bodyBytes: number;
}

/** Incomplete bodies, received or sent, that are kept at one time; the oldest are dropped. */
const mostKept = 256;

export class Transfers {
  readonly #bodies: Bodies;
  /** Received parts of requests, and responses not fetched yet, by client and request. */
  readonly #incoming = new Map<string, Buffer>();
  readonly #outgoing = new Map<string, CoapContent>();

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
  }

  /** Undefined where no answer is to be sent. Never rejects but for a defect. */
  async answer(request: CoapContent, address: string, port: number): Promise<CoapContent | undefined> {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return empty(refusal);
    try {
      return await this.#answer(request, address, port);
    } catch (error) {
      if (error instanceof RangeError) return empty('4.02');
      throw error;
    }
  }

  async #answer(request: CoapContent, address: string, port: number): Promise<CoapContent | undefined> {
    const [sent, requested] = [blockIn(request.options, 'Block1'), blockIn(request.options, 'Block2')];
    const key = keyOf(request, `${address} ${port}`);
    if (requested !== undefined && requested.number > 0 && sent === undefined) {
      const rest = this.#outgoing.get(key);
      if (rest !== undefined) return blockOf(rest, requested);
      // Only a retrieval is performed again to fetch the rest of its answer.
      if (request.code !== '0.01') return empty('4.08');
    }
    const whole = this.#whole(request, sent, key);
    if ('code' in whole) return whole;
    const message = asHttpRequest({ ...request, payload: whole.payload }, address);
    const response = asResponse(await this.#bodies.service.handle(message), message.method);
    if (response === undefined) return undefined;
    const last = sent === undefined ? [] : [blockOption('Block1', { ...sent, more: false })];
    return this.#begin({ ...response, options: [...response.options, ...last] }, requested, key);
  }

  /** The whole body of the request, or the answer to this part of it. */
  #whole(
    { payload }: CoapContent,
    sent: CoapBlock | undefined,
    key: string,
  ): CoapContent | { readonly payload: Buffer } {
    const { bodyBytes } = this.#bodies;
    const before = sent === undefined || sent.number === 0 ? nothing : this.#incoming.get(key);
    this.#incoming.delete(key);
    if (sent !== undefined && before?.length !== sent.number * sent.size) return empty('4.08');
    const all = Buffer.concat([before ?? nothing, payload]);
    if (all.length > bodyBytes) return { ...empty('4.13'), options: [{ name: 'Size1', value: uint(bodyBytes) }] };
    if (!sent?.more) return { payload: all };
    if (payload.length !== sent.size) return empty('4.00');
    keep(this.#incoming, key, all);
    return { ...empty('2.31'), options: [blockOption('Block1', sent)] };
  }

  #begin(response: CoapContent, requested: CoapBlock | undefined, key: string): CoapContent {
    this.#outgoing.delete(key);
    const first = requested ?? { number: 0, more: false, size: usualBlock };
    if (response.payload.length <= first.size && first.number === 0) return response;
    keep(this.#outgoing, key, response);
    return blockOf(response, first);
  }
}

function keep<Body>(bodies: Map<string, Body>, key: string, body: Body): void {
  bodies.set(key, body);
  const [oldest] = bodies.keys();
  if (bodies.size > mostKept && oldest !== undefined) bodies.delete(oldest);
}

/** The same for all blocks of a transfer; tokens may differ (RFC 7959, clause 2.3). */
function keyOf({ code, options }: CoapContent, who: string): string {
  const same = options.filter(({ name }) => !['Block1', 'Block2', 'Size1', 'Size2'].includes(name));
  return JSON.stringify([who, code, ...same.map(({ name, value }) => [name, value.toString('latin1')])]);
}

function blockOf({ code, options, payload, carried }: CoapContent, { number, size }: CoapBlock): CoapContent {
  const [from, to] = [number * size, (number + 1) * size];
  if (from >= payload.length) return empty('4.02');
  const block = blockOption('Block2', { number, more: to < payload.length, size });
  const whole =
    valuesOf(options, 'Block1').length > 0 && number > 0 ? [] : [{ name: 'Size2', value: uint(payload.length) }];
  return {
    code,
    options: [...options, block, ...whole],
    payload: payload.subarray(from, to),
    ...(carried && { carried }),
  };
}

const empty = (code: string): CoapContent => ({ code, options: [], payload: nothing });
