import type { Language } from '../language.ts';
import { groundAt } from './ground.ts';
import { standardSequences } from './operations/operation.ts';
import { standardPairSequences } from './pair/arbitrary.ts';
import { standardPairPlay } from './pair/play.ts';
import { plainly } from './play.ts';

/** Sequences of the onem2m dialect. */
export const onem2m: Language = {
  dialect: 'onem2m',
  sequences: standardSequences,
  play: (installation, label) => plainly(groundAt('gateway', installation, label)),
};

/** The same on a pair. */
export const onem2mPair: Language = {
  dialect: 'onem2m',
  sequences: standardPairSequences,
  play: (...at) => standardPairPlay({ gateway: groundAt('gateway', ...at), backend: groundAt('backend', ...at) }),
};
