/** What of a creation the specification leaves open. */
import { type Expected, expected } from '../model/expected.ts';
import { type DocumentedKind, kindFacts, type ModelResource } from '../model/resource.ts';
import type { Doing } from '../operations/operation.ts';
import type { Ground } from './move.ts';
import { roomIn } from './room.ts';

/** One creation, before it is sent. */
export interface Plan {
  readonly kind: DocumentedKind;
  readonly parent: ModelResource | undefined;
  /** Undefined where the service is to make one up. */
  readonly name: string | undefined;
  readonly held: Readonly<Record<string, unknown>>;
  readonly operation: Doing<'create'>;
  /** That of the operation, unless its parent has no such address. `root`: the path /. */
  readonly form: Doing<'create'>['form'] | 'root';
}

/** The gap that decides what becomes of this creation; undefined where the specification says that it is done. */
export function openBecause(plan: Plan, ground: Ground): Expected | undefined {
  const { kind, parent, name, held, operation, form } = plan;
  const { model } = ground;
  const again = name !== undefined && model.wasUsed(parent, name);
  if (form === 'root') return again ? nameFree : expected('container.create-at-root.status', { status: 201 });
  const full = parent === undefined ? undefined : roomIn(parent, held.con);
  if (full !== undefined) return full;
  if (kind === 'ae' && ground.originator !== undefined) return onlyOriginator;
  if (kind === 'ae' && isRegistered(operation.by, ground)) return sameOriginator(operation.by);
  if (again) return nameFree;
  const open =
    (held.lbl === undefined ? undefined : `labels.${kindFacts[kind].area}`) ?? placeIsOpen(plan) ?? otherForms[form];
  return open === undefined ? undefined : expected(open, { status: 201 });
}

export const nameFree = expected('lifecycle.name-free-again', { status: 201 });

/** Who has one originator only can register one application entity. */
function isRegistered(by: Doing<'create'>['by'], { model, anyOriginator }: Ground): boolean {
  return model.all('ae').some((one) => !anyOriginator || (by !== 'nobody' && one.owner === by));
}

/** With one originator for all, whoever was registered with it before the run keeps everybody else out. */
const onlyOriginator = expected('ae.create.same-originator', { status: { 'one of': [201, 409] } });

/** Only an originator that begins with C is an AE identifier by itself. */
function sameOriginator(by: Doing<'create'>['by']): Expected {
  return expected('ae.create.same-originator', { status: by === 'visitor' ? { 'one of': [201, 409] } : 409 });
}

/** Whether the kind, its place and its limits are shown by the specification. */
function placeIsOpen({ kind, parent, name, held, form }: Plan): string | undefined {
  if (kind === 'ae') return form === 'SP-relative' ? 'sp-relative.create.ae' : undefined;
  if (kind === 'content instance') {
    return parent?.parent?.kind !== 'ae' && form !== 'SP-relative' ? 'container.nested.holds-instances' : undefined;
  }
  if (parent === undefined) return 'container.below-cse-base';
  if (parent.kind === 'container') return 'container.nested.create';
  if (name === undefined) return 'container.create.without-rn';
  if (held.mni !== undefined) return 'retention.mni.accepted';
  if (held.mbs !== undefined) return 'retention.mbs.accepted';
  if (held.mia !== undefined) return 'retention.mia.accepted';
  return form === 'SP-relative' ? 'sp-relative.create.container' : undefined;
}

/** Forms of address that only the standard has. */
const otherForms: Readonly<Record<string, string>> = {
  absolute: 'addressing.absolute.create',
  identifier: 'addressing.identifier.create',
};
