import { jsonIn } from '../dialects/body.ts';
import type { HttpRequest, Wire } from '../dialects/http-message.ts';
import { wireNames } from '../dialects/outgoing-message.ts';
import { millisecondsOf } from '../environment/clock.ts';
import type { ServerControls } from './contract.ts';
import type { AnswerEffect } from './disturbed-answers.ts';
import {
  type DisturbanceRule,
  DisturbanceRuleError,
  type ExchangeEffect,
  type MessageEffect,
  type RequestMatch,
} from './rule.ts';
import { between, longTailed, type NextNumber } from './seeded.ts';

/** An active rule, and its counts so far. */
export class ActiveRule {
  readonly rule: DisturbanceRule;
  /** Its own sequence, so that other rules do not change what it chooses. */
  readonly next: NextNumber;
  /** Requests that match. */
  requests = 0;
  /** Requests disturbed. */
  disturbed = 0;
  readonly #matches: (request: HttpRequest) => boolean;

  constructor(rule: DisturbanceRule, next: NextNumber) {
    this.rule = rule;
    this.next = next;
    this.#matches = matching(rule.match);
  }

  /** Whether to disturb this request. Counts it: to be called once for each. */
  applies(request: HttpRequest): boolean {
    if (!this.#matches(request)) return false;
    this.requests += 1;
    const { after = 1, times = Number.POSITIVE_INFINITY, share = 1 } = this.rule.match ?? {};
    if (this.requests < after || this.disturbed >= times) return false;
    if (share < 1 && this.next() >= share) return false;
    this.disturbed += 1;
    return true;
  }
}

function matching({ method, path, query, ...content }: RequestMatch = {}): (request: HttpRequest) => boolean {
  const isPath = path === undefined ? () => true : pathPattern(path);
  const [name = '', value] = query?.split('=') ?? [];
  return (request) => {
    const [requestPath = '', parameters] = request.target.split('?');
    if ((method !== undefined && request.method !== method) || !isPath(requestPath)) return false;
    if (query !== undefined && !new URLSearchParams(parameters).getAll(name).includes(value ?? '')) return false;
    return (content.creates ?? content.lacks) === undefined || creates(request, content);
  };
}

/** Whether the request creates such a resource. */
function creates({ method, body }: HttpRequest, { creates: expected, lacks }: RequestMatch): boolean {
  if (method !== 'POST') return false;
  const [[root, attributes] = []] = Object.entries(Object(jsonIn(body)));
  if (root === undefined || (expected !== undefined && root !== expected)) return false;
  return lacks === undefined || !Object.hasOwn(Object(attributes), lacks);
}

/** `*` matches any characters. Without one, the path itself and everything below it match. */
function pathPattern(pattern: string): (path: string) => boolean {
  const below = pattern.endsWith('/') ? pattern : `${pattern}/`;
  if (!pattern.includes('*')) return (path) => path === pattern || path.startsWith(below);
  const literal = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  const whole = new RegExp(`^${literal.join('.*')}$`, 's');
  return (path) => whole.test(path);
}

// The effects of active rules on one request.

export interface ExchangeDisturbance {
  /** Delay of the answer. */
  readonly milliseconds: number;
  /** Bytes a second; undefined: all at once. */
  readonly rate: number | undefined;
  readonly answerEffect: AnswerEffect | undefined;
  /** For answers that are messages: duplicated, retained by the server, delivered after the next one. */
  readonly repeated: boolean;
  readonly left: boolean;
  readonly overtaken: boolean;
}

/** The flags and wires of message effects. HTTP has none. */
const messageEffects: Readonly<
  Record<MessageEffect['effect'], { readonly sets: MessageFlag; readonly over: readonly Wire[] }>
> = {
  duplicate: { sets: 'repeated', over: ['mqtt', 'ws', 'coap'] },
  reorder: { sets: 'overtaken', over: ['mqtt', 'ws', 'coap'] },
  retain: { sets: 'left', over: ['mqtt'] },
};
type MessageFlag = 'repeated' | 'left' | 'overtaken';
const isMessageEffect = <E extends { readonly effect: string }>(effect: E): effect is E & MessageEffect =>
  Object.hasOwn(messageEffects, effect.effect);

/**
 * Undefined where nothing is disturbed. Counts the request for each rule: to be called once for each. Effects that the wire
 * does not support are skipped.
 */
export function planFor(request: HttpRequest, rules: readonly ActiveRule[]): ExchangeDisturbance | undefined {
  const plan: { -readonly [Key in keyof ExchangeDisturbance]: ExchangeDisturbance[Key] } = {
    milliseconds: 0,
    rate: undefined,
    answerEffect: undefined,
    ...{ repeated: false, left: false, overtaken: false },
  };
  let isAny = false;
  for (const active of rules) {
    const effect = exchangeEffectOf(active, request.wire);
    if (effect === undefined || isDecided(effect, plan) || !active.applies(request)) continue;
    isAny = true;
    if (effect.effect === 'latency') plan.milliseconds += delayOf(effect, active.next);
    else if (effect.effect === 'throttle') plan.rate = effect.rate;
    else if (isMessageEffect(effect)) plan[messageEffects[effect.effect].sets] = true;
    else plan.answerEffect = effect;
  }
  return isAny ? plan : undefined;
}

function exchangeEffectOf({ rule }: ActiveRule, wire: Wire = 'http'): ExchangeEffect | undefined {
  const { do: effect } = rule;
  if (effect.effect === 'dead' || effect.effect === 'certificate' || effect.effect === 'clock') return undefined;
  return isMessageEffect(effect) && !messageEffects[effect.effect].over.includes(wire) ? undefined : effect;
}

/** Delays add up, and message effects combine; of the others the first rule decides. */
function isDecided(effect: ExchangeEffect, { rate, answerEffect }: ExchangeDisturbance): boolean {
  if (effect.effect === 'latency' || isMessageEffect(effect)) return false;
  return effect.effect === 'throttle' ? rate !== undefined : answerEffect !== undefined;
}

function delayOf(latency: Extract<ExchangeEffect, { readonly effect: 'latency' }>, next: NextNumber): number {
  if ('by' in latency) return millisecondsOf(latency.by);
  if ('median' in latency) return longTailed(next, millisecondsOf(latency.median), millisecondsOf(latency.p99));
  return between(next, millisecondsOf(latency.from), millisecondsOf(latency.to));
}

/** Throws a DisturbanceRuleError for an effect that no server supports. */
export function checkSupported(action: DisturbanceRule['do'], servers: readonly ServerControls[]): void {
  const { effect } = action;
  if (effect === 'certificate' && servers.every(({ present }) => present === undefined)) {
    throw new DisturbanceRuleError('the CSE serves plain HTTP, and presents no certificate');
  }
  const carriers = isMessageEffect(action) ? messageEffects[action.effect].over : undefined;
  if (carriers && !servers.some(({ wire }) => carriers.includes(wire))) {
    const names = carriers.map((wire) => wireNames[wire]).join(', ');
    throw new DisturbanceRuleError(`${effect} affects messages over ${names}, which the CSE does not serve`);
  }
  if (effect === 'dead' && servers.length === 0) throw new DisturbanceRuleError('the CSE does not listen anyway');
}
