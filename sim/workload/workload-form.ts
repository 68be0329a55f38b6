/** The workload of simulated devices, in a file or as an object. */
import { z } from 'zod';
import { Duration } from '../seeding/seed-tree.ts';

/** A text is pushed as it is, a number as its digits. */
const Value = z.union([z.string(), z.number(), z.boolean()]);
export type GeneratedValue = z.infer<typeof Value>;

const generators = ['constant', 'sine', 'walk', 'counter', 'uniform', 'list', 'choice'] as const;

/** Exactly one of these generates the values. */
const Generator = z
  .strictObject({
    /** Always the same. */
    constant: Value.optional(),
    /** A wave around `mean`; `period` 24h unless given, its peak a quarter of a period after `phase` (0s); `noise` is the most that is randomly added or subtracted. */
    sine: z
      .strictObject({
        mean: z.number(),
        amplitude: z.number(),
        period: Duration.optional(),
        phase: Duration.optional(),
        noise: z.number().min(0).optional(),
      })
      .readonly()
      .optional(),
    /** Each value differs from the last by up to `step`, between `min` and `max`. */
    walk: z
      .strictObject({
        start: z.number(),
        step: z.number().min(0),
        min: z.number().optional(),
        max: z.number().optional(),
      })
      .refine(({ min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }) => min <= max, {
        error: 'min is above max',
      })
      .readonly()
      .optional(),
    /** Each value exceeds the last by `from` to `to`: a meter that counts. */
    counter: z
      .strictObject({ start: z.number(), from: z.number().min(0), to: z.number().min(0) })
      .readonly()
      .optional(),
    /** Uniformly between two numbers. */
    uniform: z.strictObject({ from: z.number(), to: z.number() }).readonly().optional(),
    /** In turn, then from the first again. */
    list: z.array(Value).min(1).readonly().optional(),
    /** One of these, at random. */
    choice: z.array(Value).min(1).readonly().optional(),
    /** Digits after the point; 1 unless given. Not for `constant`, `list` and `choice`. */
    decimals: z.int().min(0).max(10).optional(),
  })
  .refine((one) => generators.filter((kind) => one[kind] !== undefined).length === 1, {
    error: `needs exactly one of ${generators.join(', ')}`,
  })
  .readonly();
export type ValueGenerator = z.infer<typeof Generator>;

const Device = z
  .strictObject({
    /** Container that it pushes into, `/onem2m/App/temperature` or `App/temperature`, or flexible container that it is; created with its AE when it is not there. */
    into: z.string().min(1),
    /** Number of devices: `{n}` in a text stands for 1, 2 …, `{nn}` for 01, 02 … */
    times: z.int().min(1).max(100_000).optional(),
    /** Between two pushes: `15m`. */
    every: Duration,
    /** Each push is earlier or later by up to this; less than half of `every`; 0 unless given. */
    jitter: Duration.optional(),
    /** Until the first push; random within `every` unless given, so that they do not all push at once. */
    after: Duration.optional(),
    /** The originator; the AE-ID of the container's AE unless given. */
    originator: z.string().optional(),
    /** Pushed as a text (`text/plain:0`). */
    value: Generator.optional(),
    /** Pushed as one JSON object (`application/json:1`), with a generator for each member. */
    values: z.record(z.string(), Generator).readonly().optional(),
    /** In place of both: it is a device of TS-0023, such as `deviceLight`, and updates the data points of its modules. */
    model: z.string().optional(),
    /** Its modules, the usual ones unless given, with generators for data points in place of, or beside, the usual ones. */
    modules: z.record(z.string(), z.record(z.string(), Generator)).readonly().optional(),
  })
  .refine((one) => [one.value, one.values, one.model].filter((way) => way !== undefined).length === 1, {
    error: 'needs exactly one of value, values, model',
  })
  .refine(({ model, modules }) => modules === undefined || model !== undefined, {
    error: 'modules are of a model',
    path: ['modules'],
  })
  .readonly();
export type WorkloadDevice = z.infer<typeof Device>;

export const WorkloadForm = z
  .strictObject({
    /** Of all randomness; 1 unless given. */
    seed: z.int().optional(),
    devices: z.array(Device).min(1).readonly(),
  })
  .readonly();
export type WorkloadPlan = z.infer<typeof WorkloadForm>;
