import type { ModelKind, ModelResource, Removed } from './resource.ts';
import { descendantsOf, Tree } from './tree.ts';

/** A CSE as the interface specification describes it. */
export class Model extends Tree<ModelKind, ModelResource> {
  /** What stood below something that was removed, by the names of its parent. Whether it went too is a gap. */
  readonly #left = new Map<string, Removed[]>();
  /** The identifier of the CSE base, once it was shown. */
  baseIdentifier: string | undefined;
  /** Labels that anything ever was given. */
  readonly labels = new Set<string>();

  add(
    given: Omit<ModelResource, 'names' | 'path' | 'children' | 'read' | 'known' | 'readBySpRelative'>,
  ): ModelResource {
    return this.put({ ...given, ...this.standing(given), read: false, readBySpRelative: false });
  }

  /** A resource certainly was removed, by a request. */
  bury(resource: ModelResource): void {
    for (const one of [resource, ...descendantsOf(resource)]) this.#left.set(one.path, [...one.children]);
    this.remove(resource);
  }

  /** What stood below that which had the place of this resource before, and may be left. */
  leftBelow(resource: ModelResource): readonly Removed[] {
    return this.#left.get(resource.path) ?? [];
  }

  /** What may have expired by now. */
  mayHaveExpired(): ModelResource[] {
    return this.all().filter(({ expires }) => expires !== undefined && expires <= this.passed);
  }

  /** What may hold a resource of a kind, the youngest first: core behaviour 1; after them what is a gap, containers in containers. */
  holdersOf(kind: ModelKind): ModelResource[] {
    const holders = { ae: [], container: ['ae', 'container'], 'content instance': ['container'] } as const;
    return holders[kind].flatMap((one: ModelKind) => this.all(one).reverse());
  }
}
