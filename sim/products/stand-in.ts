import type { Row } from '../deviations/language/schema.ts';

/** What a server is called that imitates a product: never by the product's own name alone, nor by a version of it. */
export function standInName(product: string): string {
  return `cselab as ${product}`;
}

/** The mark by which everybody can tell an imitation from the product. It comes last, around everything else. */
export function standIn(product: string): Row {
  const Server = standInName(product);
  return {
    id: 'answer.stand-in',
    says: `Each answer says in the header Server that it is "${Server}", and not the product.`,
    does: { headers: { Server } },
  };
}
