/** A whole tree as a plain JSON value, and back: for tests that return to an earlier state. */
import type { Value } from '../attribute-types.ts';
import type { CseConfiguration } from '../configuration.ts';
import { typeTableOf } from '../requested-type.ts';
import { Resource } from '../resource.ts';
import type { ResourceType } from '../resource-type.ts';
import type { Cse } from './cse.ts';

/** Times are microseconds since 1970 UTC. */
export interface ResourceSnapshot {
  readonly root: string;
  readonly id: string;
  readonly name: string;
  /** Identifier of the parent; null for the CSE base. */
  readonly parent: string | null;
  readonly created: number;
  readonly modified: number;
  /** Null if it never expires. */
  readonly expires: number | null;
  readonly labels?: readonly string[] | undefined;
  readonly stateTag: number;
  readonly creator?: string | undefined;
  readonly values: Readonly<Record<string, Value>>;
}

export interface Snapshot {
  readonly dialect: string;
  readonly base: string;
  readonly cseId: string;
  /** Time of the latest change. */
  readonly lastChange: number;
  /** The next values of the identifier counters. */
  readonly counters: Readonly<Record<string, number>>;
  /** The CSE base, then everything below it in creation order. */
  readonly resources: readonly ResourceSnapshot[];
}

/** A snapshot that is inconsistent or does not fit the CSE; the message says where. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

export function takeSnapshot({ configuration, tree, services }: Cse): Snapshot {
  const { base, cseId, dialect } = configuration;
  tree.expire(services.ports.clock.now());
  return {
    ...{ dialect: dialect.name, base, cseId },
    ...services.maker.state(),
    resources: [tree.base, ...tree.byCreation].map(snapshotOf),
  };
}

function snapshotOf(resource: Resource): ResourceSnapshot {
  const { type, id, name, parent, created, modified, expires, labels, stateTag, creator, values } = resource;
  return {
    ...{ root: type.root, id, name, parent: parent?.id ?? null, created, modified },
    expires: Number.isFinite(expires) ? expires : null,
    ...(labels !== undefined && { labels }),
    ...(creator !== undefined && { creator }),
    stateTag,
    // Later changes must not alter the snapshot.
    values: structuredClone(values),
  };
}

/**
 * Fills the tree of a CSE that has nothing below its base yet. State beside the tree (notifications under way, requests in
 * polling channels) is not part of a snapshot. Throws a SnapshotError, possibly with a part of it restored.
 */
export function restoreSnapshot(cse: Cse, snapshot: Snapshot): void {
  checkIdentity(cse, snapshot);
  const { tree, services } = cse;
  const [base, ...below] = snapshot.resources;
  if (base?.parent !== null) throw new SnapshotError('resources[0] must be the CSE base');
  setState(tree.base, base);
  tree.relabel(tree.base, base.labels);
  const restored = below.map((one, index) => [restoreResource(cse, one, index + 1), one] as const);
  for (const [resource, one] of restored) {
    // Adding children has counted changes of their parents again.
    setState(resource, one);
    resource.type.restored?.(resource, services);
  }
  setState(tree.base, base);
  services.maker.continueFrom(snapshot);
}

function checkIdentity({ configuration }: Cse, snapshot: Snapshot): void {
  const { base, cseId, dialect } = configuration;
  for (const [name, own] of Object.entries({ dialect: dialect.name, base, cseId })) {
    const actual = snapshot[name as 'dialect' | 'base' | 'cseId'];
    if (actual !== own) throw new SnapshotError(`${name} is ${JSON.stringify(actual)}, and of this CSE ${own}`);
  }
}

function restoreResource({ tree, configuration }: Cse, one: ResourceSnapshot, index: number): Resource {
  const parent = one.parent === null ? undefined : tree.byId(one.parent);
  if (parent === undefined) throw new SnapshotError(`resources[${index}] comes before its parent, or has none`);
  if (tree.byId(one.id) !== undefined || parent.children?.has(one.name)) {
    throw new SnapshotError(`resources[${index}] is there already: ${parent.path}/${one.name}, ${one.id}`);
  }
  const { id, name, created, expires, values } = one;
  const resource = new Resource({
    ...{ type: resourceTypeOf(one, configuration, index), id, name, parent, created },
    ...{ expires: expires ?? Number.POSITIVE_INFINITY, values: structuredClone(values) },
  });
  resource.labels = one.labels;
  tree.add(resource);
  return resource;
}

function resourceTypeOf({ root }: ResourceSnapshot, { types }: CseConfiguration, index: number): ResourceType {
  const type = typeTableOf(types).byRoot.get(root);
  if (type !== undefined) return type;
  throw new SnapshotError(`resources[${index}] has a resource type unknown to this CSE: ${JSON.stringify(root)}`);
}

function setState(resource: Resource, { created, modified, stateTag, creator, values }: ResourceSnapshot): void {
  Object.assign(resource, { created, modified, stateTag, creator, values: structuredClone(values) });
}
