import type { Expectation } from '../engine/grammar/grammar-check.ts';
import { emptyView, type NotificationView, viewOfNotification } from '../engine/judging/answer.ts';
import { judgeCheck } from '../engine/judging/check.ts';
import { outcomeOf } from '../engine/judging/expectation.ts';
import type { CseNames } from '../engine/messages/address.ts';
import type { Names } from '../engine/messages/interpolate.ts';
import type { ReceivedRequest, WireFacts } from '../engine/results/exchange.ts';
import type { CheckResult } from '../engine/results/result.ts';
import type { JudgeOptions } from './judge.ts';
import {
  demandsAsDocumented,
  demandsOfAny,
  demandsOfEvent,
  escaped,
  type NotificationDemand,
  namesSubscription,
} from './notification-demands.ts';
import { type KnownResource, keyOf } from './observation/known-resource.ts';

/** A request that a CSE sent on its own. */
export interface SentNotification {
  readonly request: ReceivedRequest;
  /** Facts of a binding other than HTTP. */
  readonly wire?: WireFacts | undefined;
  /** Whether the CSE certainly sent it. */
  readonly isCertain: boolean;
  /** Whether a resource is a subscription with this target. */
  readonly isNotifiedThere: (subscription: KnownResource) => boolean;
}

type Options = Pick<JudgeOptions, 'rules' | 'dialect' | 'names' | 'levelOf'>;

/** Checks each request that a CSE sent, as far as its subject is certain. Each requirement is reported once as violated and once as satisfied. */
export class NotificationJudge {
  readonly #options: Options;
  readonly #reported = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Undefined if somebody else may have sent it. */
  judge(sent: SentNotification, resources: readonly KnownResource[]): CheckResult[] | undefined {
    const { dialect, names } = this.#options;
    const view = viewOfNotification(sent.request);
    const subscription = this.subscriptionOf(sent.request, resources);
    const isItsName = new RegExp(`^(//[^/]+)?/${escaped(names.cseId)}$`).test(view.headers.get('x-m2m-origin') ?? '');
    if (!sent.isCertain && !isItsName && subscription === undefined) return undefined;
    if (dialect === 'documented') return this.newResults(view, demandsAsDocumented(view, resources));
    // A forwarded request keeps its originator (TS-0004 7.3.3.9.1; 7.3.2.6).
    const isOwn = isItsName || subscription !== undefined;
    const ofAny = demandsOfAny(names, sent.wire !== undefined).filter(
      (one) => one.requirement !== originating || isOwn,
    );
    const demands = view.kind === 'other' ? [] : [...ofAny, ...named(view, sent, resources, names)];
    if (view.kind === 'event' && subscription !== undefined) demands.push(...demandsOfEvent(view, subscription));
    return [...this.newResults(view, demands), ...this.#ofBinding(sent)];
  }

  /** The subscription that it names, if known. */
  subscriptionOf(request: ReceivedRequest, resources: readonly KnownResource[]): KnownResource | undefined {
    const { subscription } = viewOfNotification(request);
    return resources.find((one) => one.type === 'subscription' && isNamed(one, subscription, this.#options.names));
  }

  /** The results that were not reported before. */
  newResults(views: NotificationView | NotificationView[], demands: readonly NotificationDemand[]): CheckResult[] {
    return this.#results(demands, { ...emptyView, notifications: [views].flat(), counted: true });
  }

  /** Rules about requests beside an answer apply to these requests, too. */
  #ofBinding({ wire }: SentNotification): CheckResult[] {
    if (wire === undefined) return [];
    const about: Names = new Map([['request.cse', { value: this.#options.names.cseId }]]);
    const ofWire = this.#options.rules.filter(({ when }) => when.wire === wire.binding);
    const rules = ofWire.filter(({ demands }) => looksAtRequests(demands));
    const broken = new Set<string>();
    return rules.flatMap(({ requirement, demands, after }) => {
      if (!('check' in demands) || after.some((one) => broken.has(one))) return [];
      const view = { ...emptyView, wire };
      const observed = { view, summary: '', success: true };
      if (outcomeOf(demands.check, observed, about) === 'failed') broken.add(requirement);
      return this.#results([{ requirement, check: demands.check }], view, about);
    });
  }

  #results(demands: readonly NotificationDemand[], view: typeof emptyView, names: Names = new Map()): CheckResult[] {
    const { levelOf } = this.#options;
    const seen = { view, summary: 'what the CSE sent', success: true };
    return demands.flatMap((demand) => {
      const { requirement } = demand;
      const level = levelOf(requirement);
      const result = judgeCheck({ ...demand, place: nowhere }, { observation: seen, names, expect: 'either', level });
      const news = keyOf([requirement, result.state]);
      if ((result.state !== 'failed' && result.state !== 'passed') || this.#reported.has(news)) return [];
      this.#reported.add(news);
      return [{ ...result, byRule: true }];
    });
  }
}

/** Applies only to the CSE that holds the subscription. */
const originating = 'std.notification.header.originator';
const nowhere = { file: '', line: 1, column: 1 };

const looksAtRequests = (demands: object): boolean =>
  'check' in demands && Object.hasOwn((demands as { check: Expectation }).check.wire ?? {}, 'requests');

/** It names the right subscription. */
function named(
  view: NotificationView,
  { isNotifiedThere }: SentNotification,
  resources: readonly KnownResource[],
  names: CseNames,
): NotificationDemand[] {
  const { subscription: reference } = view;
  const about = resources.find((one) => isNamed(one, reference, names));
  const those = about?.type === 'subscription' ? [about] : resources.filter(isNotifiedThere);
  if ((about === undefined && reference !== undefined) || view.kind !== 'event') return [];
  if (those.length === 0) return [];
  const endings = those.flatMap((one) => [one.names.join('/'), String(one.returned.get('ri') ?? one.names.join('/'))]);
  return [namesSubscription(endings)];
}

/** By address or identifier, CSE-relative, SP-relative or absolute (TS-0001 7.2). */
function isNamed({ names, returned }: KnownResource, reference: unknown, { base, cseId, spId }: CseNames): boolean {
  if (typeof reference !== 'string') return false;
  const own = [`//${spId}/${cseId}/`, `/${cseId}/`].find((one) => reference.startsWith(one)) ?? '';
  const rest = reference.slice(own.length);
  return rest === [base, ...names].join('/') || rest === returned.get('ri');
}
