import { curlLine } from '../engine/messages/curl.ts';
import { maskedHeaders, maskedPath } from '../engine/messages/display.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { CheckResult, StepResult } from '../engine/results/result.ts';
import { recordedExchange, recordedMessage } from '../engine/targets/exchanging/record.ts';
import type { RecordedExchange } from './recorded.ts';

/** So many exchanges of a recording are told whatever they show, and so many before each that shows something. */
const most = { first: 500, before: 12, looked: 1_000 };

/** An exchange with what came of it; `sentTo`: where it went, if not to the CSE. */
interface PassedExchange extends Pick<RecordedExchange, 'exchange'>, Partial<Pick<RecordedExchange, 'place'>> {
  readonly sentTo?: string;
}

interface KeptExchange {
  readonly passed: PassedExchange;
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
  #unreported: KeptExchange[] = [];

  /** `url`: where the CSE is, as far as anybody knows. */
  constructor(url: string) {
    this.#url = url;
  }

  /** `isAnew`: unless it was added before. */
  add(passed: PassedExchange, checks: readonly CheckResult[], isAnew = true): void {
    this.count += isAnew ? 1 : 0;
    this.start ??= passed.exchange.at;
    const kept = { passed, checks };
    if (checks.length > 0) this.#addPreceding(passed);
    if (checks.length > 0 || this.count <= most.first) this.steps.push(this.#stepOf(kept));
    else this.#unreported.push(kept);
    if (this.#unreported.length > 2 * most.looked) this.#unreported = this.#unreported.slice(-most.looked);
  }

  /** What led to it: the last exchanges about the same, or about what stands above or below it. */
  #addPreceding({ exchange: { request } }: PassedExchange): void {
    const related = this.#unreported.filter(({ passed }) => isRelated(passed.exchange.request.path, request.path));
    for (const one of related.slice(-most.before)) this.steps.push(this.#stepOf(one));
    this.#unreported = this.#unreported.filter((one) => !related.includes(one));
  }

  #stepOf({ passed: { exchange, place, sentTo }, checks }: KeptExchange): StepResult {
    const title = `${exchange.request.method} ${sentTo ?? ''}${maskedPath(exchange.request.path)}`;
    return {
      phase: 'step',
      title,
      ...(place && { place }),
      exchange: this.#recorded(exchange, sentTo ?? this.#url),
      checks,
    };
  }

  #recorded(exchange: Exchange, url: string): Exchange {
    const { method, path, headers, body } = exchange.request;
    const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
    const message = { method, path, headers: headers.filter(isOwn), ...(bytes && { body: bytes }) };
    const request = { ...recordedMessage(message), headers: maskedHeaders(headers) };
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
