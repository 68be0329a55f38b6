/** What is to be created, where, and with which attributes. */

import { addressOf, originatorOf, referenceTo, type StandardForm } from '../../model/address.ts';
import { contentAt } from '../../model/contents.ts';
import { inboxNames } from '../../model/events.ts';
import { colorDefinition, isDoubtful, type ModelKind, type ModelResource } from '../../model/resource.ts';
import { type Ground, labelAt, pick } from '../../moves/move.ts';
import { namesToChoose } from '../../operations/operation.ts';
import type { StandardDoing } from '../operations/operation.ts';

type Creation = StandardDoing<'create'>;

export interface Plan {
  readonly kind: ModelKind;
  readonly parent: ModelResource | undefined;
  /** Undefined where the CSE is to make one up. */
  readonly name: string | undefined;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly owner: string;
  readonly form: StandardForm;
  readonly rcn: Creation['rcn'];
}

/** Undefined where nothing of that kind can be created. */
export function planOf(operation: Creation, ground: Ground): Plan | undefined {
  const { model } = ground;
  const { kind, parent } = placeOf(operation, ground);
  const owner = parent === undefined ? nextAsker(ground) : parent.owner;
  if (owner === undefined || (parent !== undefined && !parent.known)) return undefined;
  const isNameless = operation.name >= namesToChoose && kind !== 'ae';
  const name = isNameless ? undefined : model.freeName(parent, operation.name % namesToChoose);
  const own = ownAttributes[kind](operation, owner, ground);
  if (own === undefined) return undefined;
  const sent = {
    ...(name !== undefined && { rn: name }),
    ...own,
    ...sharedOf(kind, operation, ground),
    ...(parent === undefined && ground.atBase()),
  };
  const isAddressed = parent !== undefined && addressOf(parent, operation.form, model) !== undefined;
  // A name that the CSE makes up is told by the attributes.
  const rcn = kind === 'ae' || (name === undefined && operation.rcn !== 1) ? null : operation.rcn;
  return { kind, parent, name, sent, owner, form: isAddressed ? operation.form : 'structured', rcn };
}

/** Attributes that many kinds have. */
function sharedOf(kind: ModelKind, { labels, creator }: Creation, ground: Ground): Record<string, unknown> {
  return {
    ...(labels.length > 0 && { lbl: labels.map((label) => labelAt(label, ground)) }),
    ...(creator && (kind === 'container' || kind === 'content instance') && { cr: null }),
  };
}

/** Who has not registered yet; each registers once. */
function nextAsker({ model, anyOriginator }: Ground): string | undefined {
  const registered = new Set(model.all('ae').map(({ owner }) => owner));
  if (!registered.has('first')) return 'first';
  return anyOriginator && !registered.has('second') ? 'second' : undefined;
}

/** Where nothing can hold it yet, what could hold it is created instead. */
function placeOf({ kind, below }: Pick<Creation, 'kind' | 'below'>, ground: Ground): Pick<Plan, 'kind' | 'parent'> {
  if (kind === 'ae') return { kind, parent: undefined };
  const holders = ground.model.holdersOf(kind);
  if (holders.length > 0) return { kind, parent: holders[below % holders.length] };
  return placeOf({ kind: kind === 'content instance' ? 'container' : 'ae', below }, ground);
}

type OwnAttributes = (
  operation: Creation,
  owner: string,
  ground: Ground,
) => Readonly<Record<string, unknown>> | undefined;

/** Attributes of each kind; undefined where it lacks what it is about. */
const ownAttributes: Readonly<Record<ModelKind, OwnAttributes>> = {
  ae: ({ content }, _, { release }) => ({
    ...{ api: 'Ncselab', rr: true },
    ...(content % 2 === 1 && { apn: 'app' }),
    ...(!/^(1|2|2a)$/.test(release) && { srv: ['3'] }),
  }),
  // No age where nobody can tell how much time passes between two requests.
  container: (operation, owner, ground) => ({
    ...(operation.limit.mia !== undefined && !ground.standing ? {} : operation.limit),
    ...guardOf(operation, owner, ground),
  }),
  'content instance': ({ content }) => contentAt(content),
  // The places of the inboxes stand in it until it is sent.
  subscription: ({ events, both }) => ({
    nu: (both ? inboxNames : inboxNames.slice(0, 1)).map((name) => `inbox:/${name}`),
    ...(events.length > 0 && { enc: { net: [...events].sort() } }),
  }),
  // Of the containers below the same application entity, three at the most.
  group: (_, owner, { model }) => {
    const members = openContainers(model).filter((one) => one.owner === owner);
    const named = members.slice(-3).map((one) => referenceTo(one, model));
    return named.length === 0 ? undefined : { mt: 3, mnm: 5, mid: named };
  },
  'access control policy': ({ rights }, owner, { model }) => {
    const all = { acor: [originatorOf(owner, model)], acop: 63 };
    const other = { acor: [originatorOf(owner === 'first' ? 'second' : 'first', model)], acop: rights };
    return { pv: { acr: rights === 0 ? [all] : [all, other] }, pvs: { acr: [all] } };
  },
  'flex container': () => ({ cnd: colorDefinition, red: 10, green: 20, blue: 30 }),
};

/** What can be a member of a group: containers that are certainly there, and that no policy guards. */
export function openContainers(model: Ground['model']): ModelResource[] {
  return model.all('container').filter((one) => one.held.acpi === undefined && one.known && !isDoubtful(one));
}

/** A policy below the same application entity, where there is one. */
function guardOf({ guard }: Creation, owner: string, { model, guards }: Ground): Record<string, unknown> {
  const policies = model.all('access control policy').filter((one) => one.owner === owner);
  const chosen = guard === null || !guards ? undefined : pick(policies, guard);
  return chosen?.shown.ri === undefined ? {} : { acpi: [chosen.shown.ri] };
}
