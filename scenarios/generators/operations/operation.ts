/**
 * What a sequence does, as plain data. What an operation speaks of is an index into what exists when it is its turn, counted
 * from the youngest, modulo the number of those: so every part of a sequence is a sequence again.
 */
import type { ModelKind } from '../model/resource.ts';
import type { Route } from '../pair/route.ts';

/** `nobody` sends no originator. */
export const originators = ['nobody', 'visitor', 'guest'] as const;
export type Originator = (typeof originators)[number];

export const addressForms = [
  'structured',
  'structured with a slash at the end',
  'SP-relative',
  'absolute',
  'identifier',
  'SP-relative identifier',
  'absolute identifier',
] as const;
export type AddressForm = (typeof addressForms)[number];

/** The one thing that is wrong with a creation; each is a gap of the specification, so that any answer is permitted. */
export const mistakes = [
  'name taken',
  'reserved name',
  'unknown attribute',
  'attribute of another type',
  'attribute of the service',
  'without what is needed',
  'below what cannot hold it',
  'below what is not there',
  'two root keys',
] as const;
export type Mistake = (typeof mistakes)[number];

export const namesToChoose = 4;

export interface CreateOperation {
  readonly does: 'create';
  /** Where nothing can hold it yet, what can hold it is created before. */
  readonly kind: ModelKind;
  readonly below: number;
  /** From `namesToChoose` on the service is to make up a name (of content instances and containers). */
  readonly name: number;
  readonly form: 'structured' | 'structured with a slash at the end' | 'SP-relative' | 'absolute' | 'identifier';
  readonly labels: readonly number[];
  readonly content: number;
  /** Most content instances, most bytes, or most seconds of their lives, of a container, or of the one that is created before. */
  readonly limit: {
    readonly mni?: number | undefined;
    readonly mbs?: number | undefined;
    readonly mia?: number | undefined;
  };
  readonly by: Originator;
  /** Of a content instance: the body is base64 text and nothing else. */
  readonly base64: boolean;
  /** How many are created, one after the other, at the same place. */
  readonly times: number;
}

export interface MistakenOperation {
  readonly does: 'create wrongly';
  readonly mistake: Mistake;
  readonly kind: ModelKind;
  readonly below: number;
  readonly content: number;
}

export interface RetrieveOperation {
  readonly does: 'retrieve';
  readonly what: number;
  readonly form: AddressForm;
  readonly by: Originator;
}

export interface UpdateOperation {
  readonly does: 'update';
  readonly what: number;
  readonly labels: readonly number[] | null;
  readonly mni: number | null;
}

export interface DeleteOperation {
  readonly does: 'delete';
  readonly what: number;
  readonly form: 'structured' | 'SP-relative';
  /** By which it is read just before, and looked for just after. */
  readonly seen: AddressForm;
}

export const virtualNames = ['latest', 'la', 'oldest', 'ol'] as const;
export type VirtualName = (typeof virtualNames)[number];

export interface VirtualOperation {
  readonly does: 'retrieve newest or oldest' | 'delete newest or oldest';
  readonly what: number;
  readonly word: VirtualName;
  readonly form: 'structured' | 'SP-relative';
  readonly by: Originator;
  /** How often, one after the other. */
  readonly times: number;
}

export interface DiscoverOperation {
  readonly does: 'discover';
  readonly label: number;
  /** The creation time of the resource at this index; before or after everything. */
  readonly after: number | 'the past' | 'the future' | null;
  /** A kind beside the label. */
  readonly kind: ModelKind | null;
  readonly by: Originator;
}

export interface AdvanceOperation {
  readonly does: 'advance time';
  readonly time: string;
}

export type Operation = (
  | CreateOperation
  | MistakenOperation
  | RetrieveOperation
  | UpdateOperation
  | DeleteOperation
  | VirtualOperation
  | DiscoverOperation
  | AdvanceOperation
) & {
  /** In a pair only. */
  readonly route?: Route;
};
