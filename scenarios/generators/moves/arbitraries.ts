/**
 * What operations of both dialects are made of: plain data. What an operation speaks of is an index into what exists when it is
 * its turn, counted from the youngest, modulo the number of those: so every part of a sequence is a sequence again.
 */
import fc from 'fast-check';
import type { MemberName } from '../../engine/targets/installation.ts';

export const namesToChoose = 4;

/** What an arbitrary makes. */
export type Generated<A> = A extends fc.Arbitrary<infer One> ? Readonly<One> : never;

/** The way of an operation in a pair. */
export interface HopRoute {
  /** At which CSE stands what it speaks of. */
  readonly at: MemberName;
  /** By which form of path the other CSE is asked for it; null where its own CSE is. */
  readonly through: 'SP-relative' | 'absolute' | null;
}

/** Its own CSE is asked directly where nothing is said, at the gateway. */
export interface Addressing {
  readonly route?: HopRoute | undefined;
}

/** Most content instances, most bytes, or most seconds of their lives. */
export interface Limit {
  readonly mni?: number | undefined;
  readonly mbs?: number | undefined;
  readonly mia?: number | undefined;
}

/** Operations that do this. */
export function doing<const Does extends string, Fields extends object>(
  does: Does,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
): fc.Arbitrary<{ does: Does } & Fields> {
  return fc.record({ does: fc.constant(does), ...fields }) as unknown as fc.Arbitrary<{ does: Does } & Fields>;
}

/** One value so often, and others so often, to which it shrinks. */
export function mostly<const T, U = T>(
  value: T,
  weight: number,
  others: fc.Arbitrary<U>,
  seldom = 1,
): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: seldom, arbitrary: others });
}
