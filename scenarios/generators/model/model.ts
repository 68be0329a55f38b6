import { pathBelow } from './address.ts';
import { labelsOf, type ModelKind, type ModelResource, type Removed } from './resource.ts';

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
  /** What certainly was removed, by its names, and nothing has taken its place since. */
  readonly #removed = new Map<string, Removed>();
  /** What stood below something that was removed, by the names of its parent. Whether it went too is a gap. */
  readonly #left = new Map<string, Removed[]>();
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
    return this.#resources.get(pathBelow(parent, name));
  }

  add(
    given: Omit<ModelResource, 'names' | 'path' | 'children' | 'read' | 'known' | 'readBySpRelative'>,
  ): ModelResource {
    const { parent, name } = given;
    const resource: ModelResource = {
      ...given,
      ...{ names: [...(parent?.names ?? []), name], path: pathBelow(parent, name) },
      ...{ children: [], read: false, known: true, readBySpRelative: false },
    };
    this.#resources.set(resource.path, resource);
    this.use(given.parent, given.name);
    given.parent?.children.push(resource);
    return resource;
  }

  /** Something may have been created there. */
  use(parent: ModelResource | undefined, name: string): void {
    const key = pathBelow(parent, name);
    this.#used.add(key);
    this.#removed.delete(key);
  }

  /** Whether that a name can be used again is needed for a creation to succeed, which the specification does not show. */
  wasUsed(parent: ModelResource | undefined, name: string): boolean {
    return this.#used.has(pathBelow(parent, name));
  }

  /** A resource is spoken of no more, nor anything below. */
  remove(resource: ModelResource): void {
    for (const child of [...resource.children]) this.remove(child);
    const { parent, path } = resource;
    this.#resources.delete(path);
    parent?.children.splice(parent.children.indexOf(resource), 1);
  }

  /** A resource certainly was removed, by a request. */
  bury(resource: ModelResource): void {
    for (const one of [resource, ...below(resource)]) this.#left.set(one.path, one.children.map(removedOf));
    this.remove(resource);
    this.#removed.set(resource.path, removedOf(resource));
  }

  /** What certainly was removed, and nothing has taken its place since. */
  removed(): Removed[] {
    return [...this.#removed.values()];
  }

  /** Names of what was removed below a resource, or below what had its place before. */
  removedBelow(resource: ModelResource): string[] {
    const isBelow = ({ path, name }: Removed) => path === pathBelow(resource, name);
    return this.removed()
      .filter(isBelow)
      .map(({ name }) => name);
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

  /** The name itself, or the next one that is free below the parent: a, aa, b, bb …, of which some begin with others. */
  freeName(parent: ModelResource | undefined, wanted: number): string {
    const nameAt = parent === undefined ? letter : letters;
    for (let number = wanted; number < wanted + 26; number += 1) {
      const name = this.nameBelow(parent, nameAt(number));
      if (this.at(parent, name) === undefined) return name;
    }
    return this.nameBelow(parent, `${letter(wanted)}${this.#resources.size}`);
  }

  /** What stands directly below the CSE base has a name that nobody else has. */
  nameBelow(parent: ModelResource | undefined, name: string): string {
    return parent === undefined ? `${this.names.label}-${name}` : name;
  }
}

function letter(number: number): string {
  return String.fromCharCode(97 + (number % 26));
}

function letters(number: number): string {
  return letter(Math.floor(number / 2)).repeat(1 + (number % 2));
}

function below({ children }: ModelResource): ModelResource[] {
  return children.flatMap((child) => [child, ...below(child)]);
}

function removedOf(resource: ModelResource): Removed {
  const { kind, name, names, path } = resource;
  return { kind, name, names, path, labels: labelsOf(resource) ?? [] };
}
