import type { Quirk } from './product.ts';

/** The difference that goes before all others where a product is judged by the interface specification. */
export const standardBinding = (notes: string): Quirk => ({
  id: 'binding.standard',
  says: 'A request that lacks what each request of the standard has is refused, and nothing is created at the path /.',
  notes,
  // Nothing else is judged: every other documented requirement takes a registration for granted.
  violates: { documented: ['ae.create.status', 'container.create-at-root.answer', 'discovery.empty.status'] },
});
