import type { DocumentBlock, Of } from './model.ts';

/** What is done with a block of each kind, as a table. */
export type ByKind<More extends readonly unknown[], Result> = {
  readonly [Kind in DocumentBlock['kind']]: (block: Of<Kind>, ...more: More) => Result;
};

export function byKind<More extends readonly unknown[], Result>(
  table: ByKind<More, Result>,
  block: DocumentBlock,
  ...more: More
): Result {
  return (table[block.kind] as (block: DocumentBlock, ...more: More) => Result)(block, ...more);
}
