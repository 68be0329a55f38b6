/** How the disturbances of a CSE is steered, and what it needs of the installation. */
import type { DefectName } from '../../certs/pki.ts';
import type { Wire } from '../dialects/http-message.ts';
import type { DisturbanceRule, Duration } from './rule.ts';

/** A rule as data, or as the text that `cselab up --break` takes: `drop POST /onem2m/* share=0.1`. */
export type RuleInput = DisturbanceRule | string;

/** A rule that holds, with how many requests it was about, and with how many of them something happened. */
export interface ActiveRuleState {
  readonly rule: DisturbanceRule;
  readonly requests: number;
  readonly disturbed: number;
}

export interface Disturbances {
  /** Those that hold, in their order. */
  readonly rules: readonly ActiveRuleState[];
  /** Seed of everything that is left to chance; 1 unless set. */
  readonly seed: number;
  /**
   * These rules instead of those that held. Exchanges under way keep what was decided for them. Delays add up; of the other
   * effects the first rule decides. Rejects with a DisturbanceRuleError, and changes nothing, for a rule that cannot be used.
   */
  set(rules: readonly RuleInput[], options?: { readonly seed?: number }): Promise<void>;
  /** These rules after those that hold. Rejects as above. */
  add(...rules: readonly RuleInput[]): Promise<void>;
  /** The CSE is dead for a while, or until `clear`: it refuses connections, or is silent. Resolves when it is. */
  dead(options?: { readonly for?: Duration; readonly how?: 'refuses' | 'silent' }): Promise<void>;
  /** Nothing is broken any more. Resolves when the CSE listens again, if it did not. */
  clear(): Promise<void>;
}

/** What rules about the whole CSE change in its installation, for each wire by which it is reached. */
export interface ServerControls {
  readonly wire: Wire;
  /** Cuts every connection, and has further ones refused. */
  suspend(): void;
  resume(): Promise<void>;
  /** The certificate for new connections, the sound one where no kind is named; undefined where it presents none. */
  readonly present?: ((defect: DefectName | undefined) => Promise<void>) | undefined;
}
