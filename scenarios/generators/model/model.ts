import { pathSegment } from '../../engine/messages/encode.ts';
import { descendantsOf, instancesOf, kindFacts, type ModelKind, type ModelResource, surplusOf } from './resource.ts';

/** How the CSE is called, and by which name everything begins that a sequence creates at its base. */
export interface ModelNames {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
  readonly label: string;
}

type Given = Pick<ModelResource, 'kind' | 'name' | 'parent' | 'owner' | 'held' | 'shown'> &
  Partial<Pick<ModelResource, 'expires'>>;

/** Something that was removed. */
type Removed = Pick<ModelResource, 'kind' | 'name'>;

/**
 * What a CSE holds, as far as one sequence of requests knows it: written from the specification, naive, and without any way to the
 * simulator.
 */
export class Model {
  readonly names: ModelNames;
  /** Everything that is held, by its names below the CSE base, in order of creation. */
  readonly #resources = new Map<string, ModelResource>();
  /** Where anything was ever created, or may have been. */
  readonly #used = new Set<string>();
  /** What stood below something that was removed, by the names of its parent. Whether it went too is a gap. */
  readonly #left = new Map<string, Removed[]>();
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

  holds({ path }: ModelResource): boolean {
    return this.#resources.has(path);
  }

  add(given: Given): ModelResource {
    const { parent, name } = given;
    const path = pathBelow(parent, name);
    const names = [...(parent?.names ?? []), name];
    const resource: ModelResource = {
      ...{ names, path, children: [], known: true, counted: 'grown' },
      ...given,
    };
    this.#resources.set(path, resource);
    this.#used.add(path);
    parent?.children.push(resource);
    if (parent !== undefined && given.kind === 'content instance') this.#makeRoom(parent);
    return resource;
  }

  #makeRoom(parent: ModelResource): void {
    parent.counted = 'grown';
    const instances = instancesOf(parent);
    for (const one of instances.slice(0, surplusOf(instances, parent.shown))) {
      this.remove(one);
      parent.counted = 'made room';
    }
  }

  /** Something may have been created there. */
  use(parent: ModelResource | undefined, name: string): void {
    this.#used.add(pathBelow(parent, name));
  }

  wasUsed(parent: ModelResource | undefined, name: string): boolean {
    return this.#used.has(pathBelow(parent, name));
  }

  /** A resource is spoken of no more, nor anything below. */
  remove(resource: ModelResource): void {
    for (const child of [...resource.children]) this.remove(child);
    const { parent, path, kind } = resource;
    this.#resources.delete(path);
    if (kind === 'container') this.#leaveGroups(resource);
    if (kind === 'access control policy') this.#leaveOpen(resource);
    if (parent === undefined) return;
    parent.children.splice(parent.children.indexOf(resource), 1);
    if (kind === 'content instance') parent.counted = 'shrunk';
  }

  /** Whether a group still lists a member that was deleted by itself, nobody says. */
  #leaveGroups(member: ModelResource): void {
    const reference = `${this.names.base}/${member.path}`;
    for (const { held } of this.all('group')) {
      if (Array.isArray(held.mid) && held.mid.includes(reference)) delete held.mid;
    }
  }

  /** Whether what refers to a policy still does when that is gone, is left open; so is who may do what. */
  #leaveOpen({ shown, owner }: ModelResource): void {
    for (const one of this.all()) {
      const { acpi } = one.held;
      if (one.owner === owner && Array.isArray(acpi) && acpi.includes(shown.ri)) delete one.held.acpi;
    }
  }

  /** A resource certainly was removed, by a request. */
  bury(resource: ModelResource): void {
    for (const one of [resource, ...descendantsOf(resource)]) this.#left.set(one.path, [...one.children]);
    this.remove(resource);
  }

  /** What stood below that which had the place of this resource before, and may be left. */
  leftBelow({ path }: ModelResource): readonly Removed[] {
    return this.#left.get(path) ?? [];
  }

  /** What may have expired by now. */
  mayHaveExpired(): ModelResource[] {
    return this.all().filter(({ expires }) => expires !== undefined && expires <= this.passed);
  }

  /** What may hold a resource of a kind, the youngest of each kind first: application entities before containers. */
  holdersOf(kind: ModelKind): ModelResource[] {
    return kindFacts[kind].holders.flatMap((one) => this.all(one).reverse());
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

function pathBelow(parent: ModelResource | undefined, name: string): string {
  return parent === undefined ? pathSegment(name) : `${parent.path}/${pathSegment(name)}`;
}

function letter(number: number): string {
  return String.fromCharCode(97 + (number % 26));
}

function letters(number: number): string {
  return letter(Math.floor(number / 2)).repeat(1 + (number % 2));
}
