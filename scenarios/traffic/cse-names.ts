import type { Dialect } from '../engine/grammar/dialects.ts';
import { viewOf } from '../engine/judging/answer.ts';
import { namesUsual } from '../engine/targets/url-choice.ts';
import type { CseNames } from '../safety/address.ts';
import type { Recorded } from './recorded.ts';

/** How a CSE is called: what is said, else what an answer shows of its CSE base, else what is usual. */
export function cseNamesIn(
  recorded: readonly Recorded[],
  dialect: Dialect,
  { base, cseId, spId }: Partial<CseNames>,
): CseNames {
  const usual = namesUsual(dialect);
  const shown = recorded.map(({ exchange }) => viewOf(exchange)).find(({ root }) => root === 'm2m:cb')?.attributes;
  const [rn, csi] = [shown?.rn, shown?.csi];
  return {
    base: base ?? (typeof rn === 'string' ? rn : usual.base),
    cseId: cseId ?? (typeof csi === 'string' ? csi.replace(/^\//, '') : usual.cseId),
    spId: spId ?? usual.spId,
  };
}
