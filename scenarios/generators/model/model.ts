import { type ModelKind, type ModelResource, namesTo } from './resource.ts';

/** How the CSE is called, and by which name everything begins that a sequence creates at its base. */
export interface ModelNames {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
  readonly label: string;
}

/**
 * A CSE as the interface specification describes it, as far as one sequence of requests knows it: written from the
 * specification, naive, and without any way to the simulator.
 */
export class Model {
  readonly names: ModelNames;
  /** Everything that is held, by its names below the CSE base, in order of creation. */
  readonly #resources = new Map<string, ModelResource>();
  /** Where anything was ever created, or may have been. */
  readonly #used = new Set<string>();
  /** The identifier of the CSE base, once it was shown. */
  baseIdentifier: string | undefined;
  /** Milliseconds that were let pass. */
  passed = 0;
  /** Labels that anything ever was given. */
  readonly labels = new Set<string>();

  constructor(names: ModelNames) {
    this.names = names;
  }

  /** In order of creation. */
  all(kind?: ModelKind): ModelResource[] {
    const everything = [...this.#resources.values()];
    return kind === undefined ? everything : everything.filter((one) => one.kind === kind);
  }

  at(parent: ModelResource | undefined, name: string): ModelResource | undefined {
    return this.#resources.get(keyBelow(parent, name));
  }

  add(given: Omit<ModelResource, 'children' | 'read' | 'known' | 'newestStays'>): ModelResource {
    const resource: ModelResource = { ...given, children: [], read: false, known: true, newestStays: true };
    this.#resources.set(keyBelow(given.parent, given.name), resource);
    this.use(given.parent, given.name);
    given.parent?.children.push(resource);
    if (given.parent !== undefined && given.kind === 'content instance') given.parent.newestStays = true;
    return resource;
  }

  /** Something may have been created there. */
  use(parent: ModelResource | undefined, name: string): void {
    this.#used.add(keyBelow(parent, name));
  }

  /** Whether that a name can be used again is needed for a creation to succeed, which the specification does not show. */
  wasUsed(parent: ModelResource | undefined, name: string): boolean {
    return this.#used.has(keyBelow(parent, name));
  }

  /** A resource goes, and with it everything below. */
  remove(resource: ModelResource): void {
    for (const child of [...resource.children]) this.remove(child);
    const { parent } = resource;
    this.#resources.delete(keyBelow(parent, resource.name));
    if (parent === undefined) return;
    const at = parent.children.indexOf(resource);
    const isNewest = !parent.children.slice(at + 1).some(({ kind }) => kind === resource.kind);
    if (resource.kind === 'content instance' && isNewest) parent.newestStays = false;
    parent.children.splice(at, 1);
  }

  /** Time passes, and what may have expired by then, which is a gap, is not judged any more. */
  letPass(milliseconds: number): void {
    this.passed += milliseconds;
    for (const one of this.all()) {
      if (one.expires === undefined || one.expires > this.passed) continue;
      if (one.parent !== undefined) one.parent.known = false;
      this.remove(one);
    }
  }

  /** What may hold a resource of a kind, the youngest first: core behaviour 1, and containers in containers (a gap). */
  holdersOf(kind: ModelKind): ModelResource[] {
    const holders = { ae: [], container: ['ae', 'container'], 'content instance': ['container'] } as const;
    const kinds: readonly ModelKind[] = holders[kind];
    return this.all()
      .filter((one) => kinds.includes(one.kind))
      .reverse();
  }

  /** The name itself, or the next one of the alphabet that is free below the parent. */
  freeName(parent: ModelResource | undefined, wanted: number): string {
    const letter = (number: number) => String.fromCharCode(97 + (number % 26));
    for (let number = wanted; number < wanted + 26; number += 1) {
      const name = this.nameBelow(parent, letter(number));
      if (this.at(parent, name) === undefined) return name;
    }
    return this.nameBelow(parent, `${letter(wanted)}${this.#resources.size}`);
  }

  /** What stands directly below the CSE base has a name that nobody else has. */
  nameBelow(parent: ModelResource | undefined, name: string): string {
    return parent === undefined ? `${this.names.label}-${name}` : name;
  }
}

function keyBelow(parent: ModelResource | undefined, name: string): string {
  return [...(parent === undefined ? [] : namesTo(parent)), name].join('/');
}
