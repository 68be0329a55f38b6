import { resolve } from '../core/address.ts';
import type { Cse } from '../core/cse.ts';
import type { RequestPrimitive } from '../core/primitive.ts';
import type { Resource } from '../core/resource.ts';
import type { AddressForm, When } from './deviation.ts';

/** A request, and what it leads to before it is served. */
export interface Arrival {
  readonly request: RequestPrimitive;
  readonly core: Cse;
  readonly addressed: Resource | undefined;
}

export function arrivalOf(request: RequestPrimitive, core: Cse): Arrival {
  return { request, core, addressed: addressedBy(request.to, core) };
}

function addressedBy(to: string, { tree, configuration }: Cse): Resource | undefined {
  try {
    return resolve(to, tree, configuration).resource;
  } catch {
    return undefined;
  }
}

/** Whether an exchange is meant, but for which one of those it is. */
export function isMeant(when: When, { request, core, addressed }: Arrival): boolean {
  const { operation, type, address, by } = when;
  if (operation !== undefined && operation !== request.operation) return false;
  if (type !== undefined && type !== typeOf(request, addressed)) return false;
  if (address !== undefined && address !== formOf(request.to, core)) return false;
  return by === undefined || by === (addressed?.creator === request.from ? 'creator' : 'another');
}

/** Of what is to be created, or of what is addressed. */
function typeOf({ operation, content }: RequestPrimitive, addressed: Resource | undefined): string | undefined {
  if (operation !== 'create') return addressed?.type.root;
  return typeof content === 'object' && content !== null ? Object.keys(content)[0] : undefined;
}

function formOf(to: string, { configuration }: Cse): AddressForm {
  if (to.startsWith('//')) return 'absolute';
  if (to.startsWith('/')) return 'SP-relative';
  return to === configuration.base || to.startsWith(`${configuration.base}/`) ? 'names' : 'identifier';
}
