/** What is known of a product beforehand: its shipped target file. */
import { defined } from '../engine/defined.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import { type ReadTarget, readTargetFile } from '../statement/read-target-file.ts';
import { shippedProducts, targetFilePath } from '../statement/shipped-targets.ts';
import type { Paces } from './target-file-lines.ts';

/** The shipped target file of a product; undefined for one that none is shipped for, and for what imitates one. */
export function shippedFor(product: string | undefined): ReadTarget | undefined {
  const named = shippedProducts().find((one) => one === product?.toLowerCase());
  return named === undefined ? undefined : readTargetFile(targetFilePath(named), {});
}

export interface Told {
  readonly choice: UrlChoice;
  readonly paces?: Paces;
}

/**
 * What the user said, and in place of what he did not what the shipped file says. Which risks a product bears is known of the
 * version that was looked at only.
 */
export function withShipped(
  { choice, paces = {} }: Told,
  shipped: ReadTarget | undefined,
  version: string | undefined,
): Required<Told> {
  if (shipped === undefined) return { choice, paces };
  const { url: _, headers: __, tls: ___, risky, ...usual } = shipped.choice;
  const bears = version !== undefined && version === usual.version;
  return {
    choice: { ...usual, ...(bears && defined({ risky })), ...choice },
    paces: { ...defined({ jobs: shipped.jobs, timeout: shipped.timeout }), ...defined(paces) },
  };
}
