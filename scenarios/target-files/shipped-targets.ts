import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { didYouMean, UsageError } from '../engine/basics/diagnostics.ts';
import { type ReadTarget, readTargetFile } from './read-target-file.ts';

/** Where the target files of known products lie. */
export const shippedTargets = fileURLToPath(new URL('../../fixtures/targets', import.meta.url));

/** The products that a target file is shipped for. */
export function shippedProducts(): string[] {
  return readdirSync(shippedTargets)
    .flatMap((name) => (name.endsWith('.yaml') ? [name.slice(0, -'.yaml'.length)] : []))
    .sort();
}

/** What is known of a product beforehand; undefined for one that no target file is shipped for, and for what imitates one. */
export function shippedFor(product: string | undefined): ReadTarget | undefined {
  const named = shippedProducts().find((one) => one === product?.toLowerCase());
  return named === undefined ? undefined : readTargetFile(targetFilePath(named), {});
}

/** The path of a target file: the one that is named, or the shipped one of a product. Throws UsageError where there is none. */
export function targetFilePath(named: string): string {
  const products = shippedProducts();
  if (products.includes(named)) return join(shippedTargets, `${named}.yaml`);
  if (existsSync(named)) return named;
  const known = products.join(', ');
  if (/[./\\]/.test(named)) throw new UsageError(`there is no target file "${named}"`);
  throw new UsageError(`of the products ${known} none is called "${named}"${didYouMean(named, products)}`);
}
