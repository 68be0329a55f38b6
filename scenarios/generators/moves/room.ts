/** What a container may hold at most: a gap, but as long as that is enough nothing has a reason to go. */
import { type Expected, expected, succeeds } from '../model/expected.ts';
import { bytesOf, instancesOf, type ModelResource, surplusOf } from '../model/resource.ts';
import { lookWhoIsThere } from './looks.ts';
import type { Ground, Part } from './move.ts';

const noLimit = Number.POSITIVE_INFINITY;

function limitsOf({ held: { mni = noLimit, mbs = noLimit } }: ModelResource) {
  return { mni: Number(mni), mbs: Number(mbs) };
}

export function limited(container: ModelResource): boolean {
  const { mni, mbs } = limitsOf(container);
  return mni < noLimit || mbs < noLimit;
}

/** The gap that decides where a content instance does not fit into what a container may hold. */
export function roomIn(container: ModelResource, con: unknown): Expected | undefined {
  if (typeof con !== 'string' || !limited(container)) return undefined;
  const { mni, mbs } = limitsOf(container);
  const size = Buffer.byteLength(con);
  if (mni === 0) return expected('retention.mni.zero', { status: { not: succeeds } });
  if (size > mbs) return expected('retention.mbs.too-big', { status: 406 });
  const instances = instancesOf(container);
  if (!container.known || instances.length >= mni) return expected('retention.mni.takes-the-new-one', { status: 201 });
  return bytesOf(instances) + size > mbs ? expected('retention.mbs.takes-the-new-one', { status: 201 }) : undefined;
}

/** Finds out which content instances a container holds, where there are more than it may hold. */
export function* makeRoom(container: ModelResource, ground: Ground): Part<void> {
  const surplus = surplusOf(instancesOf(container), limitsOf(container));
  if (!limited(container) || (container.known && surplus === 0)) return;
  const isKnown = container.known;
  yield* lookWhoIsThere(container, ground, (at) => (isKnown ? [staysOrGoes(container, at < surplus)] : []));
}

function staysOrGoes(container: ModelResource, goes: boolean): Expected {
  if (!goes) return expected('retention.mni.others-stay', { status: 200 });
  const requirement = limitsOf(container).mni < noLimit ? 'retention.mni.oldest-goes' : 'retention.mbs.holds';
  return expected(requirement, { status: 404 });
}
