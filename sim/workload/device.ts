/** One simulated device: when it pushes, and what. */

import { encodeContent } from '../dialects/content.ts';
import { between, type NextNumber, seededNumbers } from '../disturbance/seeded.ts';
import { millisecondsOf, type Scheduler } from '../environment/clock.ts';
import type { FlexAttribute } from '../resources/flex-definitions.ts';
import { type DeviceName, device, modulesOf } from '../seeding/device.ts';
import { numbered, type SeedResource } from '../seeding/seed-tree.ts';
import type { GeneratedValue, ValueGenerator, WorkloadDevice } from './workload-form.ts';

/** A request to the target of a device, or below it. */
export interface DeviceRequest {
  readonly method: 'POST' | 'PUT';
  /** Names below the target; none: the target itself. */
  readonly below?: readonly string[];
  readonly content: object;
}

type Push = (sent: readonly DeviceRequest[]) => Promise<void>;

export interface Device {
  readonly into: string;
  readonly originator: string | undefined;
  /** The tree of a device of TS-0023, with values of this time. */
  readonly made: ((time: number) => SeedResource) | undefined;
  /** Starts to push; returns a function that ends it. */
  start(clock: Scheduler, push: Push): () => void;
}

/** Every device of a plan has its own random stream, so that one more changes nothing for the others. */
export function deviceOf(spec: WorkloadDevice, number: number | undefined, seed: number, stream: number): Device {
  const { into, originator, every, jitter = 0, after, value, values, model, modules } = numbered(spec, number);
  const [period, spread] = [Math.max(1, millisecondsOf(every)), millisecondsOf(jitter)];
  const next = seededNumbers(seed, stream);
  const first = after === undefined ? next() * period : millisecondsOf(after);
  const simulated = model === undefined ? undefined : modelDevice(model, modules, next);
  const sentAt = simulated?.updates ?? contentsOf({ value, values }, next);
  return {
    into,
    originator,
    made: simulated?.made,
    start(clock, push) {
      let due = clock.now() / 1000 + first;
      let cancel = (): void => {};
      const later = (): void => {
        const jittered = spread === 0 ? due : due + between(next, -spread, spread);
        cancel = clock.schedule(Math.max(0, jittered - clock.now() / 1000), async () => {
          due += period;
          later();
          await push(sentAt(clock.now() / 1000));
        });
      };
      later();
      return () => cancel();
    },
  };
}

function contentsOf({ value, values }: Pick<WorkloadDevice, 'value' | 'values'>, next: () => number) {
  const pushed = (content: object): DeviceRequest[] => [{ method: 'POST', content: { 'm2m:cin': content } }];
  if (value !== undefined) {
    const generate = generatorOf(value, next);
    return (time: number) => pushed(encodeContent(String(generate(time))));
  }
  const members = Object.entries(values ?? {}).map(([name, one]) => [name, generatorOf(one, next)] as const);
  return (time: number) =>
    pushed(encodeContent(Object.fromEntries(members.map(([name, generate]) => [name, generate(time)]))));
}

/** A device of TS-0023: its tree with values of a time, and its updates. */
function modelDevice(model: string, specified: WorkloadDevice['modules'], next: NextNumber) {
  const modules = modulesOf(model, specified).map(({ name, definition: { root }, points }) => {
    const changing = points.flatMap(({ short, point, value: specific }) => {
      const generator = specific ?? usual.get(point.long) ?? byType[point.type];
      return generator === undefined ? [] : [{ short, long: point.long, valueAt: generatorOf(generator, next) }];
    });
    const valuesAt = (time: number, by: 'short' | 'long') =>
      Object.fromEntries(changing.map((point) => [point[by], point.valueAt(time)]));
    const updateAt = (time: number): DeviceRequest[] =>
      changing.length === 0 ? [] : [{ method: 'PUT', below: [name], content: { [root]: valuesAt(time, 'short') } }];
    return { name, valuesAt, updateAt };
  });
  return {
    made: (time: number) => {
      const values = modules.map(({ name, valuesAt }) => [name, valuesAt(time, 'long')] as const);
      return device(model as DeviceName, { modules: Object.fromEntries(values) });
    },
    updates: (time: number) => modules.flatMap(({ updateAt }) => updateAt(time)),
  };
}

const seldom: ValueGenerator = { choice: Array.from({ length: 20 }, (_, at) => at === 0) };

/** Plausible values of data points by their long names; others go by their type. */
const usual = new Map<string, ValueGenerator>([
  ['currentTemperature', { sine: { mean: 21, amplitude: 2, noise: 0.2 } }],
  ['alarm', seldom],
  ['status', seldom],
  ['windSpeed', { walk: { start: 3, step: 0.8, min: 0, max: 20 } }],
  ['atmosphericPressure', { walk: { start: 1013, step: 0.5, min: 980, max: 1040 } }],
  ['uvValue', { walk: { start: 3, step: 0.5, min: 0, max: 11 } }],
  ['absoluteEnergyConsumption', { counter: { start: 1000, from: 0, to: 0.5 }, decimals: 2 }],
  ['gaugeHeight', { counter: { start: 0, from: 0, to: 2 }, decimals: 0 }],
]);
const percent = { walk: { start: 50, step: 2, min: 0, max: 100 } };

/** Texts, lists and times stay as they are. A count is an enumeration, mostly. */
const byType: Readonly<Partial<Record<FlexAttribute['type'], ValueGenerator>>> = {
  boolean: { choice: [false, true] },
  number: percent,
  integer: { ...percent, decimals: 0 },
  count: { choice: [1, 2, 3] },
};

/** The next value at a time in milliseconds since 1970 UTC. */
type NextValue = (milliseconds: number) => GeneratedValue;

export function generatorOf(generator: ValueGenerator, next: NextNumber): NextValue {
  const { decimals = 1 } = generator;
  const rounded = (value: number) => Number(value.toFixed(decimals));
  const { constant, sine, walk, counter, uniform, list, choice } = generator;
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
