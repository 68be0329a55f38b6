import { millisecondsOf } from '../clock.ts';
import type { BreakageRule, Duration } from './rule.ts';

/** Microseconds by which the last rule about the clock has it ahead. */
export function offsetIn(rules: readonly BreakageRule[]): number {
  const effects = rules.map((rule) => rule.do).toReversed();
  const skew = effects.find((one) => one.effect === 'clock');
  return skew === undefined ? 0 : microsecondsOf(skew.by);
}

/** Behind, where there is a minus sign before it. */
function microsecondsOf(by: Duration): number {
  const text = String(by);
  const size = typeof by === 'number' ? Math.abs(by) : text.replace(/^[-+]/, '');
  return (text.startsWith('-') ? -1000 : 1000) * millisecondsOf(size);
}
