/** What is to be created, where, and with which attributes. */
import { contentAt } from '../../model/contents.ts';
import { isDoubtful } from '../../model/tree.ts';
import { type InboxName, inboxNames, labelAt, pick } from '../../moves/move.ts';
import { addressOf, referenceTo, type StandardForm } from '../model/address.ts';
import { colorDefinition, type StandardKind } from '../model/kinds.ts';
import { originatorOf } from '../model/originator.ts';
import type { Asker, StandardResource } from '../model/resource.ts';
import { namesToChoose, type StandardDoing } from '../operations/operation.ts';
import type { StandardGround } from './move.ts';

export interface Plan {
  readonly kind: StandardKind;
  readonly parent: StandardResource | undefined;
  /** Undefined where the CSE is to make one up. */
  readonly name: string | undefined;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly owner: Asker;
  readonly form: StandardForm;
  readonly rcn: StandardDoing<'create'>['rcn'];
}

/** Undefined where nothing of that kind can be created. */
export function planOf(operation: StandardDoing<'create'>, ground: StandardGround): Plan | undefined {
  const { model } = ground;
  const { kind, parent } = placeOf(operation, ground);
  const owner = parent === undefined ? nextAsker(ground) : parent.owner;
  if (owner === undefined || (parent !== undefined && !parent.known)) return undefined;
  const name = nameOf(operation, { kind, parent }, ground);
  const own = attributesOf(kind, operation, { parent, owner }, ground);
  if (own === undefined) return undefined;
  const sent = {
    ...(name !== undefined && { rn: name }),
    ...own,
    ...sharedOf(kind, operation, ground),
    ...(parent === undefined && ground.atBase()),
  };
  const form =
    parent === undefined || addressOf(parent, operation.form, model) === undefined ? 'structured' : operation.form;
  // A name that the CSE makes up is told by the attributes.
  const rcn = kind === 'ae' || (name === undefined && operation.rcn !== 1) ? null : operation.rcn;
  return { kind, parent, name, sent, owner, form, rcn };
}

/** Undefined where the CSE is to make one up. */
function nameOf(
  { name }: StandardDoing<'create'>,
  { kind, parent }: Pick<Plan, 'kind' | 'parent'>,
  { model }: StandardGround,
): string | undefined {
  return name >= namesToChoose && kind !== 'ae' ? undefined : model.freeName(parent, name % namesToChoose);
}

/** Attributes that many kinds have. */
function sharedOf(
  kind: StandardKind,
  { labels, creator }: StandardDoing<'create'>,
  ground: StandardGround,
): Record<string, unknown> {
  return {
    ...(labels.length > 0 && { lbl: labels.map((label) => labelAt(label, ground)) }),
    ...(creator && (kind === 'container' || kind === 'content instance') && { cr: null }),
  };
}

/** Who has not registered yet; each registers once. */
function nextAsker({ model, anyOriginator }: StandardGround): Asker | undefined {
  const registered = new Set(model.all('ae').map(({ owner }) => owner));
  if (!registered.has('first')) return 'first';
  return anyOriginator && !registered.has('second') ? 'second' : undefined;
}

/** Where nothing can hold it yet, what could hold it is created instead. */
function placeOf(
  { kind, below }: Pick<StandardDoing<'create'>, 'kind' | 'below'>,
  ground: StandardGround,
): Pick<Plan, 'kind' | 'parent'> {
  if (kind === 'ae') return { kind, parent: undefined };
  const holders = ground.model.holdersOf(kind);
  if (holders.length > 0) return { kind, parent: holders[below % holders.length] };
  return placeOf({ kind: kind === 'content instance' ? 'container' : 'ae', below }, ground);
}

type Place = Pick<Plan, 'parent' | 'owner'>;

/** Undefined where it lacks what it is about. */
function attributesOf(
  kind: StandardKind,
  operation: StandardDoing<'create'>,
  place: Place,
  ground: StandardGround,
): Record<string, unknown> | undefined {
  switch (kind) {
    case 'ae':
      return {
        api: 'Ncselab',
        rr: true,
        ...(operation.content % 2 === 1 && { apn: 'app' }),
        ...(!/^(1|2|2a)$/.test(ground.release) && { srv: ['3'] }),
      };
    case 'container':
      return { ...limitOf(operation, ground), ...guardOf(operation, place, ground) };
    case 'content instance':
      return { ...contentAt(operation.content) };
    case 'subscription':
      return subscription(operation);
    case 'group':
      return group(place, ground);
    case 'access control policy':
      return policy(operation, place, ground);
    case 'flex container':
      return { cnd: colorDefinition, red: 10, green: 20, blue: 30 };
  }
}

/** No age where nobody can tell how much time passes between two requests. */
function limitOf({ limit }: StandardDoing<'create'>, { standing }: StandardGround): StandardDoing<'create'>['limit'] {
  return limit.mia !== undefined && !standing ? {} : limit;
}

/** A policy below the same application entity, where there is one. */
function guardOf(
  { guard }: StandardDoing<'create'>,
  { owner }: Place,
  { model, guards }: StandardGround,
): Record<string, unknown> {
  const policies = model.all('access control policy').filter((one) => one.owner === owner);
  const chosen = guard === null || !guards ? undefined : pick(policies, guard);
  return chosen?.shown.ri === undefined ? {} : { acpi: [chosen.shown.ri] };
}

/** The places of the inboxes stand in it until it is sent. */
function subscription({ events, both }: StandardDoing<'create'>): Record<string, unknown> {
  const inboxes: readonly InboxName[] = both ? inboxNames : inboxNames.slice(0, 1);
  return {
    nu: inboxes.map((name) => `inbox:/${name}`),
    ...(events.length > 0 && { enc: { net: [...events].sort() } }),
  };
}

/** Of the containers below the same application entity, three at the most. */
function group({ owner }: Place, { model }: StandardGround): Record<string, unknown> | undefined {
  const members = model
    .all('container')
    .filter((one) => one.owner === owner && one.held.acpi === undefined && one.known && !isDoubtful(one));
  const named = members.slice(-3).map((one) => referenceTo(one, model));
  return named.length === 0 ? undefined : { mt: 3, mnm: 5, mid: named };
}

function policy(
  { rights }: StandardDoing<'create'>,
  { owner }: Place,
  { model }: StandardGround,
): Record<string, unknown> {
  const { label } = model.names;
  const all = { acor: [originatorOf(owner, label)], acop: 63 };
  const other = { acor: [originatorOf(owner === 'first' ? 'second' : 'first', label)], acop: rights };
  return { pv: { acr: rights === 0 ? [all] : [all, other] }, pvs: { acr: [all] } };
}
