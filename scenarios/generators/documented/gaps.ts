/** What of a creation the specification leaves open; so is what a container may hold at most, but as long as that is enough nothing has a reason to go. */
import { type Expected, expected, succeeds } from '../model/expected.ts';
import { bytesOf, instancesOf, kindFacts, type ModelResource, surplusOf } from '../model/resource.ts';
import { lookWhoIsThere } from '../moves/looks.ts';
import type { Part } from '../moves/move.ts';
import type { Ground, Plan } from '../moves/wording.ts';

/** The gap that decides what becomes of this creation; undefined where the specification says that it is done. */
export function openBecause(plan: Plan, ground: Ground): Expected | undefined {
  const { kind, parent, name, sent, owner, form } = plan;
  const again = name !== undefined && ground.model.wasUsed(parent, name);
  if (form === 'root') return again ? nameFree : expected('container.create-at-root.status', { status: 201 });
  const full = parent === undefined ? undefined : roomIn(parent, sent.con);
  if (full !== undefined) return full;
  if (kind === 'ae' && ground.originator !== undefined) return onlyOriginator;
  if (kind === 'ae' && isRegistered(owner, ground)) return sameOriginator(owner);
  if (again) return nameFree;
  const labels = sent.lbl === undefined ? undefined : `labels.${kindFacts[kind].area}`;
  const open = labels ?? placeIsOpen(plan) ?? otherForms.get(form);
  return open === undefined ? undefined : expected(open, { status: 201 });
}

export const nameFree = expected('lifecycle.name-free-again', { status: 201 });

/** Who has one originator only can register one application entity. */
function isRegistered(by: string, { model, anyOriginator }: Ground): boolean {
  return model.all('ae').some((one) => !anyOriginator || (by !== 'nobody' && one.owner === by));
}

/** With one originator for all, whoever was registered with it before the run keeps everybody else out. */
const onlyOriginator = expected('ae.create.same-originator', { status: { 'one of': [201, 409] } });

/** Only an originator that begins with C is an AE identifier by itself. */
function sameOriginator(by: string): Expected {
  return expected('ae.create.same-originator', { status: by === 'visitor' ? { 'one of': [201, 409] } : 409 });
}

/** Whether the kind, its place and its limits are shown by the specification. */
function placeIsOpen({ kind, parent, name, sent, form }: Plan): string | undefined {
  if (kind === 'ae') return form === 'SP-relative' ? 'sp-relative.create.ae' : undefined;
  if (kind === 'content instance') {
    return parent?.parent?.kind !== 'ae' && form !== 'SP-relative' ? 'container.nested.holds-instances' : undefined;
  }
  if (parent === undefined) return 'container.below-cse-base';
  if (parent.kind === 'container') return 'container.nested.create';
  if (name === undefined) return 'container.create.without-rn';
  const limit = ['mni', 'mbs', 'mia'].find((one) => sent[one] !== undefined);
  if (limit !== undefined) return `retention.${limit}.accepted`;
  return form === 'SP-relative' ? 'sp-relative.create.container' : undefined;
}

/** Forms of address that only the standard has. */
const otherForms: ReadonlyMap<string, string> = new Map([
  ['absolute', 'addressing.absolute.create'],
  ['identifier', 'addressing.identifier.create'],
]);

const noLimit = Number.POSITIVE_INFINITY;

function limitsOf({ held: { mni = noLimit, mbs = noLimit } }: ModelResource) {
  return { mni: Number(mni), mbs: Number(mbs) };
}

export function limited(container: ModelResource): boolean {
  const { mni, mbs } = limitsOf(container);
  return mni < noLimit || mbs < noLimit;
}

/** The gap that decides where a content instance does not fit into what a container may hold. */
function roomIn(container: ModelResource, con: unknown): Expected | undefined {
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
