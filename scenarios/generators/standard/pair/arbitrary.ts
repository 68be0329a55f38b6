import fc from 'fast-check';
import { plainRoute, route } from '../../pair/arbitrary.ts';
import type { Route } from '../../pair/route.ts';
import { operation, standardSequencesOf } from '../operations/arbitrary.ts';
import type { StandardOperation } from '../operations/operation.ts';

const routed: fc.Arbitrary<StandardOperation> = fc.tuple(operation, route).map(
  ([one, way]): StandardOperation => (one.does === 'advance time' ? one : { ...one, route: way }),
  (value): [StandardOperation, Route] => {
    const { route: way = plainRoute, ...one } = value as StandardOperation;
    return [one as StandardOperation, way];
  },
);

/** What a sequence of the onem2m dialect does on two CSEs that know each other. */
export const standardPairSequences: fc.Arbitrary<StandardOperation[]> = standardSequencesOf(routed);
