import type { Judge, JudgeOptions } from '../../../oracle/judge.ts';
import type { CheckLevel } from '../../results/result.ts';
import type { Installation, MemberName } from '../../targets/installation.ts';
import type { ReadBack } from './final-reads.ts';
import type { Ask } from './questions.ts';
import type { RefusedRegistration } from './sending.ts';

/** The context of a scenario. */
export interface ScenarioContext {
  readonly installation: Installation;
  readonly run: string;
  readonly levelOf: (requirement: string) => CheckLevel;
  readonly signal: AbortSignal;
  /** Checks every exchange with a CSE. */
  readonly judge?: (names: JudgeOptions['names']) => Judge | undefined;
  /** Why nothing may be sent now. */
  readonly notSent?: () => string | undefined;
  /** Why no AE can register at a CSE with a shared originator. */
  readonly inUse?: ReadonlyMap<MemberName, string>;
  readonly onRefused?: (registration: RefusedRegistration) => void;
  /** Requests sent before under the same names. */
  readonly sent?: number;
  /** Absent where nobody can be asked. */
  readonly ask?: Ask | undefined;
  /** Present where the remaining tree is compared. */
  readonly readBack?: ReadBack | undefined;
}
