/** How long a CSE lets a resource live, read from its answers by the CSE's own clock, which may differ from ours. */
import { readTimestamp } from '../dialects/timestamp.ts';
import type { Attributes } from './requests.ts';

export interface Lease {
  /** Microseconds from the answer to the expiration; undefined when the resource never expires. */
  readonly lifetime: number | undefined;
  /** Microseconds that the CSE's clock is ahead of the application's; 0 until the CSE has shown its time. */
  readonly ahead: number;
  /** `lt` as it was shown last, in microseconds since 1970 UTC. */
  readonly modified: number | undefined;
}

/**
 * The lease of a resource that was created or updated just now. Its `lt` is the CSE's time then, unless the CSE leaves `lt`
 * alone when only `et` changes: then the clocks differ as they did in the former lease. The lifetime is never more than was
 * asked for, and what was asked for where the answer shows no `et`. Times are in microseconds.
 */
export function readLease(shown: Attributes, now: number, asked: number | undefined, former?: Partial<Lease>): Lease {
  const [expires, modified] = [timeOf(shown.et), modifiedIn(shown)];
  const isNow = modified !== undefined && modified !== former?.modified;
  const ahead = isNow ? modified - now : (former?.ahead ?? 0);
  const left = expires === undefined ? asked : expires - (now + ahead);
  return {
    lifetime: left === undefined ? undefined : Math.min(asked ?? Number.POSITIVE_INFINITY, left),
    ahead,
    modified: modified ?? former?.modified,
  };
}

/** The time of the last modification, in microseconds since 1970 UTC; undefined when it is not shown. */
export const modifiedIn = ({ lt, ct }: Attributes): number | undefined => timeOf(lt ?? ct);

const timeOf = (value: unknown): number | undefined => readTimestamp(String(value ?? ''));
