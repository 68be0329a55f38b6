import type { Content, DocumentBlock, Medium, Of, Words } from './model.ts';

/** `blocksOf` resolves the blocks of one medium. */
export type VisibleBlock = Exclude<DocumentBlock, Of<'only'>>;

/** A function for each kind of block. */
export type ByKind<More extends readonly unknown[], Result> = {
  readonly [Kind in VisibleBlock['kind']]: (block: Of<Kind>, ...more: More) => Result;
};

export function byKind<More extends readonly unknown[], Result>(
  table: ByKind<More, Result>,
  block: VisibleBlock,
  ...more: More
): Result {
  return (table[block.kind] as (block: VisibleBlock, ...more: More) => Result)(block, ...more);
}

/** Whether all of it is muted. */
export function isMuted(words: Words): boolean {
  if (typeof words === 'string') return false;
  return 'text' in words ? words.as === 'muted' : words.length > 0 && words.every(isMuted);
}

/** The blocks of content for a medium. */
export function blocksOf(content: Content, isVisible: (on: Medium) => boolean): VisibleBlock[] {
  if (content === undefined || content === false || content === '') return [];
  if (typeof content === 'string') return [{ kind: 'prose', words: content }];
  if (!('kind' in content)) return content.flatMap((one) => blocksOf(one, isVisible));
  if (content.kind !== 'only') return [content];
  return isVisible(content.on) ? blocksOf(content.content, isVisible) : [];
}
