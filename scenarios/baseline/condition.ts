import type { RunResult } from '../engine/result.ts';
import type { Deviation } from './grammar.ts';
import { inRange } from './version-range.ts';

/** What conditions look at. */
export type Circumstances = Pick<RunResult, 'dialect' | 'target'>;

/** Whether an entry is meant for this run. What a target does not tell of itself fulfils no condition. */
export function holdsFor({ when = {} }: Pick<Deviation, 'when'>, { dialect, target }: Circumstances): boolean {
  const { product, version } = when;
  if (when.dialect !== undefined && when.dialect !== dialect) return false;
  if (product !== undefined && product.toLowerCase() !== target.product?.toLowerCase()) return false;
  return version === undefined || (target.version !== undefined && inRange(target.version, version));
}

/** Such as `dialect onem2m, version >=1.2 <2`; empty without a condition. */
export function conditionText({ dialect, product, version }: NonNullable<Deviation['when']> = {}): string {
  const words = [
    product,
    version === undefined ? undefined : `version ${[version].flat().join(' or ')}`,
    dialect === undefined ? undefined : `dialect ${dialect}`,
  ];
  return words.filter((one) => one !== undefined).join(', ');
}
