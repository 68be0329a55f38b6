/**
 * What a sequence does, as plain data. What an operation speaks of is an index into what exists when it is its turn, counted
 * from the youngest, modulo the number of those: so every part of a sequence is a sequence again.
 */
import type { ModelKind } from '../model/resource.ts';

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
  /** What is wished for; where nothing can hold it yet, what could hold it is created instead. */
  readonly kind: ModelKind;
  readonly below: number;
  /** From `namesToChoose` on the service is to make up a name (of content instances and containers). */
  readonly name: number;
  readonly form: 'structured' | 'structured with a slash at the end' | 'SP-relative' | 'absolute' | 'identifier';
  readonly labels: readonly number[];
  readonly content: number;
  /** Most content instances, or most bytes, of a container. */
  readonly limit: { readonly mni?: number | undefined; readonly mbs?: number | undefined };
  readonly by: Originator;
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
}

export const virtualNames = ['latest', 'la', 'oldest', 'ol'] as const;
export type VirtualName = (typeof virtualNames)[number];

export interface VirtualOperation {
  readonly does: 'retrieve newest or oldest' | 'delete newest or oldest';
  readonly what: number;
  readonly word: VirtualName;
  readonly form: 'structured' | 'SP-relative';
}

export interface DiscoverOperation {
  readonly does: 'discover';
  readonly label: number;
  /** The creation time of the resource at this index; before or after everything. */
  readonly after: number | 'the past' | 'the future' | null;
  /** A kind beside the label. */
  readonly kind: ModelKind | null;
}

export interface AdvanceOperation {
  readonly does: 'advance time';
  readonly time: string;
}

export type Operation =
  | CreateOperation
  | MistakenOperation
  | RetrieveOperation
  | UpdateOperation
  | DeleteOperation
  | VirtualOperation
  | DiscoverOperation
  | AdvanceOperation;
