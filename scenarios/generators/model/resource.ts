import type { Originator } from '../operations/operation.ts';
import type { Standing } from './tree.ts';

/** The three kinds of resources that the specification describes, in the words of the scenario grammar. */
export const modelKinds = ['ae', 'container', 'content instance'] as const;
export type ModelKind = (typeof modelKinds)[number];

/** How the ids of requirements begin that speak of a kind, its root key and its type number. */
export const kindFacts = {
  ae: { area: 'ae', root: 'm2m:ae', ty: 2 },
  container: { area: 'container', root: 'm2m:cnt', ty: 3 },
  'content instance': { area: 'content-instance', root: 'm2m:cin', ty: 4 },
} as const satisfies Readonly<Record<ModelKind, object>>;

/** What of a resource the specification leaves to the service, as its answers showed it. What never was shown is undefined. */
export interface Shown {
  readonly ri?: string | undefined;
  readonly ct?: string | undefined;
  readonly aei?: string | undefined;
  readonly pi?: string | undefined;
}

/** A resource as the model holds it. */
export interface ModelResource extends Standing<ModelKind, ModelResource> {
  /** As they were sent on creation, without a name that the service made up, and as accepted updates left them. */
  readonly sent: Record<string, unknown>;
  /** As sent with its creation. */
  readonly originator: Originator;
  /** Whether its creation went by a path that names the CSE. */
  readonly spRelative: boolean;
  readonly shown: Shown;
  /** From when on it may be gone by itself, in milliseconds of the time that was let pass; undefined where it never will. */
  readonly expires: number | undefined;
  /** Whether a read of it has shown its identifier. */
  read: boolean;
  /** Whether it was read by a path that names the CSE, so that such reads can be compared. */
  readBySpRelative: boolean;
}

/** Something that was removed. */
export type Removed = Pick<ModelResource, 'kind' | 'name' | 'names' | 'path'>;

/** The text that describes the content of a content instance, of which the counters count the bytes; empty where it is not known. */
export function contentOf({ sent }: ModelResource): string {
  return typeof sent.con === 'string' ? sent.con : '';
}

/** Undefined where it cannot be told which labels it carries. */
export function labelsOf({ sent }: ModelResource): readonly string[] | undefined {
  return sent.lbl === 'unknown' ? undefined : Array.isArray(sent.lbl) ? sent.lbl : [];
}

export function instancesOf({ children }: Pick<ModelResource, 'children'>): ModelResource[] {
  return children.filter(({ kind }) => kind === 'content instance');
}
