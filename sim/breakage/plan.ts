/** What the rules that hold make of one request. */
import { millisecondsOf } from '../clock.ts';
import type { HttpRequest } from '../dialects/http-message.ts';
import type { BreakingEffect } from './broken-answers.ts';
import type { ExchangeEffect } from './rule.ts';
import { between, longTailed, type NextNumber } from './seeded.ts';
import type { StandingRule } from './standing-rule.ts';

export interface Plan {
  /** For which the answer waits. */
  readonly milliseconds: number;
  /** Bytes a second; undefined: all at once. */
  readonly rate: number | undefined;
  readonly breaking: BreakingEffect | undefined;
}

/** Undefined where nothing is to happen. Counts the request with each rule that is asked: to be called once for each. */
export function planFor(request: HttpRequest, rules: readonly StandingRule[]): Plan | undefined {
  const plan: { -readonly [Key in keyof Plan]: Plan[Key] } = { milliseconds: 0, rate: undefined, breaking: undefined };
  let isAny = false;
  for (const standing of rules) {
    const effect = exchangeEffectOf(standing);
    if (effect === undefined || isDecided(effect, plan) || !standing.takes(request)) continue;
    isAny = true;
    if (effect.effect === 'latency') plan.milliseconds += delayOf(effect, standing.next);
    else if (effect.effect === 'throttle') plan.rate = effect.rate;
    else plan.breaking = effect;
  }
  return isAny ? plan : undefined;
}

function exchangeEffectOf({ rule }: StandingRule): ExchangeEffect | undefined {
  const { do: effect } = rule;
  return effect.effect === 'dead' || effect.effect === 'certificate' || effect.effect === 'clock' ? undefined : effect;
}

/** Delays add up; of the others the first rule decides. */
function isDecided({ effect }: ExchangeEffect, { rate, breaking }: Plan): boolean {
  if (effect === 'latency') return false;
  return effect === 'throttle' ? rate !== undefined : breaking !== undefined;
}

function delayOf(latency: Extract<ExchangeEffect, { readonly effect: 'latency' }>, next: NextNumber): number {
  if ('by' in latency) return millisecondsOf(latency.by);
  if ('median' in latency) return longTailed(next, millisecondsOf(latency.median), millisecondsOf(latency.p99));
  return between(next, millisecondsOf(latency.from), millisecondsOf(latency.to));
}
