import fc from 'fast-check';
import { operation, sequencesOf } from '../operations/arbitrary.ts';
import type { Operation } from '../operations/operation.ts';
import type { Route } from './route.ts';

/** Shrinks to the gateway, asked directly. */
export const route: fc.Arbitrary<Route> = fc.record({
  at: fc.constantFrom('gateway' as const, 'backend' as const),
  through: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: fc.constantFrom('SP-relative' as const, 'absolute' as const) },
  ),
});

export const plainRoute: Route = { at: 'gateway', through: null };

const routed: fc.Arbitrary<Operation> = fc.tuple(operation, route).map(
  ([one, way]): Operation => (one.does === 'advance time' ? one : { ...one, route: way }),
  (value): [Operation, Route] => {
    const { route: way = plainRoute, ...one } = value as Operation;
    return [one as Operation, way];
  },
);

/** What a sequence does on two CSEs that know each other. */
export const pairSequences: fc.Arbitrary<Operation[]> = sequencesOf(routed);
