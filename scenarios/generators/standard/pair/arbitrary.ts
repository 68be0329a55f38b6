import type fc from 'fast-check';
import { routedOf } from '../../pair/arbitrary.ts';
import type { StandardOperation } from '../operations/operation.ts';
import { operation, standardSequencesOf } from '../operations/operation.ts';

/** What a sequence of the onem2m dialect does on two CSEs that know each other. */
export const standardPairSequences: fc.Arbitrary<StandardOperation[]> = standardSequencesOf(routedOf(operation));
