/** Trees to begin with: resources that a CSE is filled with in one call, from a YAML file or an object. */
import type { Cse } from '../core/operations/cse.ts';
import { encodeContent } from '../dialects/content.ts';
import { writeTimestamp } from '../dialects/timestamp.ts';
import { millisecondsOf } from '../environment/clock.ts';
import { type DeviceName, type DeviceValues, device, wrongIn } from './device.ts';
import {
  contentOf,
  kinds,
  numbered,
  type SeedAttributes,
  SeedForm,
  type SeedResource,
  type SeedTree,
} from './seed-tree.ts';
import { checkValue, namedFile, type PlaceOf, readYamlFile } from './yaml-file.ts';

/** A tree that cannot be used; the message has a line `file:line:column: what is wrong` for each problem. */
export class TreeFileError extends Error {
  override readonly name = 'TreeFileError';
}

interface Planting {
  readonly core: Cse;
  readonly placeOf: PlaceOf;
  /** What every resource without an `et` gets; undefined: nothing. */
  readonly expiration: string | undefined;
  planted: number;
}

type Path = readonly (string | number)[];

/**
 * Creates what the file or object describes below the CSE base; resolves to the number of resources. A name without a dot or slash
 * (`building`, `fleet`, `meters`) is one of the trees that the package has. Nobody is asked for rights, and no journal hears of it.
 * Rejects with a TreeFileError; what stands before the mistake is there then.
 */
export async function plantTree({ core }: { readonly core: Cse }, tree: string | SeedTree): Promise<number> {
  const read =
    typeof tree === 'string'
      ? await readYamlFile(await namedFile(tree, 'trees', TreeFileError), SeedForm, TreeFileError)
      : checkValue(tree, SeedForm, TreeFileError);
  const { resources, lifetime } = read.value;
  const planting: Planting = {
    ...{ core, placeOf: read.placeOf, planted: 0 },
    expiration: lifetime === undefined ? undefined : expirationIn(lifetime, core),
  };
  const { base } = core.configuration;
  for (const [at, one] of resources.entries()) plantEach(one, base, undefined, ['resources', at], planting);
  return planting.planted;
}

function expirationIn(lifetime: string | number, { configuration, services }: Cse): string {
  const time = services.ports.clock.now() + millisecondsOf(lifetime) * 1000;
  return String(configuration.dialect.write('timestamp', time) ?? writeTimestamp(time));
}

function plantEach(one: SeedResource, parent: string, above: number | undefined, path: Path, planting: Planting): void {
  if (one.times === undefined) plant(one, parent, above, path, planting);
  for (let number = 1; number <= (one.times ?? 0); number++) plant(one, parent, number, path, planting);
}

function plant(given: SeedResource, parent: string, number: number | undefined, path: Path, planting: Planting): void {
  const one = given.device === undefined ? given : writtenOut(given, given.device, path, planting);
  const kind = kinds.find((name) => one[name] !== undefined) ?? 'container';
  const { expiration } = planting;
  const content = contentOf(kind, {
    ...(expiration !== undefined && { et: expiration }),
    ...numbered(one[kind], number),
  });
  const originator = numbered(one.originator, number);
  const place = () => planting.placeOf([...path, kind]);
  const id = create({ parent, content, originator, place }, planting);
  for (const [at, value] of (one.instances ?? []).entries()) {
    const encoded = encodeContent(numbered(value, number) as Parameters<typeof encodeContent>[0]);
    const instancePlace = () => planting.placeOf([...path, 'instances', at]);
    const instance = { ...(expiration !== undefined && { et: expiration }), ...encoded };
    create({ parent: id, content: { 'm2m:cin': instance }, originator, place: instancePlace }, planting);
  }
  for (const [at, child] of (one.children ?? []).entries()) {
    plantEach(child, id, number, [...path, 'children', at], planting);
  }
}

/** A device as what it is made of, its modules behind the children that are given. */
function writtenOut(one: SeedResource, given: SeedAttributes, path: Path, { placeOf }: Planting): SeedResource {
  const { model, ...values } = given as { model: DeviceName } & DeviceValues<DeviceName>;
  const wrong = wrongIn(model, values.modules);
  if (wrong !== undefined) throw new TreeFileError(`${placeOf([...path, 'device'])}: ${wrong}`);
  const { flexContainer, children = [] } = device(model, values);
  return { ...one, device: undefined, flexContainer, children: [...(one.children ?? []), ...children] };
}

interface Wanted {
  readonly parent: string;
  readonly content: object;
  readonly originator: string | undefined;
  readonly place: () => string;
}

/** Its identifier. */
function create({ parent, content: given, originator, place }: Wanted, planting: Planting): string {
  const { content } = planting.core.perform({
    ...{ operation: 'create', to: parent, content: given },
    ...(originator !== undefined && { from: originator }),
  });
  const [shown] = Object.values(JSON.parse(JSON.stringify(content)) as Record<string, string | { ri: string }>);
  if (typeof shown !== 'object') throw new TreeFileError(`${place()}: ${shown}`);
  planting.planted++;
  return shown.ri;
}
