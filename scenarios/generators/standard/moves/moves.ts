import { milliseconds } from '../../../engine/grammar/duration.ts';
import { pathOf, placeOf } from '../../model/address.ts';
import { inboxNames } from '../../model/events.ts';
import { expected } from '../../model/expected.ts';
import { endOf, instancesOf, isDoubtful, type ModelKind, type ModelResource } from '../../model/resource.ts';
import { areaOf, removeEnd } from '../../moves/ends.ts';
import { letTimePass, lose } from '../../moves/looks.ts';
import { ask, type Ground, type Move, type Part, pick, type Watch } from '../../moves/move.ts';
import { mistakes, type Wrong } from '../mistakes.ts';
import { plainCreation, type StandardDoing, type StandardOperation } from '../operations/operation.ts';
import { askAsAnother, askedFor, kindMeant, rightsFor } from './another.ts';
import { remove, update } from './change.ts';
import { create } from './create.ts';
import { openContainers } from './creation-plan.ts';
import { discover } from './discover.ts';
import { fanOut, groupsOf, membersOf } from './fan-out.ts';
import { answered, oneOfCodes, read } from './read.ts';
import { retrieve } from './retrieve.ts';

type Does = StandardOperation['does'];

const moves: { readonly [D in Does]: (operation: StandardDoing<D>, ground: Ground) => Move } = {
  ...{ create, retrieve, update, delete: remove, discover, wrong: wrongly },
  'retrieve la or ol': virtual,
  'delete la or ol': virtual,
  'fan out': fanOut,
  'ask as another': askAsAnother,
  'advance time': ({ time }, ground) => letTimePass(milliseconds(time), ground),
};

/** The requests of an operation. One that has nothing to speak of yet sends none, or creates what it lacks first. */
export function* moveOf(operation: StandardOperation, ground: Ground): Move {
  yield* beforehand(operation, ground);
  const { [operation.does]: move } = moves;
  yield* (move as (operation: StandardOperation, ground: Ground) => Move)(operation, ground);
}

/** More than what any operation lacks; some creations may be refused. */
const most = 8;

/** Creates what an operation speaks of that seldom comes about by itself, so that a sequence of one operation is a whole one. */
function* beforehand(operation: StandardOperation, ground: Ground): Move {
  for (let created = 0; created < most; created += 1) {
    const lacking = lackingOf(operation, ground);
    if (lacking === undefined) return;
    yield* create(lacking, ground);
  }
}

function lackingOf(operation: StandardOperation, ground: Ground): StandardDoing<'create'> | undefined {
  if (operation.does === 'fan out') return groupNeeded(operation, ground);
  return operation.does === 'ask as another' ? guardNeeded(operation, ground) : undefined;
}

/** What has to be created before members of a group can be reached. */
function groupNeeded({ what, act }: StandardDoing<'fan out'>, ground: Ground): StandardDoing<'create'> | undefined {
  const { model } = ground;
  const group = pick(groupsOf(ground), what);
  if (group !== undefined) {
    const empty = membersOf(group, ground)?.find((one) => instancesOf(one).length === 0);
    return act === 'retrieve la' && empty !== undefined ? below(empty, 'content instance', what, ground) : undefined;
  }
  const open = openContainers(model);
  const ae = model.all('ae').find(({ owner }) => owner === open.at(-1)?.owner) ?? model.all('ae')[0];
  const several = open.filter(({ owner }) => owner === ae?.owner).length >= 2;
  return below(ae, several ? 'group' : 'container', what, ground);
}

/** What has to be created before anybody can be kept out: a policy, what it guards, and a content instance in that. */
function guardNeeded(operation: StandardDoing<'ask as another'>, ground: Ground): StandardDoing<'create'> | undefined {
  const { model, guards, anyOriginator } = ground;
  if (!guards || !anyOriginator) return undefined;
  const { what, act } = operation;
  const policy = model.all('access control policy').at(-1);
  const rights = rightsFor(what, act);
  if (policy === undefined) return { ...below(model.all('ae').at(-1), 'access control policy', what, ground), rights };
  const meant = kindMeant(what, act);
  if (askedFor(operation, ground).some(({ kind }) => kind === meant)) return undefined;
  const container = askedFor({ what: 0, act: 'discover' }, ground).findLast(({ known }) => known);
  if (container !== undefined) return below(container, 'content instance', what, ground);
  return { ...below(policy.parent, 'container', what, ground), guard: 0 };
}

