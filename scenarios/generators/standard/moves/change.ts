import { addressOf } from '../../model/address.ts';
import { type Expected, expected } from '../../model/expected.ts';
import { descendantsOf, instancesOf, isDoubtful, kindFacts, type ModelResource } from '../../model/resource.ts';
import { type Attributes, ask, type Came, labelAt, numberIn, pick } from '../../moves/move.ts';
import { isThere, lookWhoIsThere } from '../../moves/read.ts';
import type { StandardDoing } from '../operations/operation.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { answered, inForm, lookForNothing, placeOf, takeShown } from './read.ts';

export function* update(operation: StandardDoing<'update'>, ground: StandardGround): StandardMove {
  const updatable = ground.model.all().filter(({ kind }) => kind !== 'content instance');
  const resource = pick(updatable, operation.what);
  if (resource === undefined || isDoubtful(resource)) return;
  const attributes = attributesOf(operation, resource, ground);
  if (Object.keys(attributes).length === 0) return;
  const { kind, owner: by } = resource;
  const { path, form } = placeOf(resource, operation.form, ground);
  const { rcn } = operation;
  const came = yield ask(
    {
      update: path,
      kind,
      ...(kind === 'flex container' && { root: kindFacts[kind].root }),
      attributes: attributes as Attributes,
      ...(rcn !== null && { query: { rcn } }),
    },
    'update',
    [...inForm(form), ...answerTo(resource, attributes, rcn)],
    { by, expect: 'success', kind, form },
  );
  if (came.outcome === 'lost') ground.events.lose();
  if (came.outcome !== 'success') return;
  takeUpdate(resource, attributes, ground);
  if (rcn === 1) takeShown(resource, came);
  if (kind === 'container' && 'mni' in attributes) yield* obeyLimit(resource, came, ground);
}

/** A lower limit is obeyed now, or with the next content instance. */
function* obeyLimit(container: ModelResource, came: Came, { model, events }: StandardGround): StandardMove {
  const mni = numberIn(came.view, 'mni') ?? Number(container.held.mni);
  container.shown.mni = mni;
  if (instancesOf(container).length <= mni) return;
  events.lose();
  yield* lookWhoIsThere(container, model, () => ({ by: container.owner }));
  container.counted = 'made room';
}

function attributesOf(
  { labels, own }: StandardDoing<'update'>,
  { held, kind }: ModelResource,
  ground: StandardGround,
): Record<string, unknown> {
  const given = labels?.map((label) => labelAt(label, ground)) ?? [];
  const lbl = given.length > 0 ? { lbl: given } : Array.isArray(held.lbl) ? { lbl: null } : {};
  return { ...lbl, ...(own !== null && ownOf(kind, own)) };
}

function ownOf(kind: ModelResource['kind'], own: number): Record<string, unknown> {
  if (kind === 'container') return { mni: own };
  if (kind === 'ae') return { apn: `app${own}` };
  if (kind === 'group') return { gn: `group${own}` };
  return kind === 'flex container' ? { red: own } : {};
}

function answerTo(resource: ModelResource, attributes: Record<string, unknown>, rcn: 0 | 1 | null): Expected[] {
  if (rcn === 0)
    return [...answered('std.update.rcn.0', 2004), expected('std.update.rcn.0', { body: { is: 'absent' } })];
  const [one = '', ...more] = Object.keys(attributes);
  const requirement = more.length > 0 ? 'std.update.several' : requirementOf(resource, one, attributes[one]);
  const { root } = kindFacts[resource.kind];
  return [...answered(requirement, 2004), ...(rcn === 1 ? [expected('std.update.rcn.1', { root })] : [])];
}

/** Which requirement speaks of the answer to an update. */
function requirementOf({ kind, held }: ModelResource, name: string, value: unknown): string {
  if (kind === 'ae') return `std.ae.update.${name}`;
  if (kind === 'flex container' && name === 'red') return 'std.flex-container.update';
  if (name === 'mni' || name === 'gn') return `std.${kindFacts[kind].area}.update.optional`;
  if (value === null) return 'std.update.remove';
  return held[name] === undefined || held[name] === null ? 'std.update.add' : 'std.update.change';
}

/** What an update has changed, what it has added, what it took away. */
export function takeUpdate(
  resource: ModelResource,
  attributes: Record<string, unknown>,
  { events }: StandardGround,
): void {
  const { held, parent, shown } = resource;
  const before = JSON.stringify(held);
  Object.assign(held, attributes);
  for (const name of Object.keys(attributes)) resource.updated.add(name);
  shown.st = undefined;
  // Whether a state tag counts changes of children is a matter of releases.
  if (parent !== undefined) parent.shown.st = undefined;
  if (JSON.stringify(held) !== before) events.updated(resource);
  else events.perhapsUpdated(resource);
}

export function* remove(operation: StandardDoing<'delete'>, ground: StandardGround): StandardMove {
  const resource = pick(ground.model.all(), operation.what);
  if (resource === undefined || isDoubtful(resource)) return;
  const { kind, owner: by, name: rn } = resource;
  const { root, area } = kindFacts[kind];
  const { path, form } = placeOf(resource, operation.form, ground);
  const whole = operation.rcn === 1;
  const { outcome } = yield ask(
    { delete: path, ...(whole && { query: { rcn: 1 } }) },
    'delete',
    [
      ...inForm(form),
      ...answered(kind === 'ae' ? 'std.ae.deregister' : `std.${area}.delete`, 2002),
      whole
        ? expected('std.delete.rcn.1', { root, attributes: { rn } })
        : expected('std.delete.rcn.default', { body: { is: 'absent' } }),
    ],
    { by, expect: 'success', kind, form },
  );
  if (outcome !== 'refused') yield* forget(resource, outcome, ground);
}

/** Takes what was deleted out of the model, after a look at whether it is gone. */
export function* forget(
  resource: ModelResource,
  outcome: Came['outcome'],
  ground: StandardGround,
  requirement = resource.kind === 'ae' ? 'std.ae.deregister.gone' : 'std.delete.gone',
): StandardMove {
  const { model, events } = ground;
  if (outcome === 'lost') {
    events.lose();
    if ((yield* isThere(resource, model, { by: resource.owner })) === 'success') return;
  } else {
    events.deleted(resource);
    yield* lookForNothing(resource, requirement, ground);
    yield* lookBelow(resource, ground);
  }
  if (resource.kind === 'access control policy') unguard(resource, ground);
  model.remove(resource);
}

/** The youngest of the subtree, by its path and by its identifier. */
function* lookBelow(resource: ModelResource, ground: StandardGround): StandardMove {
  const below = descendantsOf(resource).at(-1);
  if (below === undefined) return;
  const requirement = resource.kind === 'ae' ? 'std.ae.deregister.subtree-gone' : 'std.delete.subtree';
  yield* lookForNothing(below, requirement, ground);
  const identifier = addressOf(below, 'identifier', ground.model);
  if (identifier !== undefined) yield* lookForNothing(below, requirement, ground, identifier);
}

/** Whether what refers to a policy still does when that is gone, is left open; so is who may do what. */
function unguard({ shown, owner }: ModelResource, { model }: StandardGround): void {
  for (const one of model.all()) {
    const { acpi } = one.held;
    if (one.owner !== owner || !Array.isArray(acpi) || !acpi.includes(shown.ri)) continue;
    delete one.held.acpi;
    one.shown.st = undefined;
  }
}
