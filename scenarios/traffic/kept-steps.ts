import { curlLine } from '../engine/messages/curl.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import { shownHeaders, shownPath } from '../engine/messages/secrets.ts';
import type { CheckResult, StepResult } from '../engine/result.ts';
import { recordedExchange, recordedMessage } from '../engine/targets/record.ts';
import type { Recorded } from './recorded.ts';

/** So many exchanges of a recording are told whatever they show, and so many before each that shows something. */
const most = { first: 500, before: 12, looked: 1_000 };

interface Kept {
  readonly recorded: Recorded;
  readonly checks: readonly CheckResult[];
}

/** The steps that a report tells of a recording, of which nobody could read a million. */
export class KeptSteps {
  readonly #url: string;
  readonly #steps: StepResult[] = [];
  /** Those that were not told, the oldest first. */
  #untold: Kept[] = [];
  #count = 0;
  #start: number | undefined;

  /** `url`: where the CSE is, as far as anybody knows. */
  constructor(url: string) {
    this.#url = url;
  }

  get steps(): readonly StepResult[] {
    return this.#steps;
  }

  /** Exchanges that came by. */
  get count(): number {
    return this.#count;
  }

  /** Milliseconds since 1970 UTC at which the first one began. */
  get start(): number | undefined {
    return this.#start;
  }

  add(recorded: Recorded, checks: readonly CheckResult[]): void {
    this.#count += 1;
    this.#start ??= recorded.exchange.at;
    const kept = { recorded, checks };
    if (checks.length > 0) this.#tellBefore(recorded);
    if (checks.length > 0 || this.#count <= most.first) this.#steps.push(this.#stepOf(kept));
    else this.#untold.push(kept);
    if (this.#untold.length > 2 * most.looked) this.#untold = this.#untold.slice(-most.looked);
  }

  /** What led to it: the last exchanges about the same, or about what stands above or below it. */
  #tellBefore({ exchange: { request } }: Recorded): void {
    const told = this.#untold.filter(({ recorded }) => isRelated(recorded.exchange.request.path, request.path));
    for (const one of told.slice(-most.before)) this.#steps.push(this.#stepOf(one));
    this.#untold = this.#untold.filter((one) => !told.includes(one));
  }

  #stepOf({ recorded: { exchange, place }, checks }: Kept): StepResult {
    const title = `${exchange.request.method} ${shownPath(exchange.request.path)}`;
    const here = checks.map((check) => ({ ...check, place }));
    return { phase: 'step', title, place, exchange: this.#shown(exchange), checks: here };
  }

  #shown(exchange: Exchange): Exchange {
    const { method, path, headers, body } = exchange.request;
    const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
    const message = { method, path, headers: headers.filter(isOwn), ...(bytes && { body: bytes }) };
    const request = { ...recordedMessage(message), headers: shownHeaders(headers) };
    const at = exchange.at - (this.#start ?? 0);
    return recordedExchange({ ...exchange, request, at, curl: curlLine(this.#url, message) });
  }
}

/** Not said by curl itself. */
function isOwn([name]: readonly [string, string]): boolean {
  return !/^(host|connection|content-length|transfer-encoding)$/i.test(name);
}

function isRelated(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => `${path.split('?', 1)[0]?.replace(/^\/~\/[^/]+/, '')}/`);
  return one !== undefined && other !== undefined && (one.startsWith(other) || other.startsWith(one));
}
