/** Requests to all members of a group or by another originator, and the resources that they need first. */
import { pathOf, referenceTo } from '../created/address.ts';
import type { GeneratedResource, GeneratedType } from '../created/resource.ts';
import { contentAt, descendantsOf, instancesOf } from '../created/resource.ts';
import { checkPresence, forget, read, recordCreated } from '../moves/looks.ts';
import { type AttemptStep, ask, labelAt, type Move, pick } from '../moves/move.ts';
import type { MoveContext } from '../moves/move-context.ts';
import { openContainers } from '../moves/plan.ts';
import { plainCreation, type StandardDoing } from '../operations/onem2m.ts';

type FanOut = StandardDoing<'fan out'>;
type AsAnother = StandardDoing<'ask as another'>;

interface Sent {
  readonly lbl: string[];
  /** Attributes of a content instance. */
  readonly instance: Readonly<Partial<Record<'rn' | 'con' | 'cnf', string>>>;
}

/** Steps, by act. */
const steps: Readonly<
  Record<FanOut['act'] | AsAnother['act'], (path: string, type: GeneratedType, sent: Sent) => AttemptStep>
> = {
  retrieve: (retrieve) => ({ retrieve }),
  'retrieve la': (path) => ({ retrieve: `${path}/la` }),
  create: (path, _, { instance }) => ({ create: 'content instance', in: path, attributes: { ...instance } }),
  update: (update, type, { lbl }) => ({ update, kind: type, attributes: { lbl } }),
  delete: (path) => ({ delete: path }),
  discover: (discover) => ({ discover }),
};

/** A request to fopt reaches each member (TS-0004 7.4.14): reads what it did to each. */
export function* fanOut({ what, act, content }: FanOut, context: MoveContext): Move {
  const { created } = context;
  const group = pick(groupsOf(context), what);
  const members = group === undefined ? [] : membersOf(group, context);
  if (group === undefined || isPointless(act, members)) return;
  const { con, cnf } = contentAt(content % 3);
  const lbl = [labelAt(content, context)];
  const step = steps[act](`${pathOf(group, created)}/fopt`, 'container', { lbl, instance: { con, cnf } });
  const response = yield ask(step, `fan out: ${act}`, { by: group.owner, type: 'group' });
  if (response.outcome === 'lost') yield* checkPresence(members, context);
  if (response.outcome !== 'success') return;
  for (const one of members) {
    if (act === 'update') {
      Object.assign(one.attributes, { lbl });
      yield* read(one, context, { operation: 'look at a member' });
    }
    if (act === 'create') yield* createdBelow(one, con, context);
    if (act === 'delete' && created.holds(one)) yield* forget(one, response, context);
  }
}

function isPointless(act: FanOut['act'], members: readonly GeneratedResource[]): boolean {
  if (act === 'retrieve la') return members.some((one) => instancesOf(one).length === 0);
  // A member deleted with another has nothing left to delete.
  return act === 'delete' && members.some((one) => descendantsOf(one).some((below) => members.includes(below)));
}

/** Those that have members. */
function groupsOf(context: MoveContext): GeneratedResource[] {
  return context.created.all('group').filter((group) => membersOf(group, context).length > 0);
}

function membersOf({ attributes: { mid } }: GeneratedResource, { created }: MoveContext): GeneratedResource[] {
  return created.all('container').filter((one) => Array.isArray(mid) && mid.includes(referenceTo(one, created)));
}

/** The CSE chose its name: that of the latest. */
function* createdBelow(parent: GeneratedResource, con: string, context: MoveContext): Move {
  const { owner } = parent;
  const type = 'content instance';
  const step = { retrieve: `${pathOf(parent, context.created)}/la` };
  const response = yield ask(step, 'look at a member', { by: owner, type });
  if (response.outcome === 'success')
    recordCreated({ type, name: undefined, parent, owner, attributes: { con } }, response, context);
}

/** The operations of accessControlOperations (TS-0001 9.6.2.3). */
const bits: Readonly<Record<AsAnother['act'], number>> = { create: 1, retrieve: 2, update: 4, delete: 8, discover: 32 };

