import type { Dialect } from '../../grammar/dialects.ts';
import type { RequestLimits } from '../../messages/target.ts';
import type { DrawnDeviation, Variation, World } from './simulated-deviations.ts';

/** The project's own reference CSE as a target. */
export interface EmbeddedChoice {
  /** `in-process` leaves out the socket. */
  readonly kind: 'embedded' | 'in-process';
  /** Ids of faults of the simulator: what the gateway does wrong on purpose. */
  readonly faults?: readonly string[];
  /** What the gateway does wrong on purpose, as data. */
  readonly deviations?: readonly DrawnDeviation[];
  /** In which ways the gateway answers otherwise that everybody has to take. */
  readonly variations?: readonly Variation[];
  /** Only behind a TLS listener that demands a client certificate, or only as a pair; in every installation when absent. */
  readonly world?: World;
  /** For very many runs: without a wire wherever a scenario does not look at it, and without waiting for what will not come. */
  readonly hasty?: boolean;
}

export interface EmbeddedOptions extends EmbeddedChoice, RequestLimits {
  readonly dialect: Dialect;
}
