/** What is to be created, where, and with which attributes. */
import { addressFor, originatorOf, referenceTo } from '../created/address.ts';
import { color, contentAt, type GeneratedResource, type GeneratedType } from '../created/resource.ts';
import { type Limit, namesToChoose } from './arbitraries.ts';
import { inboxNames, labelAt, pick } from './move.ts';
import type { Creation, MoveContext } from './move-context.ts';

/** One creation, before it is sent. */
export interface PlannedCreation {
  readonly operation: Creation;
  readonly type: GeneratedType;
  /** Undefined is the CSE base. */
  readonly parent: GeneratedResource | undefined;
  /** Undefined: the CSE chooses one. */
  readonly name: string | undefined;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly owner: string;
  readonly path: string;
  readonly form: string;
  readonly rcn: Creation['rcn'];
}

/** Undefined is the CSE base; null: no possible parent. */
export function parentOf({ kind, below }: Creation, { created, traits }: MoveContext) {
  if (kind === 'ae') return undefined;
  const holders = created.parentsFor(kind);
  const count = holders.length + (traits.baseTypes.includes(kind) ? 1 : 0);
  return holders.length === 0 ? null : holders[below % count];
}

/** Undefined if it may not be created there, or lacks what it refers to. */
export function planOf(
  operation: Creation,
  parent: GeneratedResource | undefined,
  context: MoveContext,
): PlannedCreation | undefined {
  const { created, traits } = context;
  const { kind: type } = operation;
  const owner = traits.ownerOf(operation, parent, context);
  const own = owner === undefined ? undefined : ownAttributes[type](operation, owner, context);
  if (owner === undefined || own === undefined) return undefined;
  // Directly below the CSE base it could not be told from resources of others.
  const isNameless = operation.name >= namesToChoose && parent !== undefined;
  const name = isNameless ? undefined : created.freeName(parent, operation.name % namesToChoose);
  const sent = {
    ...(name !== undefined && { rn: name }),
    ...own,
    ...sharedOf(operation, context),
    ...(parent === undefined && context.atBase()),
  };
  const form = traits.formOf(operation, parent);
  // The attributes show a name that the CSE chose.
  const rcn = type === 'ae' || (name === undefined && operation.rcn !== 1) ? null : operation.rcn;
  const addressed = form === 'root' ? { path: '/', form } : addressFor(parent, form, created);
  return { operation, type, parent, name, sent, owner, rcn, ...addressed };
}

/** Attributes of many types. */
function sharedOf({ kind, labels, creator }: Creation, context: MoveContext): Record<string, unknown> {
  return {
    ...(labels.length > 0 && { lbl: labels.map((label) => labelAt(label, context)) }),
    ...(creator && (kind === 'container' || kind === 'content instance') && { cr: null }),
  };
}

type OwnAttributes = (
  operation: Creation,
  owner: string,
  context: MoveContext,
) => Readonly<Record<string, unknown>> | undefined;

/** Attributes of each type; undefined if it lacks what it refers to. */
const ownAttributes: Readonly<Record<GeneratedType, OwnAttributes>> = {
  ae: ({ content }, _, context) => context.traits.application(content, context),
  container: (operation, owner, context) => ({
    ...limitOf(operation, context),
    ...guardOf(operation, owner, context),
  }),
  'content instance': ({ content }) => contentAt(content),
  // Placeholders for the inboxes, until it is sent.
  subscription: ({ events = [], both = false }) => ({
    nu: (both ? inboxNames : inboxNames.slice(0, 1)).map((name) => `inbox:/${name}`),
    ...(events.length > 0 && { enc: { net: [...events].sort() } }),
  }),
  // Of the containers below the same application entity, three at the most.
  group: (_, owner, { created }) => {
    const members = openContainers(created).filter((one) => one.owner === owner);
    const named = members.slice(-3).map((one) => referenceTo(one, created));
    return named.length === 0 ? undefined : { mt: 3, mnm: 5, mid: named };
  },
  'access control policy': ({ rights = 0 }, owner, { created }) => {
    const all = { acor: [originatorOf(owner, created)], acop: 63 };
    const other = { acor: [originatorOf(owner === 'first' ? 'second' : 'first', created)], acop: rights };
    return { pv: { acr: rights === 0 ? [all] : [all, other] }, pvs: { acr: [all] } };
  },
  'flex container': () => ({ cnd: color.definition, red: 10, green: 20, blue: 30 }),
};

/** Seconds: shorter times between two requests are not certain enough. */
const longAge = 300;

function limitOf({ limit }: Creation, { virtualTime }: MoveContext): Limit {
  return virtualTime || (limit.mia ?? longAge) >= longAge ? limit : {};
}

/** Possible members of a group: containers without a policy. */
export function openContainers(created: MoveContext['created']): GeneratedResource[] {
  return created.all('container').filter((one) => one.attributes.acpi === undefined);
}

/** A policy below the same application entity, if there is one. */
function guardOf({ guard = null }: Creation, owner: string, { created, checksPolicies }: MoveContext): object {
  const policies = created.all('access control policy').filter((one) => one.owner === owner);
  const chosen = guard === null || !checksPolicies ? undefined : pick(policies, guard);
  return chosen?.assigned.ri === undefined ? {} : { acpi: [chosen.assigned.ri] };
}
