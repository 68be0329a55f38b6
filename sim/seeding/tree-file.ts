/** Seeds a CSE with a tree of resources in one call, from a YAML file or an object. */
import type { Cse } from '../core/operations/cse.ts';
import { encodeContent } from '../dialects/content.ts';
import { writeTimestamp } from '../dialects/timestamp.ts';
import { millisecondsOf } from '../environment/clock.ts';
import { type DeviceName, type DeviceValues, device, problemIn } from './device.ts';
import {
  contentOf,
  numbered,
  type SeedAttributes,
  SeedForm,
  type SeedResource,
  type SeedTree,
  seedTypes,
} from './seed-tree.ts';
import { checkValue, type LocationOf, readYamlFile, resolveFixture } from './yaml-file.ts';

/** An unusable tree; the message has a line `file:line:column: problem` for each problem. */
export class TreeFileError extends Error {
  override readonly name = 'TreeFileError';
}

interface SeedRun {
  readonly core: Cse;
  readonly locationOf: LocationOf;
  /** `et` of every resource without one; undefined: none. */
  readonly expiration: string | undefined;
  count: number;
}

type Path = readonly (string | number)[];

/**
 * Creates the resources of the file or object below the CSE base; resolves to their number. A name without a dot or slash
 * (`building`, `fleet`, `meters`) is a tree of the package. Rights are not checked, and journals record nothing.
 * Rejects with a TreeFileError; resources before the error exist then.
 */
export async function seedTree({ core }: { readonly core: Cse }, tree: string | SeedTree): Promise<number> {
  const read =
    typeof tree === 'string'
      ? await readYamlFile(await resolveFixture(tree, 'trees', TreeFileError), SeedForm, TreeFileError)
      : checkValue(tree, SeedForm, TreeFileError);
  const { resources, lifetime } = read.value;
  const run: SeedRun = {
    ...{ core, locationOf: read.locationOf, count: 0 },
    expiration: lifetime === undefined ? undefined : expirationIn(lifetime, core),
  };
  const { base } = core.configuration;
  for (const [at, one] of resources.entries()) seedEach(one, base, undefined, ['resources', at], run);
  return run.count;
}

function expirationIn(lifetime: string | number, { configuration, services }: Cse): string {
  const time = services.ports.clock.now() + millisecondsOf(lifetime) * 1000;
  return String(configuration.dialect.write('timestamp', time) ?? writeTimestamp(time));
}

function seedEach(one: SeedResource, parent: string, above: number | undefined, path: Path, run: SeedRun): void {
  if (one.times === undefined) seedOne(one, parent, above, path, run);
  for (let number = 1; number <= (one.times ?? 0); number++) seedOne(one, parent, number, path, run);
}

function seedOne(seed: SeedResource, parent: string, number: number | undefined, path: Path, run: SeedRun): void {
  const one = seed.device === undefined ? seed : expandDevice(seed, seed.device, path, run);
  const type = seedTypes.find((name) => one[name] !== undefined) ?? 'container';
  const { expiration } = run;
  const content = contentOf(type, {
    ...(expiration !== undefined && { et: expiration }),
    ...numbered(one[type], number),
  });
  const originator = numbered(one.originator, number);
  const location = () => run.locationOf([...path, type]);
  const id = create({ parent, content, originator, location }, run);
  for (const [at, value] of (one.instances ?? []).entries()) {
    const encoded = encodeContent(numbered(value, number) as Parameters<typeof encodeContent>[0]);
    const instanceLocation = () => run.locationOf([...path, 'instances', at]);
    const instance = { ...(expiration !== undefined && { et: expiration }), ...encoded };
    create({ parent: id, content: { 'm2m:cin': instance }, originator, location: instanceLocation }, run);
  }
  for (const [at, child] of (one.children ?? []).entries()) {
    seedEach(child, id, number, [...path, 'children', at], run);
  }
}

/** Expands a device into its flexible containers, modules after its own children. */
function expandDevice(one: SeedResource, own: SeedAttributes, path: Path, { locationOf }: SeedRun): SeedResource {
  const { model, ...values } = own as { model: DeviceName } & DeviceValues<DeviceName>;
  const problem = problemIn(model, values.modules);
  if (problem !== undefined) throw new TreeFileError(`${locationOf([...path, 'device'])}: ${problem}`);
  const { flexContainer, children = [] } = device(model, values);
  return { ...one, device: undefined, flexContainer, children: [...(one.children ?? []), ...children] };
}

interface CreateOptions {
  readonly parent: string;
  readonly content: object;
  readonly originator: string | undefined;
  readonly location: () => string;
}

/** Returns the resource identifier. */
function create({ parent, content: requested, originator, location }: CreateOptions, run: SeedRun): string {
  const { content } = run.core.perform({
    ...{ operation: 'create', to: parent, content: requested },
    ...(originator !== undefined && { from: originator }),
  });
  const [created] = Object.values(JSON.parse(JSON.stringify(content)) as Record<string, string | { ri: string }>);
  if (typeof created !== 'object') throw new TreeFileError(`${location()}: ${created}`);
  run.count++;
  return created.ri;
}
