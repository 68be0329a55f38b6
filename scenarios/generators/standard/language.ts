import type { Language } from '../language.ts';
import { standardSequences } from './operations/arbitrary.ts';
import type { StandardOperation } from './operations/operation.ts';
import { standardPairSequences } from './pair/arbitrary.ts';
import { standardPairPlay } from './pair/play.ts';
import { StandardRun } from './run.ts';

/** Sequences of the onem2m dialect. */
export const onem2m: Language = {
  sequences: standardSequences,
  run: (operations: readonly StandardOperation[], options) => new StandardRun(options).run(operations),
};

/** The same on a pair. */
export const onem2mPair: Language = {
  sequences: standardPairSequences,
  run: (operations: readonly StandardOperation[], options) =>
    new StandardRun(options, standardPairPlay).run(operations),
};
