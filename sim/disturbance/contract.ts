/** How the disturbances of a CSE are controlled, and what they need of the installation. */
import type { DefectName } from '../../certs/pki.ts';
import type { Wire } from '../dialects/http-message.ts';
import type { DisturbanceRule, Duration } from './rule.ts';

/** A rule as data, or as text for `cselab up --break`: `drop POST /onem2m/* share=0.1`. */
export type RuleInput = DisturbanceRule | string;

/** An active rule, with the number of requests that matched, and of those disturbed. */
export interface ActiveRuleState {
  readonly rule: DisturbanceRule;
  readonly requests: number;
  readonly disturbed: number;
}

export interface Disturbances {
  /** The active rules, in order. */
  readonly rules: readonly ActiveRuleState[];
  /** Seed of all random choices; 1 unless set. */
  readonly seed: number;
  /**
   * Replaces the active rules. Exchanges under way keep what was decided for them. Delays add up; of the other
   * effects the first rule decides. Rejects with a DisturbanceRuleError, and changes nothing, for an unusable rule.
   */
  set(rules: readonly RuleInput[], options?: { readonly seed?: number }): Promise<void>;
  /** Appends rules. Rejects as above. */
  add(...rules: readonly RuleInput[]): Promise<void>;
  /** Makes the CSE dead for a while, or until `clear`: it refuses connections, or is silent. Resolves when it is. */
  dead(options?: { readonly for?: Duration; readonly how?: 'refuses' | 'silent' }): Promise<void>;
  /** Removes all rules. Resolves when the CSE listens again, if it did not. */
  clear(): Promise<void>;
}

/** What rules about the whole CSE control in its installation, for each wire. */
export interface ServerControls {
  readonly wire: Wire;
  /** Cuts every connection, and refuses new ones. */
  suspend(): void;
  resume(): Promise<void>;
  /** Sets the defect of the certificate for new connections, none for undefined; absent where it presents no certificate. */
  readonly present?: ((defect: DefectName | undefined) => Promise<void>) | undefined;
}
