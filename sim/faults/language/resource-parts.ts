/** Resources as rows name them and what stands around them: `target.instances`, `parent.path`, `one.root`. */
import type { Cse } from '../../core/cse.ts';
import { representation } from '../../core/representation.ts';
import type { Resource } from '../../core/resource.ts';
import { resourceAt } from '../vocabulary/asked.ts';
import { type Attributes, isObject } from './scope.ts';

/** The parts of a resource below a name; that itself is the resource as it is shown. */
export function resourceParts(
  name: string,
  find: () => Resource | undefined,
  core: Cse,
): Readonly<Record<string, () => unknown>> {
  const shown = (one: Resource) => attributesOf(one, core);
  return {
    [name]: () => attributesOf(find(), core),
    [`${name}.root`]: () => find()?.type.root,
    /** With its root, as a body. */
    [`${name}.whole`]: () => wholeOf(find(), core),
    /** The names of all attributes that its kind has. */
    [`${name}.names`]: () => find()?.type.entries.map((one) => one.name),
    [`${name}.path`]: () => pathOf(find()),
    [`${name}.creator`]: () => find()?.creator,
    [`${name}.expires`]: () => find()?.expires,
    [`${name}.modified`]: () => modified(find()),
    [`${name}.children`]: () => childrenOf(find()).map(shown),
    [`${name}.below`]: () => childrenOf(find()).map(({ type }) => type.root),
    [`${name}.instances`]: () => [...(find()?.instances ?? [])].map((one) => ({ ...shown(one), creator: one.creator })),
    [`${name}.subscriptions`]: () => (find()?.subscriptions ?? []).map(shown),
    [`${name}.beside`]: () => childrenOf(find()?.parent).map(({ type }) => type.root),
    /** How many bytes of content `mbs` leaves it to take. */
    [`${name}.room`]: () => roomIn(find()),
    /** Those that it names itself. */
    [`${name}.policies`]: () => policiesOf(find(), core),
  };
}

/** As the resource is shown; undefined for none. */
export function attributesOf(resource: Resource | undefined, { configuration }: Cse): Attributes | undefined {
  if (resource === undefined) return undefined;
  const value: unknown = JSON.parse(representation(resource, configuration.dialect).text);
  const [attributes] = isObject(value) ? Object.values(value) : [];
  return isObject(attributes) ? attributes : undefined;
}

function wholeOf(resource: Resource | undefined, core: Cse): Attributes | undefined {
  return resource && { [resource.type.root]: attributesOf(resource, core) };
}

export const pathOf = (resource: Resource | undefined) => resource && `/${resource.path}`;

const modified = (resource: Resource | undefined) => resource && resource.modified !== resource.created;

const childrenOf = (resource: Resource | undefined): Resource[] => [...(resource?.children?.values() ?? [])];

function policiesOf(resource: Resource | undefined, core: Cse): readonly Attributes[] {
  const addresses = (resource?.values.acpi ?? []) as readonly string[];
  return addresses.map((address) => attributesOf(resourceAt(address, core), core)).filter((one) => one !== undefined);
}

function roomIn(resource: Resource | undefined): number | undefined {
  const { mbs } = resource?.values ?? {};
  return resource !== undefined && typeof mbs === 'number' ? mbs - resource.instanceBytes : undefined;
}
