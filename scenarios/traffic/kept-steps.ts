import { curlLine } from '../engine/messages/curl.ts';
import { maskedHeaders, maskedPath } from '../engine/messages/display.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { CheckResult, StepResult } from '../engine/results/result.ts';
import { recordedExchange, recordedMessage } from '../engine/targets/exchanging/record.ts';
import type { RecordedExchange } from './recorded.ts';

/** Exchanges of a recording to report: the first ones, and those before each with checks; `looked`: how many to remember. */
const most = { first: 500, before: 12, looked: 1_000 };

/** An exchange; `sentTo`: its receiver, if not the CSE. */
interface PassedExchange extends Pick<RecordedExchange, 'exchange'>, Partial<Pick<RecordedExchange, 'place'>> {
  readonly sentTo?: string;
}

interface KeptExchange {
  readonly passed: PassedExchange;
  readonly checks: readonly CheckResult[];
}

/** Selects the steps of a recording for a report, since nobody reads a million. */
export class KeptSteps {
  readonly steps: StepResult[] = [];
  count = 0;
  /** Beginning of the first one, in milliseconds since 1970 UTC. */
  start: number | undefined;
  readonly #url: string;
  /** Not reported yet, the oldest first. */
  #unreported: KeptExchange[] = [];

  /** `url`: of the CSE, as far as known. */
  constructor(url: string) {
    this.#url = url;
  }

  /** `isAnew`: it was not added before. */
  add(passed: PassedExchange, checks: readonly CheckResult[], isAnew = true): void {
    this.count += isAnew ? 1 : 0;
    this.start ??= passed.exchange.at;
    const kept = { passed, checks };
    if (checks.length > 0) this.#addPreceding(passed);
    if (checks.length > 0 || this.count <= most.first) this.steps.push(this.#stepOf(kept));
    else this.#unreported.push(kept);
    if (this.#unreported.length > 2 * most.looked) this.#unreported = this.#unreported.slice(-most.looked);
  }

  /** Adds the last exchanges about the same resource, its ancestors or descendants. */
  #addPreceding({ exchange: { request } }: PassedExchange): void {
    const related = this.#unreported.filter(({ passed }) => isRelated(passed.exchange.request.path, request.path));
    for (const one of related.slice(-most.before)) this.steps.push(this.#stepOf(one));
    this.#unreported = this.#unreported.filter((one) => !related.includes(one));
  }

  #stepOf({ passed: { exchange, place, sentTo }, checks }: KeptExchange): StepResult {
    const title = `${exchange.request.method} ${sentTo ?? ''}${maskedPath(exchange.request.path)}`;
    const recorded = this.#recorded(exchange, sentTo ?? this.#url);
    return { phase: 'step', title, ...(place && { place }), exchange: recorded, checks };
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

/** Without headers that curl adds itself. */
function isOwn([name]: readonly [string, string]): boolean {
  return !/^(host|connection|content-length|transfer-encoding)$/i.test(name);
}

function isRelated(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => `${path.split('?', 1)[0]?.replace(/^\/~\/[^/]+/, '')}/`);
  return one !== undefined && other !== undefined && (one.startsWith(other) || other.startsWith(one));
}
