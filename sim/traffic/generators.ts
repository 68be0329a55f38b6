/** The values of one simulated device, one after the other. */
import { between, type NextNumber } from '../breakage/seeded.ts';
import { millisecondsOf } from '../clock.ts';
import type { GeneratedValue, ValueGenerator } from './traffic-form.ts';

/** The next value at a time in milliseconds since 1970 UTC. */
export type NextValue = (milliseconds: number) => GeneratedValue;

export function generatorOf(given: ValueGenerator, next: NextNumber): NextValue {
  const { decimals = 1 } = given;
  const rounded = (value: number) => Number(value.toFixed(decimals));
  const { constant, sine, walk, counter, uniform, list, choice } = given;
  if (sine !== undefined) {
    const wave = waveOf(sine, next);
    return (time) => rounded(wave(time));
  }
  if (walk !== undefined) return steps(walk.start, (value) => walked(value, walk, next), rounded);
  if (counter !== undefined) {
    return steps(counter.start, (value) => value + between(next, counter.from, counter.to), rounded);
  }
  if (uniform !== undefined) return () => rounded(between(next, uniform.from, uniform.to));
  if (list !== undefined) return inTurn(list);
  if (choice !== undefined) return () => choice[Math.floor(next() * choice.length)] ?? '';
  return () => constant ?? '';
}

function waveOf(
  { mean, amplitude, period = '24h', phase = 0, noise = 0 }: NonNullable<ValueGenerator['sine']>,
  next: NextNumber,
): (milliseconds: number) => number {
  const [length, start] = [Math.max(1, millisecondsOf(period)), millisecondsOf(phase)];
  return (time) =>
    mean +
    amplitude * Math.sin((2 * Math.PI * (time - start)) / length) +
    (noise > 0 ? between(next, -noise, noise) : 0);
}

function walked(
  value: number,
  { step, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: NonNullable<ValueGenerator['walk']>,
  next: NextNumber,
): number {
  return Math.min(max, Math.max(min, value + between(next, -step, step)));
}

/** The first value is the start itself. Steps add up unrounded. */
function steps(start: number, further: (value: number) => number, rounded: (value: number) => number): NextValue {
  let value: number | undefined;
  return () => {
    value = value === undefined ? start : further(value);
    return rounded(value);
  };
}

function inTurn(list: readonly GeneratedValue[]): NextValue {
  let at = 0;
  return () => list[at++ % list.length] ?? '';
}
