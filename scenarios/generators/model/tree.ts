import { pathSegment } from '../../engine/messages/encode.ts';

/** How the CSE is called, and by which name everything begins that a sequence creates at its base. */
export interface ModelNames {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
  readonly label: string;
}

/** A resource as a model holds it. */
export interface Standing<Kind, Resource> {
  readonly kind: Kind;
  /** Path segment. */
  readonly name: string;
  /** Undefined directly below the CSE base. */
  readonly parent: Resource | undefined;
  /** From below the CSE base on. */
  readonly names: readonly string[];
  /** The same as a path below the CSE base, without a slash at its beginning. */
  readonly path: string;
  /** In order of creation. */
  readonly children: Resource[];
  /** False as soon as it cannot be told any more which children the target holds. */
  known: boolean;
}

type Place<Resource> = Pick<Standing<unknown, Resource>, 'parent' | 'name'>;

/**
 * What a CSE holds, as far as one sequence of requests knows it: written from the specification, naive, and without any way to the
 * simulator.
 */
export class Tree<Kind, Resource extends Standing<Kind, Resource>> {
  readonly names: ModelNames;
  /** Everything that is held, by its names below the CSE base, in order of creation. */
  readonly #resources = new Map<string, Resource>();
  /** Where anything was ever created, or may have been. */
  readonly #used = new Set<string>();
  /** Milliseconds that were let pass. */
  passed = 0;

  constructor(names: ModelNames) {
    this.names = names;
  }

  /** In order of creation. */
  all(kind?: Kind): Resource[] {
    const everything = [...this.#resources.values()];
    return kind === undefined ? everything : everything.filter((one) => one.kind === kind);
  }

  at(parent: Resource | undefined, name: string): Resource | undefined {
    return this.#resources.get(pathBelow(parent, name));
  }

  holds({ parent, name, path }: Resource): boolean {
    return this.at(parent, name)?.path === path;
  }

  /** How what stands there begins. */
  protected standing({ parent, name }: Place<Resource>) {
    const names = [...(parent?.names ?? []), name];
    return { names, path: pathBelow(parent, name), children: [] as Resource[], known: true };
  }

  protected put(resource: Resource): Resource {
    const { parent, name, path } = resource;
    this.#resources.set(path, resource);
    this.use(parent, name);
    parent?.children.push(resource);
    return resource;
  }

  /** Something may have been created there. */
  use(parent: Resource | undefined, name: string): void {
    this.#used.add(pathBelow(parent, name));
  }

  wasUsed(parent: Resource | undefined, name: string): boolean {
    return this.#used.has(pathBelow(parent, name));
  }

  /** A resource is spoken of no more, nor anything below. */
  remove(resource: Resource): void {
    for (const child of [...resource.children]) this.remove(child);
    const { parent, path } = resource;
    this.#resources.delete(path);
    parent?.children.splice(parent.children.indexOf(resource), 1);
  }

  /** The name itself, or the next one that is free below the parent: a, aa, b, bb …, of which some begin with others. */
  freeName(parent: Resource | undefined, wanted: number): string {
    const nameAt = parent === undefined ? letter : letters;
    for (let number = wanted; number < wanted + 26; number += 1) {
      const name = this.nameBelow(parent, nameAt(number));
      if (this.at(parent, name) === undefined) return name;
    }
    return this.nameBelow(parent, `${letter(wanted)}${this.#resources.size}`);
  }

  /** What stands directly below the CSE base has a name that nobody else has. */
  nameBelow(parent: Resource | undefined, name: string): string {
    return parent === undefined ? `${this.names.label}-${name}` : name;
  }
}

function pathBelow(parent: { readonly path: string } | undefined, name: string): string {
  return parent === undefined ? pathSegment(name) : `${parent.path}/${pathSegment(name)}`;
}

function letter(number: number): string {
  return String.fromCharCode(97 + (number % 26));
}

function letters(number: number): string {
  return letter(Math.floor(number / 2)).repeat(1 + (number % 2));
}

/** Everything below it, in no certain order. */
export function descendantsOf<Resource extends { readonly children: readonly Resource[] }>({
  children,
}: Resource): Resource[] {
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

interface Above {
  readonly parent: Above | undefined;
  readonly known: boolean;
}

/** Whether it cannot be told that it is still there: something above may have lost it. */
export function isDoubtful({ parent }: Pick<Above, 'parent'>): boolean {
  return parent !== undefined && (!parent.known || isDoubtful(parent));
}

/** The address of something in a form that names the CSE, or does not, by its path or its identifier. Undefined where that is not known. */
export function inForm(
  form: string,
  { path, ri }: { readonly path: string; readonly ri: string | undefined },
  { cseId, spId }: ModelNames,
): string | undefined {
  const scope = form.startsWith('SP-relative')
    ? `/~/${cseId}`
    : form.startsWith('absolute')
      ? `/_/${spId}/${cseId}`
      : '';
  if (!form.endsWith('identifier')) return scope + path;
  return ri === undefined || !/^[\w.-]+$/.test(ri) ? undefined : `${scope}/${ri}`;
}
