/** What simulated devices push over time, in a file or as an object. */
import { z } from 'zod';
import { Duration } from '../seeding/seed-tree.ts';

/** A text is pushed as it is, a number as its digits. */
export type GeneratedValue = string | number | boolean;

/** Exactly one of these says how values come about. */
export interface ValueGenerator {
  /** The same always. */
  readonly constant?: GeneratedValue | undefined;
  /** A wave around `mean`; `period` 24h unless given, its peak a quarter of a period after `phase` (0s); `noise` is the most that is added or taken by chance. */
  readonly sine?:
    | {
        readonly mean: number;
        readonly amplitude: number;
        readonly period?: string | number | undefined;
        readonly phase?: string | number | undefined;
        readonly noise?: number | undefined;
      }
    | undefined;
  /** Each value is the one before, more or less by up to `step`, between `min` and `max`. */
  readonly walk?:
    | {
        readonly start: number;
        readonly step: number;
        readonly min?: number | undefined;
        readonly max?: number | undefined;
      }
    | undefined;
  /** Each value is the one before, and between `from` and `to` more: a meter that counts. */
  readonly counter?: { readonly start: number; readonly from: number; readonly to: number } | undefined;
  /** Anything between two numbers. */
  readonly uniform?: { readonly from: number; readonly to: number } | undefined;
  /** One after the other, then from the first again. */
  readonly list?: readonly GeneratedValue[] | undefined;
  /** One of these, by chance. */
  readonly choice?: readonly GeneratedValue[] | undefined;
  /** Digits after the point; 1 unless given. Not for `constant`, `list` and `choice`. */
  readonly decimals?: number | undefined;
}

export interface TrafficDevice {
  /** Container that it pushes into, `/onem2m/App/temperature` or `App/temperature`; created with its AE when it is not there. */
  readonly into: string;
  /** So many devices: `{n}` in a text stands for 1, 2 …, `{nn}` for 01, 02 … */
  readonly times?: number | undefined;
  /** Between two pushes: `15m`. */
  readonly every: string | number;
  /** Each push comes earlier or later by up to this; less than half of `every`; 0 unless given. */
  readonly jitter?: string | number | undefined;
  /** Until the first push; by chance within `every` unless given, so that not all come at once. */
  readonly after?: string | number | undefined;
  /** Who pushes; the AE-ID of the container's AE unless given. */
  readonly originator?: string | undefined;
  /** Pushed as a text (`text/plain:0`). */
  readonly value?: ValueGenerator | undefined;
  /** Pushed as one JSON object (`application/json:1`), with a generator for each member. */
  readonly values?: Readonly<Record<string, ValueGenerator>> | undefined;
}

export interface TrafficPlan {
  /** Of everything that is left to chance; 1 unless given. */
  readonly seed?: number | undefined;
  readonly devices: readonly TrafficDevice[];
}

const Value = z.union([z.string(), z.number(), z.boolean()]);
const ways = ['constant', 'sine', 'walk', 'counter', 'uniform', 'list', 'choice'] as const;

const Generator: z.ZodType<ValueGenerator> = z
  .strictObject({
    constant: Value.optional(),
    sine: z
      .strictObject({
        mean: z.number(),
        amplitude: z.number(),
        period: Duration.optional(),
        phase: Duration.optional(),
        noise: z.number().min(0).optional(),
      })
      .optional(),
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
      .optional(),
    counter: z.strictObject({ start: z.number(), from: z.number().min(0), to: z.number().min(0) }).optional(),
    uniform: z.strictObject({ from: z.number(), to: z.number() }).optional(),
    list: z.array(Value).min(1).optional(),
    choice: z.array(Value).min(1).optional(),
    decimals: z.int().min(0).max(10).optional(),
  })
  .refine((one) => ways.filter((way) => one[way] !== undefined).length === 1, {
    error: `needs exactly one of ${ways.join(', ')}`,
  });

const Device: z.ZodType<TrafficDevice> = z
  .strictObject({
    into: z.string().min(1),
    times: z.int().min(1).max(100_000).optional(),
    every: Duration,
    jitter: Duration.optional(),
    after: Duration.optional(),
    originator: z.string().optional(),
    value: Generator.optional(),
    values: z.record(z.string(), Generator).optional(),
  })
  .refine(({ value, values }) => (value === undefined) !== (values === undefined), {
    error: 'needs exactly one of value, values',
  });

export const TrafficForm: z.ZodType<TrafficPlan> = z.strictObject({
  seed: z.int().optional(),
  devices: z.array(Device).min(1),
});
