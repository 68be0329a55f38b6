/** Deployed products as data: settings of the reference CSE, and the deviations that were seen at the product itself. */
import type { CseOptions } from '../cse/create-cse.ts';
import type { DeviationRow } from '../deviations/language/schema.ts';

export interface Product {
  /** As it is written on the command line: `acme`, or the path of a file. */
  readonly name: string;
  /** What it imitates, as it calls itself: `ACME`. */
  readonly imitates: string;
  readonly version?: string | undefined;
  /** The release that requests to it name, in the onem2m dialect. */
  readonly release?: string | undefined;
  readonly settings: CseOptions;
  /** Deviations of its own, beside the written ones. */
  readonly rows: readonly DeviationRow[];
  /** Ids of deviations in the order in which they are put around the CSE, each by a requirement that the product violates. */
  readonly deviations: ReadonlyMap<string, string>;
  /** What the product violates and the imitation keeps. */
  readonly notImitated: readonly string[];
  /** What the imitation violates and the product keeps. */
  readonly beyond: readonly string[];
  /** What it does otherwise without violating anything. */
  readonly ways: readonly DeviationRow[];
  /** Rules about connections, each as `cselab up --break` takes it: with what it dies, above all. */
  readonly disturbance: readonly string[];
}

/** How much of what a product violates its imitation violates too. */
export interface Faithfulness {
  readonly violated: number;
  readonly inCommon: number;
  readonly beyond: number;
}

export function faithfulnessOf({ deviations, notImitated, beyond }: Product): Faithfulness {
  return { violated: deviations.size + notImitated.length, inCommon: deviations.size, beyond: beyond.length };
}

/** What a CSE is made with that imitates it. */
export function imitating({ name, settings, rows, deviations, ways }: Product): CseOptions {
  const chosen = [...new Set(deviations.values())].map((id) => rows.find((row) => row.id === id) ?? id);
  return { ...settings, deviations: [...chosen, ...ways, standIn(name)] };
}

/** What a server is called that imitates a product: never by the product's own name alone, nor by a version of it. */
export function standInName(product: string): string {
  return `cselab as ${product}`;
}

/** The mark by which everybody can tell an imitation from the product. It comes last, around everything else. */
function standIn(product: string): DeviationRow {
  const Server = standInName(product);
  return {
    id: 'answer.stand-in',
    says: `Each answer says in the header Server that it is "${Server}", and not the product.`,
    does: { headers: { Server } },
  };
}
