import type { Resource } from '../core/resource.ts';
import { resourceType } from '../core/resource-type.ts';
import { CseError, NOT_ACCEPTABLE } from '../core/status.ts';
import type { Tree } from '../core/tree.ts';
import { common, stateTag } from './common.ts';

const microsecondsPerSecond = 1_000_000;

/** Container (TS-0001, clause 9.6.6). */
export const container = resourceType({
  ty: 3,
  root: 'm2m:cnt',
  prefix: 'cnt',
  longName: 'container',
  children: [3, 4],
  operations: ['retrieve', 'update', 'delete'],
  holdsInstances: true,
  attributes: {
    ...common,
    cr: { type: 'text', create: 'not permitted', update: 'not permitted' },
    cni: { type: 'integer', create: 'not permitted', update: 'not permitted', from: (r) => r.instances?.size ?? 0 },
    cbs: { type: 'integer', create: 'not permitted', update: 'not permitted', from: (r) => r.instanceBytes },
    ...stateTag,
    mni: { type: 'integer', create: 'optional', update: 'optional' },
    mbs: { type: 'integer', create: 'optional', update: 'optional' },
    mia: { type: 'integer', create: 'optional', update: 'optional' },
    or: { type: 'text', create: 'optional', update: 'optional' },
  },
  assign(resource, { originator }) {
    resource.values.cr = originator === undefined || originator === '' ? 'nobody' : originator;
  },
  admit(parent, child, tree) {
    if (child.type.isInstance) admitInstance(parent, child, tree);
  },
  updated(resource, tree) {
    makeRoom(resource, 0, 0, tree);
    for (const instance of resource.instances ?? []) {
      const latest = latestExpiration(resource, instance);
      if (latest < instance.expires) tree.reschedule(instance, latest);
    }
  },
});

/** TS-0004, clause 7.4.7.2.1: an instance that can never fit is refused; otherwise the oldest go until it fits. */
function admitInstance(parent: Resource, instance: Resource, tree: Tree): void {
  const bytes = Number(instance.values.cs);
  if (limitOf(parent, 'mni') < 1) throw new CseError(NOT_ACCEPTABLE, 'The container holds no instances: its mni is 0.');
  const mbs = limitOf(parent, 'mbs');
  if (bytes > mbs) {
    throw new CseError(NOT_ACCEPTABLE, `The content has ${bytes} bytes, more than the container's mbs of ${mbs}.`);
  }
  makeRoom(parent, 1, bytes, tree);
  instance.expires = Math.min(instance.expires, latestExpiration(parent, instance));
}

function makeRoom(parent: Resource, instances: number, bytes: number, tree: Tree): void {
  const mni = limitOf(parent, 'mni');
  const mbs = limitOf(parent, 'mbs');
  const held = parent.instances;
  while (held?.first !== undefined && (held.size + instances > mni || parent.instanceBytes + bytes > mbs)) {
    tree.remove(held.first);
  }
}

function latestExpiration(parent: Resource, instance: Resource): number {
  return instance.created + limitOf(parent, 'mia') * microsecondsPerSecond;
}

/** The container's retention limit of that name; Infinity when it has none. */
function limitOf({ values }: Resource, name: 'mni' | 'mbs' | 'mia'): number {
  const limit = values[name];
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}
