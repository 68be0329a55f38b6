/** Read access to the resource tree of a CSE, without a request. */
import { closest } from 'fastest-levenshtein';
import { instanceEnds, localResource } from '../core/address.ts';
import type { Cse } from '../core/operations/cse.ts';
import type { Resource } from '../core/resource.ts';
import { ResourceView } from './resource-view.ts';

export class NoSuchResourceError extends Error {
  override readonly name = 'NoSuchResourceError';
  readonly address: string;

  constructor(address: string, message: string) {
    super(message);
    this.address = address;
  }
}

/** Paths that are compared with one that is not found; a larger tree would take long. */
const mostCompared = 500;

/** Reading changes nothing and needs no rights; only expired resources go, as before any request. */
export class TreeView implements Iterable<ResourceView> {
  readonly #current: () => Cse;

  /** Reads the CSE that `current` returns at that moment. */
  constructor(current: () => Cse) {
    this.#current = current;
  }

  get base(): ResourceView {
    const cse = this.#settled();
    return new ResourceView(cse.tree.base, cse);
  }

  /** Number of resources, the CSE base included. */
  get size(): number {
    return this.#settled().tree.size;
  }

  /**
   * The resource at an address: a path from the CSE base down (`/onem2m/App/temperature`), the same without the base
   * (`App/temperature`), an identifier (`cnt0`, an AE-ID such as `CApp`), any of them after the CSE-ID
   * (`/mn-cse-1/onem2m/App`, `/~/mn-cse-1/…`), and with `latest` or `oldest` at the end. Undefined when there is none.
   */
  find(address: string): ResourceView | undefined {
    const cse = this.#settled();
    const resource = resourceAt(address, cse);
    return resource && new ResourceView(resource, cse);
  }

  /** The same; throws a NoSuchResourceError that names the nearest when there is none. */
  get(address: string): ResourceView {
    const found = this.find(address);
    if (found !== undefined) return found;
    const paths = [...this].slice(0, mostCompared).map(({ path }) => path);
    const path = this.#withBase(address);
    throw new NoSuchResourceError(
      address,
      `There is no ${address} in the tree of ${this.#current().configuration.cseId}; the nearest is ${closest(path, paths)}.`,
    );
  }

  has(address: string): boolean {
    return this.find(address) !== undefined;
  }

  /** Number of resources of a type, by its long name (`container`) or root key (`m2m:cnt`); 0 for an unknown one. */
  count(type: string): number {
    return this.ofType(type).length;
  }

  /** All of a type, in the order of their creation. */
  ofType(type: string): readonly ResourceView[] {
    const lowerCase = type.toLowerCase();
    return [...this].filter((one) => one.root === type || one.typeName.toLowerCase() === lowerCase);
  }

  /** All with a label, in the order of their creation. */
  withLabel(label: string): readonly ResourceView[] {
    const cse = this.#settled();
    return [...(cse.tree.withLabel(label) ?? [])].map((resource) => new ResourceView(resource, cse));
  }

  /** The CSE base, then everything below it in the order of creation. */
  *[Symbol.iterator](): Generator<ResourceView> {
    const cse = this.#settled();
    for (const resource of [cse.tree.base, ...cse.tree.byCreation]) yield new ResourceView(resource, cse);
  }

  #settled(): Cse {
    const cse = this.#current();
    cse.tree.expire(cse.services.ports.clock.now());
    return cse;
  }

  #withBase(address: string): string {
    const { base } = this.#current().configuration;
    const path = address.replace(/^\/+/, '');
    return path === base || path.startsWith(`${base}/`) ? `/${path}` : `/${base}/${path}`;
  }
}

function resourceAt(address: string, cse: Cse): Resource | undefined {
  const slash = address.lastIndexOf('/');
  const end = slash < 0 ? undefined : instanceEnds.get(address.slice(slash + 1));
  const whole = atPath(address, cse);
  if (whole !== undefined || end === undefined) return whole;
  return atPath(address.slice(0, slash), cse)?.instances?.[end];
}

/** As a request addresses it, or from the CSE base down. */
function atPath(address: string, { tree, configuration }: Cse): Resource | undefined {
  const to = address
    .replace(/\/+$/, '')
    .replace(/^\/~\//, '/')
    .replace(/^\/_\//, '//');
  const named = to.startsWith('//') || to.startsWith(`/${configuration.cseId}/`) || to === `/${configuration.cseId}`;
  const names = named ? to : to.replace(/^\//, '');
  if (names === '') return tree.base;
  const decoded = names.split('/').map(unescaped).join('/');
  return (
    localResource(decoded, tree, configuration) ?? localResource(`${tree.base.name}/${decoded}`, tree, configuration)
  );
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
