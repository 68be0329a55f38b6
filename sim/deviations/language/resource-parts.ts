/**
 * Names of resources and their parts in rows: `target.instances`, `parent.path`, `one.root`; the resource at an
 * address, and watching removals.
 */
import { resolve } from '../../core/address.ts';
import type { Cse } from '../../core/operations/cse.ts';
import { type Resource, representation, attributesOf as shownAttributes } from '../../core/resource.ts';
import type { RemovalReason } from '../../core/tree.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Attributes } from '../vocabulary/messages.ts';
import { type Parts, Scope } from './scope.ts';

type Part = (resource: Resource | undefined, core: Cse) => unknown;

/** Parts of a resource below its name, which itself is the representation. */
const resourceParts: ReadonlyMap<string, Part> = new Map(
  Object.entries<Part>({
    root: (one) => one?.type.root,
    // With its root, as a body.
    whole: (one, core) => one && { [one.type.root]: attributesOf(one, core) },
    // The names of all attributes of its type.
    names: (one) => one?.type.entries.map(({ name }) => name),
    path: (one) => pathOf(one),
    creator: (one) => one?.creator,
    expires: (one) => one?.expires,
    modified: (one) => one && one.modified !== one.created,
    children: (one, core) => childrenOf(one).map((child) => attributesOf(child, core)),
    'child-types': (one) => childrenOf(one).map(({ type }) => type.root),
    instances: (one, core) =>
      [...(one?.instances ?? [])].map((each) => ({ ...attributesOf(each, core), creator: each.creator })),
    subscriptions: (one, core) => (one?.subscriptions ?? []).map((each) => attributesOf(each, core)),
    'sibling-types': (one) => childrenOf(one?.parent).map(({ type }) => type.root),
    // Bytes of content left by `mbs`.
    'free-bytes': (one) => (typeof one?.values.mbs === 'number' ? one.values.mbs - one.instanceBytes : undefined),
    // The policies that it names itself.
    policies: (one, core) =>
      ((one?.values.acpi ?? []) as readonly string[]).flatMap(
        (each) => attributesOf(resourceAt(each, core), core) ?? [],
      ),
  }),
);

/** A scope with the parts of these resources, by name. */
export function resourceScope(
  resources: Readonly<Record<string, () => Resource | undefined>>,
  core: Cse,
  parts: Parts,
): Scope {
  return new Scope(parts, (path) => {
    if (Object.hasOwn(resources, path)) return { value: attributesOf(resources[path]?.(), core) };
    const dot = path.lastIndexOf('.');
    const part = dot < 0 ? undefined : resourceParts.get(path.slice(dot + 1));
    const name = path.slice(0, Math.max(dot, 0));
    return part !== undefined && Object.hasOwn(resources, name)
      ? { value: part(resources[name]?.(), core) }
      : undefined;
  });
}

/** The attributes as shown; undefined without a resource. */
export function attributesOf(resource: Resource | undefined, { configuration }: Cse): Attributes | undefined {
  return resource && shownAttributes(resource, configuration.dialect);
}

export const pathOf = (resource: Resource | undefined) => resource && `/${resource.path}`;

const childrenOf = (resource: Resource | undefined): Resource[] => [...(resource?.children?.values() ?? [])];

/** The resource at the path of a request. */
export function resourceAtPath(path: string, core: Cse): Resource | undefined {
  if (path.startsWith('/~/')) return resourceAt(path.slice(2), core);
  return resourceAt(path.startsWith('/_/') ? `/${path.slice(2)}` : path.slice(1), core);
}

/** The resource at an address in a discovery result. */
export function resourceAt(address: string, { tree, configuration }: Cse): Resource | undefined {
  try {
    return resolve(decodeURIComponent(address), tree, configuration).resource;
  } catch {
    return undefined;
  }
}

/** The answer to a retrieve at present. */
export function readingOf(resource: Resource, { configuration }: Cse): HttpResponse {
  const headers = { 'X-M2M-RSC': '2000', 'Content-Type': 'application/vnd.onem2m-res+json' };
  return { status: 200, headers, body: JSON.stringify(representation(resource, configuration.dialect)) };
}

/** `expired` for a removal without a request. */
export type RemovalCause = RemovalReason | 'expired';

/** Called for each removed resource: the addressed one first, then what was below it. */
export function watchRemovals({ tree, services }: Cse, gone: (resource: Resource, end: RemovalCause) => void): void {
  const before = tree.onRemoved;
  tree.onRemoved = (resource, how) => {
    before(resource, how);
    const expired = how === 'itself' && resource.expires <= services.ports.clock.now();
    gone(resource, expired ? 'expired' : how);
  };
}
