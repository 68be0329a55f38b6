import { pathSegment } from '../../engine/messages/encode.ts';
import { descendantsOf, type GeneratedResource, type GeneratedType, parentTypes } from './resource.ts';

/** How the CSE is called, and by which name everything begins that a sequence creates at its base. */
export interface LabelledCse {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
  readonly label: string;
}

type NewResource = Pick<GeneratedResource, 'type' | 'name' | 'parent' | 'owner' | 'attributes'>;

/** What one sequence of requests has created, and not removed, so that others can speak of it. Nothing is judged by it. */
export class CreatedResources {
  readonly names: LabelledCse;
  /** By its names below the CSE base, in order of creation. */
  readonly #resources = new Map<string, GeneratedResource>();
  /** Names of what stood below something that was removed, by the path of that. */
  readonly #left = new Map<string, readonly string[]>();
  /** Labels that anything ever was given. */
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
    const resource: GeneratedResource = {
      ...facts,
      path,
      names: [...(parent?.names ?? []), name],
      children: [],
      assigned: {},
    };
    this.#resources.set(path, resource);
    parent?.children.push(resource);
    if (Array.isArray(held.lbl)) for (const label of held.lbl) this.labels.add(String(label));
    return resource;
  }

  /** A resource is spoken of no more, nor anything below. */
  remove(resource: GeneratedResource): void {
    for (const one of [resource, ...descendantsOf(resource)]) {
      this.#left.set(
        one.path,
        one.children.map(({ name }) => name),
      );
      this.#resources.delete(one.path);
    }
    const siblings = resource.parent?.children ?? [];
    if (siblings.includes(resource)) siblings.splice(siblings.indexOf(resource), 1);
  }

  /** What stood below that which had the place of this resource before, and may be left. */
  leftBelow({ path }: GeneratedResource): readonly string[] {
    return this.#left.get(path) ?? [];
  }

  /** What may hold a resource of a kind, the youngest of each kind first: application entities before containers. */
  parentsFor(type: GeneratedType): GeneratedResource[] {
    return parentTypes[type].flatMap((one: GeneratedType) => this.all(one).reverse());
  }

  /** The name itself, or the next one that is free below the parent: a, aa, b, bb …, of which some begin with others. */
  freeName(parent: GeneratedResource | undefined, preferred: number): string {
    const nameAt = parent === undefined ? letter : letters;
    for (let number = preferred; number < preferred + 26; number += 1) {
      const name = this.nameBelow(parent, nameAt(number));
      if (this.at(parent, name) === undefined) return name;
    }
    return this.nameBelow(parent, `${letter(preferred)}${this.#resources.size}`);
  }

  /** What stands directly below the CSE base has a name that nobody else has. */
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
