import { curlLine } from '../engine/messages/curl.ts';
import { shownHeaders, shownPath } from '../engine/messages/shown.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { CheckResult, StepResult } from '../engine/results/result.ts';
import { recordedExchange, recordedMessage } from '../engine/targets/exchanging/record.ts';
import type { Recorded } from './recorded.ts';

/** So many exchanges of a recording are told whatever they show, and so many before each that shows something. */
const most = { first: 500, before: 12, looked: 1_000 };

/** An exchange with what came of it; `sentTo`: where it went, if not to the CSE. */
type Passed = Pick<Recorded, 'exchange'> & Partial<Pick<Recorded, 'place'>> & { readonly sentTo?: string };

interface Kept {
  readonly passed: Passed;
  readonly checks: readonly CheckResult[];
}

/** The steps that a report tells of a recording, of which nobody could read a million. */
export class KeptSteps {
  readonly steps: StepResult[] = [];
  /** Exchanges that came by. */
  count = 0;
  /** Milliseconds since 1970 UTC at which the first one began. */
  start: number | undefined;
  readonly #url: string;
  /** Those that were not told, the oldest first. */
  #untold: Kept[] = [];

  /** `url`: where the CSE is, as far as anybody knows. */
  constructor(url: string) {
    this.#url = url;
  }

  /** `isAnew`: unless it was added before. */
  add(passed: Passed, checks: readonly CheckResult[], isAnew = true): void {
    this.count += isAnew ? 1 : 0;
    this.start ??= passed.exchange.at;
    const kept = { passed, checks };
    if (checks.length > 0) this.#tellBefore(passed);
    if (checks.length > 0 || this.count <= most.first) this.steps.push(this.#stepOf(kept));
    else this.#untold.push(kept);
    if (this.#untold.length > 2 * most.looked) this.#untold = this.#untold.slice(-most.looked);
  }

  /** What led to it: the last exchanges about the same, or about what stands above or below it. */
  #tellBefore({ exchange: { request } }: Passed): void {
    const told = this.#untold.filter(({ passed }) => isRelated(passed.exchange.request.path, request.path));
    for (const one of told.slice(-most.before)) this.steps.push(this.#stepOf(one));
    this.#untold = this.#untold.filter((one) => !told.includes(one));
  }

  #stepOf({ passed: { exchange, place, sentTo }, checks }: Kept): StepResult {
    const title = `${exchange.request.method} ${sentTo ?? ''}${shownPath(exchange.request.path)}`;
    return {
      phase: 'step',
      title,
      ...(place && { place }),
      exchange: this.#shown(exchange, sentTo ?? this.#url),
      checks,
    };
  }

  #shown(exchange: Exchange, url: string): Exchange {
    const { method, path, headers, body } = exchange.request;
    const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
    const message = { method, path, headers: headers.filter(isOwn), ...(bytes && { body: bytes }) };
    const request = { ...recordedMessage(message), headers: shownHeaders(headers) };
    const at = exchange.at - (this.start ?? 0);
    return recordedExchange({ ...exchange, request, at, curl: curlLine(url, message) });
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
