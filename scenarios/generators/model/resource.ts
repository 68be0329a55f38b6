import type { Originator } from '../operations/operation.ts';

/** The three kinds of resources that the specification describes, in the words of the scenario grammar. */
export const modelKinds = ['ae', 'container', 'content instance'] as const;
export type ModelKind = (typeof modelKinds)[number];

/** What of a resource the specification leaves to the service, as its answers showed it. What never was shown is undefined. */
export interface Shown {
  readonly ri?: string | undefined;
  readonly ct?: string | undefined;
  readonly aei?: string | undefined;
  readonly pi?: string | undefined;
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
  /** As they were sent on creation, without a name that the service made up, and as accepted updates left them. */
  readonly sent: Record<string, unknown>;
  /** As sent with its creation. */
  readonly originator: Originator;
  /** Who counts as its creator is open: its creation went through another CSE, or in the one name that everything goes in. */
  creatorOpen?: true;
  /** Whether its creation went by a path that names the CSE. */
  readonly spRelative: boolean;
  readonly shown: Shown;
  /** From when on it may be gone by itself, in milliseconds of the time that was let pass; undefined where it never will. */
  readonly expires: number | undefined;
  /** In order of creation. */
  readonly children: ModelResource[];
  /** Whether a read of it has shown its identifier. */
  read: boolean;
  /** False as soon as it cannot be told any more which children the target holds. */
  known: boolean;
  /** Whether it was read by a path that names the CSE, so that such reads can be compared. */
  readBySpRelative: boolean;
}

/** Something that was removed. */
export interface Removed {
  readonly kind: ModelKind;
  /** Path segment. */
  readonly name: string;
  /** From below the CSE base on. */
  readonly names: readonly string[];
  readonly path: string;
  readonly labels: readonly string[];
}

/** The text that describes the content of a content instance, of which the counters count the bytes; empty where it is not known. */
export function contentOf({ sent }: ModelResource): string {
  return typeof sent.con === 'string' ? sent.con : '';
}

/** Undefined where it cannot be told which labels it carries. */
export function labelsOf({ sent }: ModelResource): readonly string[] | undefined {
  return sent.lbl === 'unknown' ? undefined : Array.isArray(sent.lbl) ? sent.lbl : [];
}

export function instancesOf({ children }: ModelResource): ModelResource[] {
  return children.filter(({ kind }) => kind === 'content instance');
}
