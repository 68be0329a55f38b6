import type { Block, Of } from './model.ts';

/** What is done with a block of each kind, as a table. */
export type ByKind<More extends readonly unknown[], Result> = {
  readonly [Kind in Block['kind']]: (block: Of<Kind>, ...more: More) => Result;
};

export function byKind<More extends readonly unknown[], Result>(
  table: ByKind<More, Result>,
  block: Block,
  ...more: More
): Result {
  return (table[block.kind] as (block: Block, ...more: More) => Result)(block, ...more);
}
