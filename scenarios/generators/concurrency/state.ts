/**
 * What a CSE holds of one program, by the interface specification. States never change, so that a search for an order can go back
 * to them.
 */
type HeldType = 'ae' | 'container' | 'content-instance';

export interface ResourceState {
  readonly path: string;
  readonly type: HeldType;
  /** Undefined until an answer shows it. */
  readonly ri: string | undefined;
  /** Bytes of content. */
  readonly bytes: number;
  /** Undefined while unknown. */
  readonly labels: readonly string[] | undefined;
  readonly mni: number | undefined;
  /** Changes that its state tag has counted. */
  readonly changes: number;
}

export class State {
  readonly resources: readonly ResourceState[];
  /** Removed paths, with the requirement that a CSE breaks by still having them. */
  readonly gone: ReadonlyMap<string, string>;
  /** Paths whose subtree is unknown: something implementation-defined happened there. */
  readonly doubtful: readonly string[];
  #key: string | undefined;

  /** By default empty, and without a past. */
  constructor(
    resources: readonly ResourceState[] = [],
    gone: ReadonlyMap<string, string> = new Map(),
    doubtful: readonly string[] = [],
  ) {
    this.resources = resources;
    this.gone = gone;
    this.doubtful = doubtful;
  }

  /**
   * Equal for states that no later answer distinguishes: the order of creation counts for all content instances, or only which is the
   * newest.
   */
  keyOf(order: 'of all' | 'of the newest'): string {
    const { resources: held } = this;
    this.#key ??= JSON.stringify([
      ...(order === 'of all' ? held : [this.#newest(), ...held.map((one) => JSON.stringify(one)).sort()]),
      [...this.gone].sort(),
      [...this.doubtful].sort(),
    ]);
    return this.#key;
  }

  /** The newest content instance of each container. */
  #newest(): string[] {
    const instances = this.resources.filter(({ type }) => type === 'content-instance');
    return [...new Map(instances.map(({ path }) => [parentOf(path), path])).values()].sort();
  }

  at(path: string): ResourceState | undefined {
    return this.resources.find((one) => one.path === path);
  }

  isDoubtful(path: string): boolean {
    return this.doubtful.some((one) => one === path || isBelow(path, one));
  }

  /** Oldest first. */
  instancesOf(path: string): ResourceState[] {
    return this.resources.filter((one) => one.type === 'content-instance' && parentOf(one.path) === path);
  }

  with(one: ResourceState): State {
    return this.#counting(parentOf(one.path), [...this.resources, one], this.gone);
  }

  changed(path: string, to: Partial<ResourceState>): State {
    const held = this.resources.map((one) => (one.path === path ? { ...one, ...to } : one));
    return new State(held, this.gone, this.doubtful);
  }

  /** Without a resource and all that is below it. */
  without(path: string, because: { readonly itself: string; readonly below: string }): State {
    const gone = new Map(this.gone);
    for (const one of this.resources) {
      if (one.path === path) gone.set(one.path, because.itself);
      else if (isBelow(one.path, path)) gone.set(one.path, because.below);
    }
    const held = this.resources.filter((one) => one.path !== path && !isBelow(one.path, path));
    return this.#counting(parentOf(path), held, gone);
  }

  doubting(path: string): State {
    return this.isDoubtful(path) ? this : new State(this.resources, this.gone, [...this.doubtful, path]);
  }

  /** A change of a child is a change of its container. */
  #counting(parent: string, held: readonly ResourceState[], gone: ReadonlyMap<string, string>): State {
    const counted = held.map((one) =>
      one.path === parent && one.type === 'container' ? { ...one, changes: one.changes + 1 } : one,
    );
    return new State(counted, gone, this.doubtful);
  }
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Number of names in a path: a container's follows those of the base and the application entity. */
export function depthOf(path: string): number {
  return path.split('/').length - 1;
}
export const containerDepth = 3;

function isBelow(path: string, above: string): boolean {
  return path.startsWith(`${above}/`);
}

/** What a request may do to a CSE, by the specification. */
export interface Possible {
  readonly state: State;
  /** The requirement that a CSE would break by it. */
  readonly broken?: string | undefined;
}

/**
 * A part of a request that happens at one moment between its call and its answer. What a request changes is one part; each thing that
 * its answer shows is another, since the specification nowhere says that one answer shows everything as of the same moment.
 */
export interface Unit {
  /** Index of the request in its history. */
  readonly call: number;
  readonly from: number;
  readonly to: number;
  /** Whether it may never have happened. */
  readonly optional: boolean;
  /** Whether it changes nothing in any state. */
  readonly readOnly: boolean;
  /** Requirements on its answer. */
  readonly about: readonly string[];
  /** What it may do in a state. */
  readonly possible: (state: State) => readonly Possible[];
}

/** A part of a request, without the request and its time. */
export type StatePart = Pick<Unit, 'about' | 'possible'>;

/** Nothing changes, and this requirement, if any, is broken. */
export function nothingChanges(state: State, broken?: string): Possible[] {
  return [{ state, broken }];
}
