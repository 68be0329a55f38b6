import type { StandardKind } from './kinds.ts';

/** Who asks: two application entities, and somebody who never registers. */
export const askers = ['first', 'second', 'stranger'] as const;
export type Asker = (typeof askers)[number];

/** What of a resource the standard leaves to the CSE, as its answers showed it last. */
export interface Shown {
  ri?: string | undefined;
  ct?: string | undefined;
  et?: string | undefined;
  /** Of a container: its state tag, and what may have changed it since then. */
  st?: number | undefined;
  mni?: number | undefined;
  mbs?: number | undefined;
}

/** What may have changed a state tag since it was seen: for certain by one each, or perhaps. */
export interface Since {
  instances: number;
  updates: number;
  perhaps: number;
}

/** A resource as the model holds it. */
export interface StandardResource {
  readonly kind: StandardKind;
  /** Path segment. */
  readonly name: string;
  /** Undefined directly below the CSE base. */
  readonly parent: StandardResource | undefined;
  /** From below the CSE base on. */
  readonly names: readonly string[];
  /** The same, escaped for a path, with slashes between them. */
  readonly path: string;
  /** Who created it, or for whom it stands. */
  readonly owner: Asker;
  /** Attributes as they were given and updated; those that the CSE may set otherwise stand in `shown`. */
  readonly held: Record<string, unknown>;
  /** The requirement that an attribute is held by, where it is another than that of its creation. */
  readonly heldBy: Map<string, string>;
  readonly shown: Shown;
  readonly since: Since;
  /** In order of creation. */
  readonly children: StandardResource[];
  /** False as soon as it cannot be told any more which children the target holds. */
  known: boolean;
  /** What the last change of the number of content instances was. */
  counted: 'new' | 'grown' | 'shrunk' | 'made room';
  /** Whether anything may have changed it since its creation. */
  touched: boolean;
  /** Milliseconds that had passed when it was created. */
  readonly born: number;
}

export function instancesOf({ children }: StandardResource): StandardResource[] {
  return children.filter(({ kind }) => kind === 'content instance');
}

export function subscriptionsOf({ children }: StandardResource): StandardResource[] {
  return children.filter(({ kind }) => kind === 'subscription');
}

/** The text of which a container counts the bytes. */
export function contentOf({ held }: StandardResource): string {
  return typeof held.con === 'string' ? held.con : '';
}

export function labelsOf({ held }: StandardResource): readonly string[] {
  return Array.isArray(held.lbl) ? held.lbl : [];
}

/** Everything below it, in no certain order. */
export function descendantsOf(resource: StandardResource): StandardResource[] {
  return resource.children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Whether it cannot be told that it is still there: something above may have lost it. */
export function isDoubtful({ parent }: StandardResource): boolean {
  return parent !== undefined && (!parent.known || isDoubtful(parent));
}
