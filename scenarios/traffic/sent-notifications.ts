import { viewOfNotification } from '../engine/judging/answer.ts';
import type { CheckResult } from '../engine/results/result.ts';
import { ExpectedNotifications } from '../oracle/expected-notifications.ts';
import type { NotificationJudge } from '../oracle/notification-judge.ts';
import { isGone, isThere, type KnownResource } from '../oracle/observation/known-resource.ts';
import type { Observation } from '../oracle/observation/observation.ts';
import type { AttributeMap } from '../oracle/observation/parsed-request.ts';
import type { SeenExchange } from '../oracle/observation/seen-exchange.ts';
import type { RecordedExchange } from './recorded.ts';

export interface RecordedNotification {
  readonly recorded: RecordedExchange;
  /** Whether the checked CSE certainly sent it. */
  readonly isCertain: boolean;
}

/** `isAnew`: for a new notification; else for one reported before, or a missing one. */
type OnReported = (recorded: RecordedExchange, checks: readonly CheckResult[], isAnew: boolean) => void;

/** Milliseconds of silence after which a missing notification counts, as long as a scenario waits. */
const quiet = 5_000;

/**
 * Checks recorded notifications: each by the state when it was sent, and their number after some silence, if their causes are certain.
 * Only at URLs with notifications, since a recording may not include them.
 */
export class SentNotifications {
  readonly #judge: NotificationJudge;
  readonly #report: OnReported;
  readonly #expected = new ExpectedNotifications(isCounted);
  #waiting: RecordedNotification[] = [];
  /** Events since the last count. */
  #events: Array<RecordedNotification & { readonly subscription: KnownResource }> = [];
  readonly #knownUrls = new Set<string>();
  /** URLs with an aggregated notification since the last count. */
  readonly #aggregatedAt = new Set<string>();
  /** The last request that may have caused one. */
  #cause: RecordedExchange | undefined;
  #isNoted = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(judge: NotificationJudge, report: OnReported) {
    this.#judge = judge;
    this.#report = report;
  }

  add(sent: RecordedNotification): void {
    this.#waiting.push(sent);
  }

  /** Called before the observation takes note of an exchange. */
  readonly note = (seen: SeenExchange, observation: Observation): void => {
    this.#isNoted = true;
    this.#expected.note(seen, observation);
  };

  /** Something with unknown effects happened. */
  lose(): void {
    this.#expected.lose();
  }

  /** An exchange is finished; `isWrite`: it may have caused notifications. */
  passed(recorded: RecordedExchange, isWrite: boolean): void {
    if (isWrite && !this.#isNoted) this.lose();
    if (isWrite) this.#cause = recorded;
    this.#isNoted = false;
    const { at, took } = recorded.exchange;
    this.#lastAt = Math.max(this.#lastAt, at + took);
  }

  /** Checks those sent before a time, in milliseconds since 1970 UTC; one at that very time may be caused by the request then. */
  until(at: number, held: readonly KnownResource[]): void {
    const due = this.#waiting.filter(({ recorded }) => recorded.exchange.at < at);
    if (due.length > 0) this.#waiting = this.#waiting.filter(({ recorded }) => recorded.exchange.at >= at);
    for (const sent of due.sort((a, b) => a.recorded.exchange.at - b.recorded.exchange.at)) {
      this.#countAfterQuiet(sent.recorded.exchange.at, held);
      this.#one(sent, held);
    }
    this.#countAfterQuiet(at, held);
  }

  #one(sent: RecordedNotification, held: readonly KnownResource[]): void {
    const { recorded, isCertain } = sent;
    const { request, at } = recorded.exchange;
    const url = urlOf(recorded);
    this.#lastAt = Math.max(this.#lastAt, at);
    this.#knownUrls.add(url);
    const received = { ...request, at };
    const isNotifiedThere = ({ type, requested }: KnownResource) =>
      type === 'subscription' && targetsIn(requested.get('nu')).includes(url);
    const wire = recorded.notified?.wire && { wire: recorded.notified.wire };
    const checks = this.#judge.judge({ request: received, isCertain, isNotifiedThere, ...wire }, held);
    if (checks === undefined) return;
    this.#report(recorded, checks, true);
    const { kind } = viewOfNotification(received);
    const subscription = this.#judge.subscriptionOf(received, held);
    if (kind === 'aggregate') this.#aggregatedAt.add(url);
    if (kind === 'event' && subscription !== undefined && this.#expected.isCertain(subscription))
      this.#events.push({ ...sent, subscription });
  }

  #countAfterQuiet(at: number, held: readonly KnownResource[]): void {
    if (at - this.#lastAt < quiet) return;
    // Expirations may cause notifications, too.
    const end = Math.min(at, this.#lastAt + quiet);
    const over = held.filter((one) => !isGone(one) && !isThere(one, end));
    const groups = over.length > 0 ? held.filter(({ type }) => type === 'group') : [];
    this.#expected.loseAt(...over, ...over.flatMap(({ parent }) => parent ?? []), ...groups);
    const isOver = at !== Number.POSITIVE_INFINITY;
    for (const url of this.#expected.expecting(true)) this.#count(url, held, isOver);
    this.#events = [];
  }

  /** Retries count once. At the end of the recording, some may be missing. */
  #count(url: string, held: readonly KnownResource[], isOver: boolean): void {
    const [target] = targetsIn([url]);
    const events = this.#events.filter(({ recorded }) => urlOf(recorded) === target);
    const [number, ...content] = this.#expected.take(url, held);
    const views = events.map(({ recorded: { exchange } }) =>
      viewOfNotification({ ...exchange.request, at: exchange.at }),
    );
    const once = [...new Map(views.map((view) => [view.headers.get('x-m2m-ri') ?? view, view])).values()];
    if (number === undefined || target === undefined || !this.#knownUrls.has(target)) return;
    if (this.#aggregatedAt.delete(target)) return;
    const { notifications = 0 } = number.check;
    const most =
      typeof notifications === 'object' && notifications !== null && 'between' in notifications
        ? Number(notifications.between?.[1])
        : Number(notifications);
    if (!isOver && once.length < most) return;
    const at = events.at(-1)?.recorded ?? this.#cause;
    const checks = this.#judge.newResults(once, [number, ...content]);
    if (at !== undefined && checks.length > 0) this.#report(at, checks, false);
  }
}

/** Whether a subscription sends a known number: one for each event, to URLs. */
function isCounted({ nu, enc, nct = 1, ...others }: AttributeMap = {}): boolean {
  const criteria = Object.entries((enc ?? {}) as AttributeMap);
  const isUsual = Object.keys(others).every((name) => /^(rn|lbl|cr)$/.test(name));
  const isOfEvents = criteria.every(
    ([name, types]) => name === 'net' && Array.isArray(types) && types.every((type) => type >= 1 && type <= 4),
  );
  return isUsual && isOfEvents && nct === 1 && Array.isArray(nu) && nu.length === targetsIn(nu).length;
}

/** Normalised URLs; over MQTT without the server. */
const targetsIn = (nu: unknown): string[] =>
  (Array.isArray(nu) ? nu : []).flatMap((one) => (URL.canParse(String(one)) ? [normal(new URL(String(one)))] : []));

const normal = ({ protocol, pathname, href }: URL): string => (/^mqtts?:$/.test(protocol) ? `mqtt:${pathname}` : href);

function urlOf({ origin = '', exchange: { request } }: RecordedExchange): string {
  const url = origin + request.path;
  return URL.canParse(url) ? normal(new URL(url)) : url;
}
