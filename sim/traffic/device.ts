/** One simulated device: when it pushes, and what. */

import { between, type NextNumber, seededNumbers } from '../breakage/seeded.ts';
import { encodeContent } from '../dialects/content.ts';
import { millisecondsOf, type Scheduler } from '../environment/clock.ts';
import { numbered } from '../seeding/seed-tree.ts';
import type { GeneratedValue, TrafficDevice, ValueGenerator } from './traffic-form.ts';

/** Attributes of the content instance. */
type Push = (content: ReturnType<typeof encodeContent>) => Promise<void>;

export interface Device {
  readonly into: string;
  readonly originator: string | undefined;
  /** Begins to push; returns what ends it. */
  start(clock: Scheduler, push: Push): () => void;
}

/** Every device of a plan has a stream of chance of its own, so that one more changes nothing for the others. */
export function deviceOf(given: TrafficDevice, number: number | undefined, seed: number, stream: number): Device {
  const { into, originator, every, jitter = 0, after, value, values } = numbered(given, number);
  const [period, spread] = [Math.max(1, millisecondsOf(every)), millisecondsOf(jitter)];
  const next = seededNumbers(seed, stream);
  const first = after === undefined ? next() * period : millisecondsOf(after);
  const contentAt = contentsOf({ value, values }, next);
  return {
    into,
    originator,
    start(clock, push) {
      let due = clock.now() / 1000 + first;
      let cancel = (): void => {};
      const later = (): void => {
        const moved = spread === 0 ? due : due + between(next, -spread, spread);
        cancel = clock.schedule(Math.max(0, moved - clock.now() / 1000), async () => {
          due += period;
          later();
          await push(contentAt(clock.now() / 1000));
        });
      };
      later();
      return () => cancel();
    },
  };
}

function contentsOf({ value, values }: Pick<TrafficDevice, 'value' | 'values'>, next: () => number) {
  if (value !== undefined) {
    const generate = generatorOf(value, next);
    return (time: number) => encodeContent(String(generate(time)));
  }
  const members = Object.entries(values ?? {}).map(([name, given]) => [name, generatorOf(given, next)] as const);
  return (time: number) => encodeContent(Object.fromEntries(members.map(([name, generate]) => [name, generate(time)])));
}

/** The next value at a time in milliseconds since 1970 UTC. */
type NextValue = (milliseconds: number) => GeneratedValue;

export function generatorOf(given: ValueGenerator, next: NextNumber): NextValue {
  const { decimals = 1 } = given;
  const rounded = (value: number) => Number(value.toFixed(decimals));
  const { constant, sine, walk, counter, uniform, list, choice } = given;
  if (sine !== undefined) {
    const wave = waveOf(sine, next);
    return (time) => rounded(wave(time));
  }
  if (walk !== undefined) {
    const { start, step, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = walk;
    return steps(start, (value) => Math.min(max, Math.max(min, value + between(next, -step, step))), rounded);
  }
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
