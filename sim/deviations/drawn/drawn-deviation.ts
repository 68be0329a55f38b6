/** Deviations as data: which exchanges are affected, and how. */
import type { Operation } from '../../core/primitive.ts';
import type { Wire } from '../../dialects/http-message.ts';
import type { Variation } from './variation.ts';

export interface DrawnDeviation {
  readonly when: ExchangeFilter;
  /** The operator with its option, then further parameters; attributes have their short names: `{ truncate: 'rn', at: 8 }`. */
  readonly does: Readonly<Record<string, unknown>>;
}

/** One deviation or two together; or variations that every client has to accept. */
export type Drawn = { readonly deviations: readonly DrawnDeviation[] } | { readonly variations: readonly Variation[] };

/** Form of an address: by names, by an identifier alone, or with the CSE or the service provider before it. */
export type DrawnAddressForm = 'names' | 'identifier' | 'SP-relative' | 'absolute';

/** Which exchanges are affected; absent conditions always hold. */
export interface ExchangeFilter {
  readonly operation?: Operation;
  /** Root of the addressed resource, or of the one to be created: `m2m:cnt`. */
  readonly type?: string;
  readonly address?: DrawnAddressForm;
  /** Whether the originator created the addressed resource. */
  readonly by?: 'creator' | 'another';
  /** Of the exchanges that match otherwise: one in so many, or the n-th and all later ones. */
  readonly nth?: { readonly every: number } | { readonly from: number };
  /** Over this wire only. */
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
