/** The resource types that sequences create, what the standard's tables say of them, and how a model holds one. */

/** `area`: how the ids of requirements begin that speak of the kind. */
interface KindFacts {
  readonly area: string;
  readonly root: string;
  /** resourceType, TS-0004 6.3.4.2.1. */
  readonly ty: number;
  /** What it may stand below, among these kinds (TS-0001 9.6, tables of child resources); none: directly below the CSE base. */
  readonly holders: readonly ModelKind[];
}

/** In the words of the scenario grammar: all of the onem2m dialect. */
export const kinds = [
  'ae',
  'container',
  'content instance',
  'subscription',
  'group',
  'access control policy',
  'flex container',
] as const;
export type ModelKind = (typeof kinds)[number];

/** Those that the interface specification describes. */
export const documentedKinds = ['ae', 'container', 'content instance'] as const;
export type DocumentedKind = (typeof documentedKinds)[number];

export const kindFacts = {
  ae: { area: 'ae', root: 'm2m:ae', ty: 2, holders: [] },
  container: { area: 'container', root: 'm2m:cnt', ty: 3, holders: ['ae', 'container'] },
  'content instance': { area: 'content-instance', root: 'm2m:cin', ty: 4, holders: ['container'] },
  subscription: { area: 'subscription', root: 'm2m:sub', ty: 23, holders: ['ae', 'container', 'group'] },
  group: { area: 'group', root: 'm2m:grp', ty: 9, holders: ['ae'] },
  'access control policy': { area: 'policy', root: 'm2m:acp', ty: 1, holders: ['ae'] },
  'flex container': { area: 'flex-container', root: 'cod:color', ty: 28, holders: ['ae', 'container'] },
} as const satisfies Readonly<Record<ModelKind, KindFacts>>;

/** The definition of flexible containers that sequences create: a colour. */
export const colorDefinition = 'org.onem2m.common.moduleclass.colour';

/** What of a resource is left to the CSE, as its answers showed it last. What never was shown is undefined. */
export interface Shown {
  ri?: string | undefined;
  ct?: string | undefined;
  et?: string | undefined;
  aei?: string | undefined;
  mni?: number | undefined;
  mbs?: number | undefined;
}

/** A resource as the model holds it. */
export interface ModelResource {
  readonly kind: ModelKind;
  /** Path segment. */
  readonly name: string;
  /** Undefined directly below the CSE base. */
  readonly parent: ModelResource | undefined;
  /** From below the CSE base on. */
  readonly names: readonly string[];
  /** The same as a path below the CSE base, without a slash at its beginning. */
  readonly path: string;
  /** In order of creation. */
  readonly children: ModelResource[];
  /** False as soon as it cannot be told any more which children the target holds. */
  known: boolean;
  /** Who created it, or for whom it stands, in the words of the dialect. */
  readonly owner: string;
  /** Attributes as they were given, without a name that the CSE made up, and as updates left them; those that the CSE may set otherwise stand in `shown`. */
  readonly held: Record<string, unknown>;
  readonly shown: Shown;
  /** From when on it may be gone by itself, in milliseconds of the time that was let pass; undefined where it never will. */
  readonly expires?: number | undefined;
  /** Whether it was read by a path that names the CSE, so that such reads can be compared. */
  readBySpRelative?: true;
  /** What the last change of the number of content instances was. */
  counted: 'grown' | 'shrunk' | 'made room';
}

/** The text that describes the content of a content instance, of which the counters count the bytes; empty where it is not known. */
export function contentOf({ held }: ModelResource): string {
  return typeof held.con === 'string' ? held.con : '';
}

/** At the most: who counts the bytes in another way counts fewer. */
export function bytesOf(instances: readonly ModelResource[]): number {
  return instances.reduce((sum, one) => sum + Buffer.byteLength(contentOf(one)), 0);
}

/** Most content instances, and most bytes; no limit where there is none. */
interface Limits {
  readonly mni?: number | undefined;
  readonly mbs?: number | undefined;
}

/** How many of the oldest make room until number and bytes fit (TS-0004 7.4.7.2.1 step 2). */
export function surplusOf(
  instances: readonly ModelResource[],
  { mni = Number.POSITIVE_INFINITY, mbs = Number.POSITIVE_INFINITY }: Limits,
): number {
  let surplus = 0;
  const isTooMuch = () => instances.length - surplus > mni || bytesOf(instances.slice(surplus)) > mbs;
  while (surplus < instances.length && isTooMuch()) surplus += 1;
  return surplus;
}

/** Undefined where it cannot be told which labels it carries. */
export function labelsOf({ held }: ModelResource): readonly string[] | undefined {
  return held.lbl === 'unknown' ? undefined : Array.isArray(held.lbl) ? held.lbl : [];
}

export function childrenOf({ children }: Pick<ModelResource, 'children'>, kind: ModelKind): ModelResource[] {
  return children.filter((one) => one.kind === kind);
}

export function instancesOf(container: Pick<ModelResource, 'children'>): ModelResource[] {
  return childrenOf(container, 'content instance');
}

/** What stands at the newest or the oldest end of a container, by its virtual name. */
export function endOf(container: ModelResource, word: string): ModelResource | undefined {
  return instancesOf(container).at(word.startsWith('la') ? -1 : 0);
}

/** Everything below it, in no certain order. */
export function descendantsOf({ children }: ModelResource): ModelResource[] {
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Whether it cannot be told that it is still there: something above may have lost it. */
export function isDoubtful({ parent }: ModelResource): boolean {
  return parent !== undefined && (!parent.known || isDoubtful(parent));
}
