/** Devices of TS-0023 as flexible containers, with a child for each of their modules. */
import type { deviceClasses, moduleClasses } from '../resources/device-models.ts';
import { deviceModels, type FlexAttribute, type FlexDefinition } from '../resources/flex-definitions.ts';
import type { SeedAttributes, SeedResource } from './seed-tree.ts';

/** Such as `deviceLight`. */
export type DeviceName = keyof typeof deviceClasses;

type Split<Text, By extends string> = Text extends `${infer One}${By}${infer Rest}` ? One | Split<Rest, By> : Text;
type Listed<Row, By extends string> = Row extends `${string}: ${infer Text}` ? Split<Text, By> : never;
type LongName<Point> = Point extends `${string} ${infer Long} ${string}` ? Long : never;

interface ValueOf {
  text: string;
  number: number;
  integer: number;
  count: number;
  boolean: boolean;
  timestamp: string;
  list: readonly unknown[];
}
type Unmarked<Type> = Type extends `${infer Plain}!${string}` ? Plain : Type;
type PointValue<Point> = Point extends `${string} ${string} ${infer Type}`
  ? ValueOf[Unmarked<Type> & keyof ValueOf]
  : never;

type ModuleName = keyof typeof moduleClasses;

/** Data points of a module class by long name, with values. */
export type ModuleValues<Name extends ModuleName> = {
  readonly [Point in Listed<(typeof moduleClasses)[Name], ', '> as LongName<Point>]?: PointValue<Point>;
};

/** Modules of a device by long name, with values. */
export type DeviceModules<Name extends DeviceName> = {
  readonly [Module in ModuleName & Listed<(typeof deviceClasses)[Name], ' '>]?: ModuleValues<Module>;
};

/** Values of a device; other members are attributes of the device itself, such as `rn` or `lbl`. */
export type DeviceValues<Name extends DeviceName> = SeedAttributes & { readonly modules?: DeviceModules<Name> };

/** By long names of modules and of data points. */
export type NamedModules<Value = unknown> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** The problem with names that a device of the model does not have, in a sentence. */
export function problemIn(model: string, named: NamedModules = {}): string | undefined {
  const known = deviceModels.get(model);
  if (known === undefined) return `"${model}" is none of ${[...deviceModels.keys()].join(', ')}`;
  for (const [name, values] of Object.entries(named)) {
    const module = known.modules.get(name);
    if (module === undefined) return `${model} has no "${name}"; it has ${[...known.modules.keys()].join(', ')}`;
    const points = Object.values(module.attributes).map(({ long }) => long);
    const problem = Object.keys(values).find((point) => !points.includes(point));
    if (problem !== undefined) return `${name} has no "${problem}"; it has ${points.join(', ')}`;
  }
  return undefined;
}

/** The named modules of a device, or the default ones, with the named and the mandatory data points. */
export function modulesOf<Value>(model: string, named?: NamedModules<Value>) {
  const { modules = [], defaults = [] } = deviceModels.get(model) ?? {};
  const values = new Map(Object.entries(named ?? {}));
  const chosen = named === undefined ? defaults : [...values.keys()];
  return [...modules]
    .filter(([name]) => chosen.includes(name))
    .map(([name, definition]) => ({ name, definition, points: pointsOf(definition, values.get(name)) }));
}

function pointsOf<Value>({ attributes }: FlexDefinition, named: Readonly<Record<string, Value>> = {}) {
  const values = new Map(Object.entries(named));
  const points = Object.entries(attributes).map(([short, point]) => ({ short, point, value: values.get(point.long) }));
  const isNamed = (name?: string) => points.some(({ short, point }) => short === name && values.has(point.long));
  return points.filter(({ short, point: { mandatory, or } }) => isNamed(short) || (mandatory && !isNamed(or)));
}

const initialValues: Readonly<Record<FlexAttribute['type'], unknown>> = {
  ...{ text: '', number: 0, integer: 0, count: 1, boolean: false },
  ...{ timestamp: '19700101T000000', list: [1] },
};

/**
 * A device of TS-0023 for a tree: a flexible container with a child for each module, named like the module. It has the
 * named modules, or the default ones, with the named data points, and the mandatory ones as 0,
 * false, 1 of an enumeration, or an empty text. Throws a RangeError for names that the model does not have.
 */
export function device<Name extends DeviceName>(model: Name, values: DeviceValues<Name> = {}): SeedResource {
  const { modules, ...attributes } = values as SeedAttributes & { readonly modules?: NamedModules };
  const problem = problemIn(model, modules);
  if (problem !== undefined) throw new RangeError(problem);
  const { root, cnd } = deviceModels.get(model) ?? {};
  const children = modulesOf(model, modules).map(({ name, definition, points }) => {
    const own = points.map(({ short, point: { type }, value }) => [short, value ?? initialValues[type]]);
    return { flexContainer: { root: definition.root, rn: name, cnd: definition.cnd, ...Object.fromEntries(own) } };
  });
  return { flexContainer: { root, cnd, ...attributes }, children };
}
