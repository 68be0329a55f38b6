/** The form of a seed tree, in a file or as an object. */
import { z } from 'zod';
import { isDuration } from '../environment/clock.ts';

/** Short names with values, as in the body of a create. */
export type SeedAttributes = Readonly<Record<string, unknown>>;

/**
 * Root keys of the types in a tree. A flexible container has its own among its attributes, as `root`; a device of TS-0023
 * has a `model`, such as `deviceLight`, and `modules`: see `device()`.
 */
const rootOf = {
  ae: 'm2m:ae',
  container: 'm2m:cnt',
  instance: 'm2m:cin',
  subscription: 'm2m:sub',
  group: 'm2m:grp',
  accessControlPolicy: 'm2m:acp',
  node: 'm2m:nod',
  pollingChannel: 'm2m:pch',
  timeSeries: 'm2m:ts',
  flexContainer: undefined,
  device: undefined,
} as const;

type SeedType = keyof typeof rootOf;

export const seedTypes = Object.keys(rootOf) as SeedType[];

/** One resource, of exactly one type, with its children. */
export interface SeedResource extends Readonly<Partial<Record<SeedType, SeedAttributes | undefined>>> {
  /** Originator of the create; for an AE its identifier: `CApp`. */
  readonly originator?: string | undefined;
  /** So many of them: `{n}` in a text is 1, 2 …, `{nn}` is 01, 02 …, here and below. */
  readonly times?: number | undefined;
  /** Contents of content instances of a container, encoded as by applications: a text plain, others as JSON. */
  readonly instances?: readonly unknown[] | undefined;
  readonly children?: readonly SeedResource[] | undefined;
}

/** The trees of the package, in `fixtures/trees`. */
export type TreeName = 'building' | 'fleet' | 'meters';

/** Resources below the CSE base. */
export interface SeedTree {
  /** Lifetime of resources without another one: `30d`, or milliseconds; the CSE decides unless given. */
  readonly lifetime?: string | number | undefined;
  readonly resources: readonly SeedResource[];
}

const Attributes = z.record(z.string(), z.json()).optional();
const shapes = Object.fromEntries(seedTypes.map((type) => [type, Attributes])) as Record<SeedType, typeof Attributes>;
const Device = z.looseObject({
  model: z.string(),
  modules: z.record(z.string(), z.record(z.string(), z.json())).optional(),
});
const maxTimes = 100_000;

const Resource: z.ZodType<SeedResource> = z.lazy(() =>
  z
    .strictObject({
      ...shapes,
      flexContainer: z.looseObject({ root: z.string() }).optional(),
      device: Device.optional(),
      originator: z.string().optional(),
      times: z.int().min(1).max(maxTimes).optional(),
      instances: z.array(z.json()).optional(),
      children: z.array(Resource).optional(),
    })
    .refine((one) => seedTypes.filter((type) => one[type] !== undefined).length === 1, {
      error: `needs exactly one of ${seedTypes.join(', ')}`,
    })
    .refine(({ container, instances }) => instances === undefined || container !== undefined, {
      error: 'only a container has instances',
      path: ['instances'],
    }),
);

/** Milliseconds, or a text such as `90s`, `1h`, `30d`. */
export const Duration = z.union([z.string(), z.number()]).refine(isDuration, {
  error: 'is no duration; write milliseconds, or 500ms, 90s, 5m, 1h, 2d',
});

export const SeedForm: z.ZodType<SeedTree> = z.strictObject({
  lifetime: Duration.optional(),
  resources: z.array(Resource),
});

/** Replaces `{n}` in texts by the number; `{nn}` has at least two digits, and so on. */
export function numbered<Value>(value: Value, number: number | undefined): Value {
  if (number === undefined) return value;
  return withNumber(value, number) as Value;
}

function withNumber(value: unknown, number: number): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{(n+)\}/g, (_, digits: string) => String(number).padStart(digits.length, '0'));
  }
  if (Array.isArray(value)) return value.map((item) => withNumber(item, number));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withNumber(item, number)]));
}

/** The content of the create. */
export function contentOf(type: SeedType, values: SeedAttributes = {}): object {
  const { root, ...attributes } = values;
  return type === 'flexContainer' ? { [String(root)]: attributes } : { [String(rootOf[type])]: values };
}
