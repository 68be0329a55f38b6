import { pathSegment } from '../../engine/messages/wire.ts';
import { descendantsOf, type GeneratedResource, type GeneratedType, parentTypes } from './resource.ts';

/** Names of the CSE, and the prefix of every name that a sequence creates at its base. */
export interface LabelledCse {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
  readonly label: string;
}

type NewResource = Pick<GeneratedResource, 'type' | 'name' | 'parent' | 'owner' | 'attributes'>;

/** What one sequence has created and not removed, for its later requests. Nothing is checked against it. */
export class CreatedResources {
  readonly names: LabelledCse;
  /** By its names below the CSE base, in order of creation. */
  readonly #resources = new Map<string, GeneratedResource>();
  /** Names of the children of removed resources, by the path of these. */
  readonly #left = new Map<string, readonly string[]>();
  /** All labels ever set. */
  readonly labels = new Set<string>();

  constructor(names: LabelledCse) {
    this.names = names;
  }

  /** In order of creation. */
  all(type?: GeneratedType): GeneratedResource[] {
    const everything = [...this.#resources.values()];
    return type === undefined ? everything : everything.filter((one) => one.type === type);
  }

  at(parent: GeneratedResource | undefined, name: string): GeneratedResource | undefined {
    return this.#resources.get(pathBelow(parent, name));
  }

  holds({ path }: GeneratedResource): boolean {
    return this.#resources.has(path);
  }

  add(facts: NewResource): GeneratedResource {
    const { parent, name, attributes: held } = facts;
    const path = pathBelow(parent, name);
    const names = [...(parent?.names ?? []), name];
    const resource: GeneratedResource = { ...facts, path, names, children: [], assigned: {} };
    this.#resources.set(path, resource);
    parent?.children.push(resource);
    if (Array.isArray(held.lbl)) for (const label of held.lbl) this.labels.add(String(label));
    return resource;
  }

  /** Forgets a resource and its descendants. */
  remove(resource: GeneratedResource): void {
    for (const { path, children } of [resource, ...descendantsOf(resource)]) {
      const names = children.map(({ name }) => name);
      this.#left.set(path, names);
      this.#resources.delete(path);
    }
    const siblings = resource.parent?.children ?? [];
    if (siblings.includes(resource)) siblings.splice(siblings.indexOf(resource), 1);
  }

  /** Children of a removed resource at the same path, which may be left over. */
  leftBelow({ path }: GeneratedResource): readonly string[] {
    return this.#left.get(path) ?? [];
  }

  /** Possible parents for a resource type, application entities before containers, the youngest first. */
  parentsFor(type: GeneratedType): GeneratedResource[] {
    return parentTypes[type].flatMap((one: GeneratedType) => this.all(one).reverse());
  }

  /** The preferred or next free name below the parent: a, aa, b, bb …; some are prefixes of others. */
  freeName(parent: GeneratedResource | undefined, preferred: number): string {
    const nameAt = parent === undefined ? letter : letters;
    for (let number = preferred; number < preferred + 26; number += 1) {
      const name = this.nameBelow(parent, nameAt(number));
      if (this.at(parent, name) === undefined) return name;
    }
    return this.nameBelow(parent, `${letter(preferred)}${this.#resources.size}`);
  }

  /** Directly below the CSE base, names are unique to the sequence. */
  nameBelow(parent: GeneratedResource | undefined, name: string): string {
    return parent === undefined ? `${this.names.label}-${name}` : name;
  }
}

function pathBelow(parent: GeneratedResource | undefined, name: string): string {
  return parent === undefined ? pathSegment(name) : `${parent.path}/${pathSegment(name)}`;
}

function letter(number: number): string {
  return String.fromCharCode(97 + (number % 26));
}

function letters(number: number): string {
  return letter(Math.floor(number / 2)).repeat(1 + (number % 2));
}
