import type { Language } from '../language.ts';
import { standardSequences } from './operations/arbitrary.ts';
import type { StandardOperation } from './operations/operation.ts';
import { StandardRun } from './run.ts';

export const onem2m: Language = {
  sequences: standardSequences,
  run: (operations: readonly StandardOperation[], options) => new StandardRun(options).run(operations),
};
