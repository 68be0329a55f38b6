/** Ways in which a CSE can deviate, as data: which exchanges are meant, and what becomes of them. */
import type { Operation } from '../../core/primitive.ts';
import type { Wire } from '../../dialects/http-message.ts';
import type { Variation } from './variation.ts';

export interface DrawnDeviation {
  readonly when: ExchangeFilter;
  /** The operator with its option, then what goes with that; attributes are named as they are sent: `{ truncate: 'rn', at: 8 }`. */
  readonly does: Readonly<Record<string, unknown>>;
}

/** One deviation or two together; or what everybody has to take. */
export type Drawn = { readonly deviations: readonly DrawnDeviation[] } | { readonly variations: readonly Variation[] };

/** How a request names the resource: by names, by an identifier alone, or with the CSE or the service provider before it. */
export type DrawnAddressForm = 'names' | 'identifier' | 'SP-relative' | 'absolute';

/** Which exchanges are meant; what is not said is no matter. */
export interface ExchangeFilter {
  readonly operation?: Operation;
  /** Root of what is addressed, or of what is to be created: `m2m:cnt`. */
  readonly type?: string;
  readonly address?: DrawnAddressForm;
  /** Whether the originator is the one who created what is addressed. */
  readonly by?: 'creator' | 'another';
  /** Of those that the rest means: one in so many, or the n-th and all that follow. */
  readonly nth?: { readonly every: number } | { readonly from: number };
  /** Those that come by it. */
  readonly wire?: Wire;
}

/** Such as `m2m:cnt, retrieve by another: drop cni`. */
export function describeDeviation({ when, does }: DrawnDeviation): string {
  const { operation, type = 'any resource', address, by, nth, wire } = when;
  const which = nth === undefined ? '' : 'every' in nth ? `, one in ${nth.every}` : `, from the ${nth.from}. on`;
  const how = address === undefined ? '' : ` by ${address}`;
  const who = by === undefined ? '' : ` by ${by === 'creator' ? 'its creator' : 'another originator'}`;
  const over = wire === undefined ? '' : ` over ${wire}`;
  const what = Object.entries(does).map(([name, value]) => `${name} ${[value].flat().join(' ')}`);
  return `${type}${operation === undefined ? '' : `, ${operation}`}${how}${who}${over}${which}: ${what.join(', ')}`;
}
