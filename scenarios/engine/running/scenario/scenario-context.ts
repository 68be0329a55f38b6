import type { Judge, JudgeOptions } from '../../../oracle/judge.ts';
import type { CheckLevel } from '../../results/result.ts';
import type { Installation, MemberName } from '../../targets/installation.ts';
import type { ReadBack } from './final-reads.ts';
import type { Ask } from './questions.ts';
import type { RefusedRegistration } from './sending.ts';

/** What a scenario runs in. */
export interface ScenarioContext {
  readonly installation: Installation;
  readonly run: string;
  readonly levelOf: (requirement: string) => CheckLevel;
  readonly signal: AbortSignal;
  /** Judges every exchange with a CSE. */
  readonly judge?: (names: JudgeOptions['names']) => Judge | undefined;
  /** Why nothing is to be sent now. */
  readonly notSent?: () => string | undefined;
  /** Why nothing can be registered at a CSE with an originator that only one can have. */
  readonly inUse?: ReadonlyMap<MemberName, string>;
  readonly onRefused?: (registration: RefusedRegistration) => void;
  /** Requests that were sent under the same names before. */
  readonly sent?: number;
  /** Absent where nobody can be asked. */
  readonly ask?: Ask | undefined;
  /** Where what is left is compared. */
  readonly readBack?: ReadBack | undefined;
}
