import { viewOfNotification } from '../engine/judging/answer.ts';
import type { CheckResult } from '../engine/results/result.ts';
import { ExpectedNotifications } from '../oracle/expected-notifications.ts';
import type { NotificationJudge } from '../oracle/notification-judge.ts';
import { isGone, isThere, type KnownResource } from '../oracle/observation/known-resource.ts';
import type { Observation } from '../oracle/observation/observation.ts';
import type { AttributeMap } from '../oracle/observation/parsed-request.ts';
import type { SeenExchange } from '../oracle/observation/seen-exchange.ts';
import type { RecordedExchange } from './recorded.ts';

/** A notification of a recording. */
export interface RecordedNotification {
  readonly recorded: RecordedExchange;
  /** Whether only the CSE that is judged can have sent it. */
  readonly isCertain: boolean;
}

/** `isAnew`: of a notification; else what was told before has led to something, or to nothing. */
type OnReported = (recorded: RecordedExchange, checks: readonly CheckResult[], isAnew: boolean) => void;

/** Milliseconds in which nothing passed, after which what has not come does not come, as long as a scenario waits. */
const quiet = 5_000;

/**
 * Notifications of a recording: each is judged by what is known when it was sent, and how many there are where it is certain
 * what led to them, and where nothing passed for a while. Where none ever came nobody knows whether the recording would hold it.
 */
export class SentNotifications {
  readonly #judge: NotificationJudge;
  readonly #report: OnReported;
  readonly #notices = new ExpectedNotifications(isCounted);
  #waiting: RecordedNotification[] = [];
  /** Of events, since they were counted last. */
  #events: Array<RecordedNotification & { readonly subscription: KnownResource }> = [];
  /** Where any was ever sent. */
  readonly #knownUrls = new Set<string>();
  /** Where several came in one, since they were counted last. */
  readonly #aggregatedAt = new Set<string>();
  /** The last request that may have led to one. */
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

  /** Before what came of an exchange is taken note of. */
  readonly note = (seen: SeenExchange, observation: Observation): void => {
    this.#isNoted = true;
    this.#notices.note(seen, observation);
  };

  /** It can't be told what happened, and so not what it led to. */
  lose(): void {
    this.#notices.lose();
  }

  /** An exchange was judged, or could not be; `isWrite`: whether it may have led to anything. */
  passed(recorded: RecordedExchange, isWrite: boolean): void {
    if (isWrite && !this.#isNoted) this.lose();
    if (isWrite) this.#cause = recorded;
    this.#isNoted = false;
    const { at, took } = recorded.exchange;
    this.#lastAt = Math.max(this.#lastAt, at + took);
  }

  /** Judges those that were sent before a time, in milliseconds since 1970 UTC; what was sent in the same moment may have come of what is asked then. */
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
    const isNotifiedThere = ({ type, requested: given }: KnownResource) =>
      type === 'subscription' && targetsIn(given.get('nu')).includes(url);
    const about = {
      request: received,
      isCertain,
      isNotifiedThere,
      ...(recorded.notified?.wire && { wire: recorded.notified.wire }),
    };
    const checks = this.#judge.judge(about, held);
    if (checks === undefined) return;
    this.#report(recorded, checks, true);
    const { kind } = viewOfNotification(received);
    const subscription = this.#judge.subscriptionOf(received, held);
    if (kind === 'aggregate') this.#aggregatedAt.add(url);
    if (kind === 'event' && subscription !== undefined && this.#notices.isCertain(subscription))
      this.#events.push({ ...sent, subscription });
  }

  #countAfterQuiet(at: number, held: readonly KnownResource[]): void {
    if (at - this.#lastAt < quiet) return;
    // What goes by itself may be notified as well.
    const end = Math.min(at, this.#lastAt + quiet);
    const over = held.filter((one) => !isGone(one) && !isThere(one, end));
    const groups = over.length > 0 ? held.filter(({ type }) => type === 'group') : [];
    this.#notices.loseAt(...over, ...over.flatMap(({ parent }) => parent ?? []), ...groups);
    const isOver = at !== Number.POSITIVE_INFINITY;
    for (const url of this.#notices.expecting(true)) this.#count(url, held, isOver);
    this.#events = [];
  }

  /** One that is tried again is the same. Where the recording ends, some may not have come yet. */
  #count(url: string, held: readonly KnownResource[], isOver: boolean): void {
    const [target] = targetsIn([url]);
    const events = this.#events.filter(({ recorded }) => urlOf(recorded) === target);
    const [number, ...content] = this.#notices.take(url, held);
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

/** Whether it is known how many a subscription leads to: one for each event, to URLs. */
function isCounted({ nu, enc, nct = 1, ...others }: AttributeMap = {}): boolean {
  const criteria = Object.entries((enc ?? {}) as AttributeMap);
  const isUsual = Object.keys(others).every((name) => /^(rn|lbl|cr)$/.test(name));
  const isOfEvents = criteria.every(
    ([name, types]) => name === 'net' && Array.isArray(types) && types.every((type) => type >= 1 && type <= 4),
  );
  return isUsual && isOfEvents && nct === 1 && Array.isArray(nu) && nu.length === targetsIn(nu).length;
}

/** As URLs are written alike; over MQTT the topic alone, whatever the server is called. */
const targetsIn = (nu: unknown): string[] =>
  (Array.isArray(nu) ? nu : []).flatMap((one) => (URL.canParse(String(one)) ? [normal(new URL(String(one)))] : []));

const normal = ({ protocol, pathname, href }: URL): string => (/^mqtts?:$/.test(protocol) ? `mqtt:${pathname}` : href);

function urlOf({ origin = '', exchange: { request } }: RecordedExchange): string {
  const url = origin + request.path;
  return URL.canParse(url) ? normal(new URL(url)) : url;
}
