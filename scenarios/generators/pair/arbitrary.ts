import fc from 'fast-check';
import type { AnyOperation } from '../language.ts';
import type { Operation } from '../operations/operation.ts';
import { operation } from '../operations/operation.ts';
import { sequencesOf } from '../operations/smaller.ts';
import type { Route } from './route.ts';

/** Shrinks to the gateway, asked directly. */
const route: fc.Arbitrary<Route> = fc.record({
  at: fc.constantFrom('gateway' as const, 'backend' as const),
  through: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: fc.constantFrom('SP-relative' as const, 'absolute' as const) },
  ),
});

const plainRoute: Route = { at: 'gateway', through: null };

/** Operations with a way for each. */
export function routedOf<One extends AnyOperation>(operation: fc.Arbitrary<One>): fc.Arbitrary<One> {
  return fc.tuple(operation, route).map(
    ([one, way]): One => (one.does === 'advance time' ? one : { ...one, route: way }),
    (value): [One, Route] => {
      const { route: way = plainRoute, ...one } = value as AnyOperation;
      return [one as One, way];
    },
  );
}

/** What a sequence does on two CSEs that know each other. */
export const pairSequences: fc.Arbitrary<Operation[]> = sequencesOf(routedOf(operation));
