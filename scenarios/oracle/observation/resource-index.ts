import { getOrAdd } from '../../engine/basics/memoize.ts';
import { isGone, type KnownResource, keepLatest, keyOf, leaveOpen } from './known-resource.ts';

/** Attributes with unique identifiers. */
const identifiers = ['ri', 'aei'] as const;
type Identifier = (typeof identifiers)[number];

type ByIdentifier = Map<string, Set<KnownResource>>;

/** The known resources of a CSE, by names and identifiers. */
export class ResourceIndex {
  /** By names; the last resource with these. */
  readonly #held = new Map<string, KnownResource>();
  /** In the order of creation; absent after removals, until needed. */
  #all: KnownResource[] | undefined;
  /** By identifier; absent after removals, until needed. */
  #identified: ByIdentifier | undefined;
  /** Names with an unknown resource, if any. */
  readonly #unclear = new UnclearNames();

  get all(): readonly KnownResource[] {
    this.#all ??= [...this.#held.values()];
    return this.#all;
  }

  named(names: readonly string[]): KnownResource | undefined {
    return this.#held.get(keyOf(names));
  }

  /** The only resource with this identifier. */
  identified(identifier: string | undefined): KnownResource | undefined {
    const [one, ...others] = identifier === undefined ? [] : this.identifiedAll('ri', identifier);
    return others.length === 0 ? one : undefined;
  }

  /** All resources whose current identifier this is. */
  identifiedAll(name: Identifier, value: string): readonly KnownResource[] {
    return this.#identifiedBy(name, value).filter(({ returned }) => returned.get(name) === value);
  }

  registeredBy(originator: string): readonly KnownResource[] {
    return this.#identifiedBy('originator', originator);
  }

  #identifiedBy(name: Identifier | 'originator', value: string): readonly KnownResource[] {
    this.#identified ??= addIdentifiers(new Map(), this.all);
    return [...(this.#identified.get(keyOf([name, value])) ?? [])];
  }

  note(resource: KnownResource): void {
    if (this.#identified !== undefined) addIdentifiers(this.#identified, [resource]);
  }

  isUnclear(names: readonly string[]): boolean {
    return this.#unclear.has(names);
  }

  add(resource: KnownResource): void {
    const key = keyOf(resource.names);
    if (this.#held.has(key)) this.#forgetOrder();
    this.#held.set(key, resource);
    this.#all?.push(resource);
    this.note(resource);
    this.#unclear.settle(resource.names);
    resource.parent?.children.push(resource);
    if (keepLatest(this.#held)) this.#forgetOrder();
  }

  /** Forgets everything at or below these names, former resources included. */
  forget(names: readonly string[]): void {
    const { all } = this;
    this.#forgetOrder();
    this.#unclear.add(names);
    const before = this.named(names);
    if (before?.parent !== undefined) leaveOpen(before.parent);
    for (const one of all) {
      if (!names.every((name, at) => one.names[at] === name)) continue;
      one.state = 'doubtful';
      this.#held.delete(keyOf(one.names));
      this.#unclear.add(one.names);
    }
  }

  /** Deleted descendants may exist again. */
  forgetGoneBelow(parent: KnownResource | undefined): void {
    const above = parent?.names ?? [];
    const { all } = this;
    this.#forgetOrder();
    for (const one of all) {
      if (!isGone(one) || !above.every((name, at) => one.names[at] === name)) continue;
      one.state = 'doubtful';
      this.#held.delete(keyOf(one.names));
    }
  }

  /** Marks the resources with this label that a discovery lists. */
  noteFound(label: string | null, paths: readonly unknown[] = []): void {
    for (const one of this.all) {
      const labels = one.requested.get('lbl');
      const isListed = () => paths.some((path) => String(path).endsWith(`/${one.names.join('/')}`));
      if (Array.isArray(labels) && labels.includes(label) && isListed()) one.isFound = true;
    }
  }

  #forgetOrder(): void {
    this.#all = undefined;
    this.#identified = undefined;
  }

  forgetAll(): void {
    this.#forgetOrder();
    this.#held.clear();
    this.#unclear.addAll();
  }
}

function addIdentifiers(identified: ByIdentifier, all: readonly KnownResource[]): ByIdentifier {
  for (const one of all) {
    const { type, returned, createdBy } = one;
    const identifiedAs: ReadonlyArray<readonly [string, unknown]> = [
      ...identifiers.map((name) => [name, returned.get(name)] as const),
      ['originator', type === 'ae' ? createdBy.originator : undefined],
    ];
    for (const [name, value] of identifiedAs) {
      if (typeof value !== 'string') continue;
      getOrAdd(identified, keyOf([name, value]), () => new Set()).add(one);
    }
  }
  return identified;
}

/** Names with an unknown resource, if any. */
class UnclearNames {
  readonly #keys = new Set<string>();
  /** Once all names are unclear: the exceptions, with their descendants. */
  #clear: Set<string> | undefined;

  /** All names become unclear. */
  addAll(): void {
    this.#keys.clear();
    this.#clear = new Set();
  }

  add(names: readonly string[]): void {
    this.#keys.add(keyOf(names));
  }

  has(names: readonly string[]): boolean {
    if (this.#clear === undefined || names.length === 0) return this.#keys.has(keyOf(names));
    const isClear = names.some((_, at) => this.#clear?.has(keyOf(names.slice(0, at + 1))));
    return !isClear || this.#keys.has(keyOf(names));
  }

  /** A new resource without children is there. */
  settle(names: readonly string[]): void {
    const own = keyOf(names);
    const above = `${own.slice(0, -1)},`;
    for (const one of this.#keys) if (one === own || one.startsWith(above)) this.#keys.delete(one);
    this.#clear?.add(own);
  }
}
