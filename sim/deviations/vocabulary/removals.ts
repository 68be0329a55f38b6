import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { Removal } from '../../core/tree.ts';

/** `expired` for what nobody has removed. */
export type End = Removal | 'expired';

/** Hears of each resource that goes: the removed one first, then what was below it. */
export function hearing({ tree, services }: Cse, gone: (resource: Resource, end: End) => void): void {
  const before = tree.onRemoved;
  tree.onRemoved = (resource, how) => {
    before(resource, how);
    const expired = how === 'itself' && resource.expires <= services.ports.clock.now();
    gone(resource, expired ? 'expired' : how);
  };
}
