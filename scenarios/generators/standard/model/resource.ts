import type { Standing } from '../../model/tree.ts';
import type { StandardKind } from './kinds.ts';

/** Who asks: two application entities, and somebody who never registers. */
export type Asker = 'first' | 'second' | 'stranger';

/** What of a resource the standard leaves to the CSE, as its answers showed it last. */
export interface Shown {
  ri?: string | undefined;
  ct?: string | undefined;
  et?: string | undefined;
  /** Of a container: its state tag, as it has to be by now; undefined where that cannot be told. */
  st?: number | undefined;
  mni?: number | undefined;
  mbs?: number | undefined;
}

/** A resource as the model holds it. */
export interface StandardResource extends Standing<StandardKind, StandardResource> {
  /** Who created it, or for whom it stands. */
  readonly owner: Asker;
  /** Attributes as they were given and updated; those that the CSE may set otherwise stand in `shown`. */
  readonly held: Record<string, unknown>;
  /** Names of those that updates gave, or took away. */
  readonly updated: Set<string>;
  readonly shown: Shown;
  /** What the last change of the number of content instances was. */
  counted: 'grown' | 'shrunk' | 'made room';
  /** Milliseconds that had passed when it was created. */
  readonly born: number;
}

export function instancesOf({ children }: Pick<StandardResource, 'children'>): StandardResource[] {
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
