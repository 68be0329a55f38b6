import { pathSegment } from '../../../engine/messages/encode.ts';
import type { ModelNames } from '../../model/model.ts';
import { kindFacts, type StandardKind } from './kinds.ts';
import { contentOf, instancesOf, type StandardResource } from './resource.ts';

type Given = Pick<StandardResource, 'kind' | 'name' | 'parent' | 'owner' | 'held' | 'shown'>;

/**
 * A CSE as the standard describes it, as far as one sequence of requests knows it: written from the standard, naive, and without any
 * way to the simulator.
 */
export class StandardModel {
  readonly names: ModelNames;
  /** Everything that is held, by its names below the CSE base, in order of creation. */
  readonly #resources = new Map<string, StandardResource>();
  /** Where anything was ever created, or may have been. */
  readonly #used = new Set<string>();
  /** Milliseconds that were let pass. */
  passed = 0;

  constructor(names: ModelNames) {
    this.names = names;
  }

  /** In order of creation. */
  all(kind?: StandardKind): StandardResource[] {
    const everything = [...this.#resources.values()];
    return kind === undefined ? everything : everything.filter((one) => one.kind === kind);
  }

  at(parent: StandardResource | undefined, name: string): StandardResource | undefined {
    return this.#resources.get(pathBelow(parent, name));
  }

  holds(resource: StandardResource): boolean {
    return this.at(resource.parent, resource.name) === resource;
  }

  add(given: Given): StandardResource {
    const { parent, name } = given;
    const resource: StandardResource = {
      ...given,
      names: [...(parent?.names ?? []), name],
      path: pathBelow(parent, name),
      heldBy: new Map(),
      since: { instances: 0, updates: 0, perhaps: 0 },
      children: [],
      known: true,
      counted: 'new',
      touched: false,
      born: this.passed,
    };
    this.#resources.set(resource.path, resource);
    this.use(parent, name);
    if (parent !== undefined) this.#takeIn(resource, parent);
    return resource;
  }

  #takeIn(resource: StandardResource, parent: StandardResource): void {
    parent.children.push(resource);
    parent.touched = true;
    if (resource.kind !== 'content instance') {
      parent.since.perhaps += 1;
      return;
    }
    parent.since.instances += 1;
    parent.counted = 'grown';
    for (const one of this.#tooMany(parent)) {
      this.remove(one);
      parent.counted = 'made room';
    }
  }

  /** The oldest make room until number and bytes fit (TS-0004 7.4.7.2.1 step 2). */
  #tooMany(container: StandardResource): StandardResource[] {
    const { mni = Number.POSITIVE_INFINITY, mbs = Number.POSITIVE_INFINITY } = container.shown;
    const instances = instancesOf(container);
    let number = instances.length;
    let bytes = bytesOf(instances);
    return instances.filter((one) => {
      if (number <= mni && bytes <= mbs) return false;
      number -= 1;
      bytes -= Buffer.byteLength(contentOf(one));
      return true;
    });
  }

  /** Something may have been created there. */
  use(parent: StandardResource | undefined, name: string): void {
    this.#used.add(pathBelow(parent, name));
  }

  wasUsed(parent: StandardResource | undefined, name: string): boolean {
    return this.#used.has(pathBelow(parent, name));
  }

  /** A resource goes, and with it everything below. */
  remove(resource: StandardResource): void {
    for (const child of [...resource.children]) this.remove(child);
    const { parent, kind } = resource;
    this.#resources.delete(resource.path);
    if (kind === 'container') this.#leaveGroups(resource);
    if (parent === undefined) return;
    parent.children.splice(parent.children.indexOf(resource), 1);
    parent.since.perhaps += 1;
    parent.touched = true;
    if (kind === 'content instance') parent.counted = 'shrunk';
  }

  /** Whether a group still lists a member that was deleted by itself, nobody says. */
  #leaveGroups(member: StandardResource): void {
    const reference = `${this.names.base}/${member.path}`;
    for (const group of this.all('group')) {
      const { mid } = group.held;
      if (!Array.isArray(mid) || !mid.includes(reference)) continue;
      delete group.held.mid;
      group.touched = true;
    }
  }

  /** What may hold a resource of a kind, the youngest first. */
  holdersOf(kind: StandardKind): StandardResource[] {
    const { holders = [] } = kindFacts[kind];
    return this.all()
      .filter((one) => holders.includes(one.kind))
      .reverse();
  }

  /** The name itself, or the next one of the alphabet that is free below the parent. */
  freeName(parent: StandardResource | undefined, wanted: number): string {
    const letter = (number: number) => String.fromCharCode(97 + (number % 26));
    for (let number = wanted; number < wanted + 26; number += 1) {
      const name = this.nameBelow(parent, letter(number));
      if (this.at(parent, name) === undefined) return name;
    }
    return this.nameBelow(parent, `${letter(wanted)}${this.#resources.size}`);
  }

  /** What stands directly below the CSE base has a name that nobody else has. */
  nameBelow(parent: StandardResource | undefined, name: string): string {
    return parent === undefined ? `${this.names.label}-${name}` : name;
  }
}

export function bytesOf(instances: readonly StandardResource[]): number {
  return instances.reduce((sum, one) => sum + Buffer.byteLength(contentOf(one)), 0);
}

function pathBelow(parent: StandardResource | undefined, name: string): string {
  return parent === undefined ? pathSegment(name) : `${parent.path}/${pathSegment(name)}`;
}
