/**
 * Parts of the operations of both dialects: plain data. An operation names its resource by an index into what exists at its turn,
 * counted from the youngest, modulo their number: so every part of a sequence is a sequence again.
 */
import fc from 'fast-check';
import type { MemberName } from '../../engine/targets/installation.ts';

export const namesToChoose = 4;

/** The values of an arbitrary. */
export type Generated<A> = A extends fc.Arbitrary<infer One> ? Readonly<One> : never;

/** The route of an operation in a pair. */
export interface HopRoute {
  /** The CSE that holds the resource. */
  readonly at: MemberName;
  /** Form of path for the request to the other CSE; null: to its own CSE. */
  readonly through: 'SP-relative' | 'absolute' | null;
}

/** When absent, directly to the gateway. */
export interface Addressing {
  readonly route?: HopRoute | undefined;
}

/** Maximum of content instances, of their bytes, or of their age in seconds. */
export interface Limit {
  readonly mni?: number | undefined;
  readonly mbs?: number | undefined;
  readonly mia?: number | undefined;
}

/** Operations of this kind. */
export function doing<const Does extends string, Fields extends object>(
  does: Does,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
): fc.Arbitrary<{ does: Does } & Fields> {
  return fc.record({ does: fc.constant(does), ...fields }) as unknown as fc.Arbitrary<{ does: Does } & Fields>;
}

/** One value, to which it shrinks, and others, by weight. */
export function mostly<const T, U = T>(
  value: T,
  weight: number,
  others: fc.Arbitrary<U>,
  seldom = 1,
): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: seldom, arbitrary: others });
}
