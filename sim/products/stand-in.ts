import { changingAnswers } from '../faults/vocabulary/blocks.ts';
import { labelled } from '../faults/vocabulary/changed-answers.ts';
import type { Quirk } from './product.ts';

/** What a server is called that imitates a product: never by the product's own name alone, nor by a version of it. */
export function standInName(product: string): string {
  return `cselab as ${product}`;
}

/** The mark by which everybody can tell an imitation from the product. It comes last, around all other quirks. */
export function standIn(product: string): Quirk {
  const Server = standInName(product);
  return {
    id: 'answer.stand-in',
    says: `Each answer says in the header Server that it is "${Server}", and not the product.`,
    notes: 'Not of the product: whoever reads a report has to know what was judged.',
    violates: {},
    because: 'HTTP permits it, and no requirement speaks of it.',
    wrap: changingAnswers((answer) => labelled(answer, { Server })),
  };
}
