import type { CseIdentity } from './address.ts';
import type { Dialect } from './dialect.ts';
import type { Limits } from './limits.ts';
import type { ResourceType } from './resource-type.ts';

export interface Clock {
  /** Microseconds since 1970 UTC. */
  now(): number;
}

/** Everything from outside that the core needs. */
export interface Ports {
  readonly clock: Clock;
  /** So many random letters and digits. */
  readonly randomText: (length: number) => string;
}

export interface CseConfiguration extends CseIdentity {
  /** TS-0004 cseTypeID: 1 IN-CSE, 2 MN-CSE, 3 ASN-CSE. */
  readonly cseType: number;
  /** URLs under which the CSE can be reached, shown as `poa` of the CSE base. */
  readonly pointOfAccess: readonly string[];
  readonly limits: Limits;
  readonly kinds: readonly ResourceType[];
  readonly dialect: Dialect;
}
