/**
 * What a sequence of the onem2m dialect does, as plain data. What an operation speaks of is an index into what exists when it is its
 * turn, counted from the youngest, modulo the number of those: so every part of a sequence is a sequence again.
 */
import type { Route } from '../../pair/route.ts';
import type { StandardForm } from '../model/address.ts';
import type { StandardKind } from '../model/kinds.ts';

export const namesToChoose = 4;

export interface StandardCreate {
  readonly does: 'create';
  /** What is wished for; where nothing can hold it yet, what could hold it is created instead. */
  readonly kind: StandardKind;
  readonly below: number;
  /** From `namesToChoose` on the CSE is to make up a name. */
  readonly name: number;
  readonly form: StandardForm;
  readonly labels: readonly number[];
  readonly content: number;
  /** Of a container. */
  readonly limit: {
    readonly mni?: number | undefined;
    readonly mbs?: number | undefined;
    readonly mia?: number | undefined;
  };
  readonly rcn: 0 | 1 | 2 | 3 | null;
  /** Whether the creator is asked for. */
  readonly creator: boolean;
  /** The policy that guards it, where there is one; null for none. */
  readonly guard: number | null;
  /** Of a subscription: the events, and whether both inboxes are notified. */
  readonly events: readonly number[];
  readonly both: boolean;
  /** Of a policy: what the other application entity may do. */
  readonly rights: number;
}

/** The one thing that is wrong with a request, by which a requirement says how it is refused. */
export const standardMistakes = [
  'name taken',
  'name with a slash',
  'unknown attribute',
  'attribute of the CSE',
  'attribute of another type',
  'limit below zero',
  'creator given',
  'expiration passed',
  'below what cannot hold it',
  'below what is not there',
  'below a content instance',
  'another root',
  'two roots',
  'no content',
  'rcn that it has not',
  'larger than the container',
  'virtual name',
  'read what is not there',
  'read with an rcn that it has not',
  'read in other letters',
  'update what is not there',
  'update an attribute of the CSE',
  'update an attribute that the kind has not',
  'update with another root',
  'update a content instance',
  'update what is virtual',
  'delete what is not there',
  'delete with an rcn that it has not',
  'discover below what is not there',
  'discover by a value that it cannot have',
] as const;
export type StandardMistake = (typeof standardMistakes)[number];

export interface StandardMistaken {
  readonly does: 'wrong';
  readonly mistake: StandardMistake;
  readonly what: number;
}

export const contents = ['default', 1, 4, 5, 6, 8, 'one attribute', 'several attributes', 'one kind'] as const;

export interface StandardRetrieve {
  readonly does: 'retrieve';
  readonly what: number;
  readonly form: StandardForm;
  readonly content: (typeof contents)[number];
}

export interface StandardUpdate {
  readonly does: 'update';
  readonly what: number;
  readonly form: StandardForm;
  /** null takes them away. */
  readonly labels: readonly number[] | null;
  /** Something that only the kind has. */
  readonly own: number | null;
  readonly rcn: 0 | 1 | null;
}

export interface StandardDelete {
  readonly does: 'delete';
  readonly what: number;
  readonly form: StandardForm;
  readonly rcn: 1 | null;
}

export interface StandardVirtual {
  readonly does: 'retrieve la or ol' | 'delete la or ol';
  readonly what: number;
  readonly word: 'la' | 'ol';
  readonly form: 'structured' | 'identifier' | 'SP-relative';
}

export interface StandardDiscover {
  readonly does: 'discover';
  readonly start: number;
  readonly labels: readonly number[];
  readonly kinds: readonly StandardKind[];
  /** Created after or before the resource at this index, or all of them. */
  readonly after: number | 'the past' | 'the future' | null;
  readonly before: number | 'the past' | 'the future' | null;
  readonly size: { readonly least?: number | undefined; readonly below?: number | undefined };
  readonly level: number | null;
  readonly limit: number | null;
  readonly offset: number | null;
  readonly any: boolean;
  readonly identifiers: boolean;
}

export interface StandardFanOut {
  readonly does: 'fan out';
  readonly what: number;
  readonly act: 'retrieve' | 'retrieve la' | 'create' | 'update' | 'delete';
  readonly content: number;
}

export interface StandardAsAnother {
  readonly does: 'ask as another';
  readonly what: number;
  readonly act: 'retrieve' | 'update' | 'delete' | 'create' | 'discover';
  readonly stranger: boolean;
}

export interface StandardAdvance {
  readonly does: 'advance time';
  readonly time: string;
}

export type StandardOperation = (
  | StandardCreate
  | StandardMistaken
  | StandardRetrieve
  | StandardUpdate
  | StandardDelete
  | StandardVirtual
  | StandardDiscover
  | StandardFanOut
  | StandardAsAnother
  | StandardAdvance
) & {
  /** In a pair; its own CSE is asked directly where nothing is said, at the gateway. */
  readonly route?: Route | undefined;
};
