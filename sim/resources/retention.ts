/** Which instances a container or another parent keeps (TS-0004, clause 7.4.7.2.1). */
import { microsecondsPerSecond } from '../core/numbers.ts';
import type { Resource } from '../core/resource.ts';
import type { Services } from '../core/services.ts';
import { CseError } from '../core/status.ts';
import type { Tree } from '../core/tree.ts';

/** Refuses an instance that can never fit; otherwise removes the oldest until it does. */
export function admitInstance(holder: Resource, instance: Resource, { tree, configuration }: Services): void {
  if (!instance.type.isInstance) return;
  evictFor(holder, instance, tree);
  // In the standard, `st` of an instance is that of its container at creation, otherwise a count of its own.
  if (configuration.dialect.name === 'onem2m') instance.stateTag = holder.stateTag + 1;
}

/** Removes the oldest until the new instance fits, and limits its expiration by `mia`. */
export function evictFor(holder: Resource, instance: Resource, tree: Tree): void {
  const bytes = Number(instance.values.cs);
  if (limitOf(holder, 'mni') < 1)
    throw new CseError('NOT_ACCEPTABLE', 'The container accepts no instances: its mni is 0.');
  const mbs = limitOf(holder, 'mbs');
  if (bytes > mbs) {
    throw new CseError('NOT_ACCEPTABLE', `The content has ${bytes} bytes, more than the container's mbs of ${mbs}.`);
  }
  evictOldest(holder, 1, bytes, tree);
  instance.expires = Math.min(instance.expires, latestExpiration(holder, instance));
}

/** After a change of limits: removes what they no longer allow. */
export function enforceLimits(holder: Resource, { tree, ports }: Services): void {
  evictOldest(holder, 0, 0, tree);
  for (const instance of holder.instances ?? []) {
    const latest = latestExpiration(holder, instance);
    if (latest < instance.expires) tree.reschedule(instance, latest);
  }
  tree.expire(ports.clock.now());
}

function evictOldest(holder: Resource, instances: number, bytes: number, tree: Tree): void {
  const mni = limitOf(holder, 'mni');
  const mbs = limitOf(holder, 'mbs');
  const stored = holder.instances;
  while (stored?.first !== undefined && (stored.size + instances > mni || holder.instanceBytes + bytes > mbs)) {
    tree.remove(stored.first, 'to make room');
  }
}

function latestExpiration(holder: Resource, instance: Resource): number {
  return instance.created + limitOf(holder, 'mia') * microsecondsPerSecond;
}

/** The limit of that name; Infinity when there is none. */
function limitOf({ values }: Resource, name: 'mni' | 'mbs' | 'mia'): number {
  const limit = values[name];
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}