function below(
  parent: ModelResource | undefined,
  kind: ModelKind,
  what: number,
  { model }: Ground,
): StandardDoing<'create'> {
  const place = parent === undefined ? -1 : model.holdersOf(kind).indexOf(parent);
  return { ...plainCreation, events: [3], kind, below: Math.max(place, 0), name: what % 4 };
}

/** A request that is wrong in one way, and that a requirement says how to refuse. It changes nothing. */
function* wrongly({ mistake, what }: StandardDoing<'wrong'>, ground: Ground): Move {
  const { model } = ground;
  const { among, step, requirement, codes }: Wrong = mistakes[mistake];
  const resource = pick(
    model.all().filter((one) => one.known && !isDoubtful(one) && among(one)),
    what,
  );
  if (resource === undefined) return;
  const { kind, owner: by, shown } = resource;
  const refused = typeof codes === 'number' ? answered(requirement, codes) : [oneOfCodes(requirement, codes)];
  const request = step(pathOf(resource, model), resource, ground);
  const { outcome } = yield ask(request, `wrong: ${mistake}`, refused, { by, kind });
  if (outcome === 'refused') return;
  // Whatever it did, nothing near it is certain any more.
  lose(resource, ground);
  shown.st = undefined;
}

type Virtual = StandardDoing<'retrieve la or ol' | 'delete la or ol'>;

/** Reads, or deletes, what stands at the newest or the oldest end of a container. */
function* virtual({ does, what, word, form }: Virtual, ground: Ground): Move {
  const containers = ground.model.all('container');
  const filled = containers.filter((one) => instancesOf(one).length > 0);
  const container = pick(what === 0 || filled.length === 0 ? containers : filled, what);
  if (container === undefined || !container.known || isDoubtful(container)) return;
  if (does === 'retrieve la or ol') return yield* readEnd(container, word, form, ground);
  const removed = yield* removeEnd(container, { does, word, form }, ground);
  if (removed === undefined || endOf(container, word) === undefined) return;
  yield* readEnd(container, word, 'structured', ground, `std.${areaOf(word)}.delete.next`);
}

function* readEnd(
  container: ModelResource,
  word: Virtual['word'],
  form: Virtual['form'],
  ground: Ground,
  requirement = `std.${areaOf(word)}.retrieve`,
): Move {
  const meant = endOf(container, word);
  const below = form === 'identifier' ? [expected('std.address.virtual-below-identifier', { rsc: 2000 })] : [];
  const found = { root: 'm2m:cin', attributes: { rn: meant?.name ?? '' } };
  yield ask(
    { retrieve: `${placeOf(container, form, ground.model).path}/${word}` },
    'retrieve la or ol',
    meant === undefined ? answered(`${requirement}.none`, 4004) : [...below, ...answered(requirement, 2000, found)],
    { by: container.owner, kind: 'content instance', form },
  );
}

/** The laws of the whole tree: all that the model holds is there as it holds it, and so is each end of each container. */
export function* look(ground: Ground): Move {
  const { model } = ground;
  for (const resource of model.all()) {
    if (!isDoubtful(resource)) yield* read(resource, ground, 'look at everything');
  }
  for (const container of model.all('container')) {
    if (!container.known || isDoubtful(container) || instancesOf(container).length === 0) continue;
    yield* readEnd(container, 'la', 'structured', ground);
    yield* readEnd(container, 'ol', 'structured', ground);
  }
}

/** Each event that asks for it has been notified once; `all`: and nothing else has, wherever anybody ever subscribed. */
export function* watch({ events }: Ground, all: boolean): Part<void, Watch> {
  const names = all ? events.named() : events.concerned();
  for (const name of inboxNames.filter((one) => names.includes(one)))
    yield { watch: name, expectations: events.take(name) };
}