/** Another originator accesses a guarded resource, or the policy itself. */
export function* askAsAnother({ what, act, stranger }: AsAnother, context: MoveContext): Move {
  const { created, checksPolicies, anyOriginator } = context;
  const resource = checksPolicies && anyOriginator ? pick(guardedFor({ what, act }, context), what) : undefined;
  if (resource === undefined) return;
  const { type, owner } = resource;
  const by = stranger ? 'stranger' : owner === 'first' ? 'second' : 'first';
  const [name, lbl] = [created.freeName(resource, 0), [labelAt(0, context)]];
  const step = steps[act](pathOf(resource, created), type, { lbl, instance: { rn: name, con: 'a' } });
  const response = yield ask(step, `ask as another: ${act}`, { by, type });
  if (response.outcome !== 'success') return;
  if (act === 'update') Object.assign(resource.attributes, { lbl });
  if (act === 'delete') yield* forget(resource, response, context);
  const made = { type: 'content instance', name, parent: resource, owner, attributes: { con: 'a' } } as const;
  if (act === 'create') recordCreated(made, response, context);
}

/** Guarded resources that this act applies to: of the type that the operation means, if there are any. */
function guardedFor({ what, act }: Pick<AsAnother, 'what' | 'act'>, context: MoveContext) {
  const guarded = context.created.all().filter((one) => isPossible(act, one) && isGuarded(one, context));
  const meant = typeMeant(what, act);
  const chosen = guarded.filter(({ type }) => type === meant);
  return chosen.length > 0 ? chosen : guarded;
}

/** Mostly a container; a content instance has no policy of its own, and a policy guards itself. */
function typeMeant(what: number, act: AsAnother['act']): GeneratedType {
  if (act === 'create' || act === 'discover' || what % 4 < 2) return 'container';
  if (what % 4 === 2 && act !== 'update') return 'content instance';
  return what === 3 ? 'access control policy' : 'container';
}

const everything = 63;

/** Rights of the other application entity: just this one, all others, all or none. */
function rightsFor(what: number, act: AsAnother['act']): number {
  return [everything - bits[act], bits[act], everything, 0][(what >> 1) % 4] ?? 0;
}

function isPossible(act: AsAnother['act'], { type }: GeneratedResource): boolean {
  if (act === 'create' || act === 'discover') return type === 'container';
  return act !== 'update' || type !== 'content instance';
}

/** By its own policy, or for a content instance that of its container (TS-0001 9.6.7). */
function isGuarded({ type, parent, attributes }: GeneratedResource, { created }: MoveContext): boolean {
  if (type === 'access control policy') return true;
  const { acpi } = (type === 'content instance' ? parent?.attributes : attributes) ?? {};
  return Array.isArray(acpi) && created.all('access control policy').some((one) => acpi.includes(one.assigned.ri));
}

/** What has to be created before a group has members. */
export function groupNeeded({ what, act }: FanOut, context: MoveContext): StandardDoing<'create'> | undefined {
  const { created } = context;
  const group = pick(groupsOf(context), what);
  if (group !== undefined) {
    const empty = membersOf(group, context).find((one) => instancesOf(one).length === 0);
    return act === 'retrieve la' && empty !== undefined ? below(empty, 'content instance', what, context) : undefined;
  }
  const open = openContainers(created);
  const ae = created.all('ae').find(({ owner }) => owner === open.at(-1)?.owner) ?? created.all('ae')[0];
  const several = open.filter(({ owner }) => owner === ae?.owner).length >= 2;
  return below(ae, several ? 'group' : 'container', what, context);
}

/** What has to be created before access can be denied: a policy, a container that it guards, an instance in that. */
export function guardNeeded({ what, act }: AsAnother, context: MoveContext): StandardDoing<'create'> | undefined {
  const { created, checksPolicies, anyOriginator } = context;
  if (!checksPolicies || !anyOriginator) return undefined;
  const policy = created.all('access control policy').at(-1);
  const rights = rightsFor(what, act);
  if (policy === undefined)
    return { ...below(created.all('ae').at(-1), 'access control policy', what, context), rights };
  const meant = typeMeant(what, act);
  if (guardedFor({ what, act }, context).some(({ type }) => type === meant)) return undefined;
  const container = guardedFor({ what: 0, act: 'discover' }, context).at(-1);
  if (container !== undefined) return below(container, 'content instance', what, context);
  return { ...below(policy.parent, 'container', what, context), guard: 0 };
}

function below(
  parent: GeneratedResource | undefined,
  type: GeneratedType,
  what: number,
  { created }: MoveContext,
): StandardDoing<'create'> {
  const index = parent === undefined ? -1 : created.parentsFor(type).indexOf(parent);
  return { ...plainCreation, events: [3], kind: type, below: Math.max(index, 0), name: what % 4 };
}
