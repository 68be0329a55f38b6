/** Deployed products as data: settings of the reference CSE, and deviations observed in the product. */
import type { CseOptions } from '../cse/create-cse.ts';
import type { DeviationRow } from '../deviations/language/schema.ts';

export interface Product {
  /** As on the command line: `acme`, or the path of a file. */
  readonly name: string;
  /** The product's own name: `ACME`. */
  readonly imitates: string;
  readonly version?: string | undefined;
  /** The release in requests to it, in the onem2m dialect. */
  readonly release?: string | undefined;
  readonly settings: CseOptions;
  /** Deviations of its own, beside the written ones. */
  readonly rows: readonly DeviationRow[];
  /** Ids of deviations, in wrapping order, by the requirement that the product violates. */
  readonly deviations: ReadonlyMap<string, string>;
  /** Requirements that the product violates and the imitation does not. */
  readonly notImitated: readonly string[];
  /** Requirements that the imitation violates and the product does not. */
  readonly beyond: readonly string[];
  /** Differences that violate nothing. */
  readonly ways: readonly DeviationRow[];
  /** Rules for connections, each as for `cselab up --break`: above all, what kills it. */
  readonly disturbance: readonly string[];
}

/** How many of a product's violations its imitation shares. */
export interface Faithfulness {
  readonly violated: number;
  readonly inCommon: number;
  readonly beyond: number;
}

export function faithfulnessOf({ deviations, notImitated, beyond }: Product): Faithfulness {
  return { violated: deviations.size + notImitated.length, inCommon: deviations.size, beyond: beyond.length };
}

/** Options of a CSE that imitates the product. */
export function imitating({ name, settings, rows, deviations, ways }: Product): CseOptions {
  const chosen = [...new Set(deviations.values())].map((id) => rows.find((row) => row.id === id) ?? id);
  return { ...settings, deviations: [...chosen, ...ways, standIn(name)] };
}

/** The name of a server that imitates a product: never the product's own name alone, nor a version of it. */
export function standInName(product: string): string {
  return `cselab as ${product}`;
}

/** Marks an imitation, to distinguish it from the product. Outermost, around everything else. */
function standIn(product: string): DeviationRow {
  const Server = standInName(product);
  return {
    id: 'answer.stand-in',
    says: `Each answer has "${Server}" in the header Server, to tell it from the product.`,
    does: { headers: { Server } },
  };
}
