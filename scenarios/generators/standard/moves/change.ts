import { type Expected, expected } from '../../model/expected.ts';
import { descendantsOf, isDoubtful } from '../../model/tree.ts';
import type { Attributes } from '../../moves/move.ts';
import { type Came, labelAt, numberIn, pick } from '../../moves/move.ts';
import { addressOf, formRequirement, pathOf, type StandardForm } from '../model/address.ts';
import { answered, understood } from '../model/answers.ts';
import { kindFacts } from '../model/kinds.ts';
import { instancesOf, type StandardResource } from '../model/resource.ts';
import type { StandardDoing } from '../operations/operation.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { isThere, lookForNothing, lookWhoIsThere, takeShown } from './read.ts';

export function* update(operation: StandardDoing<'update'>, ground: StandardGround): StandardMove {
  const { model } = ground;
  const updatable = model.all().filter(({ kind }) => kind !== 'content instance');
  const resource = pick(updatable, operation.what);
  if (resource === undefined || isDoubtful(resource)) return;
  const attributes = attributesOf(operation, resource, ground);
  if (Object.keys(attributes).length === 0) return;
  const { kind, owner } = resource;
  const address = addressOf(resource, operation.form, model);
  const form = address === undefined ? 'structured' : operation.form;
  const { rcn } = operation;
  const came = yield {
    step: {
      update: address ?? pathOf(resource, model),
      kind,
      ...(kind === 'flex container' && { root: kindFacts[kind].root }),
      attributes: attributes as Attributes,
      ...(rcn !== null && { query: { rcn } }),
    },
    by: owner,
    expect: 'success',
    expectations: expectationsOf(resource, attributes, { form, rcn }),
    about: { operation: 'update', kind, form },
  };
  if (came.outcome === 'lost') ground.events.lose();
  if (came.outcome !== 'success') return;
  takeUpdate(resource, attributes, ground);
  if (rcn === 1) takeShown(resource, came);
  if (kind === 'container' && 'mni' in attributes) yield* obeyLimit(resource, came, ground);
}

/** A lower limit is obeyed now, or with the next content instance. */
function* obeyLimit(container: StandardResource, came: Came, ground: StandardGround): StandardMove {
  const mni = numberIn(came.view, 'mni') ?? Number(container.held.mni);
  container.shown.mni = mni;
  if (instancesOf(container).length <= mni) return;
  ground.events.lose();
  yield* lookWhoIsThere(container, ground);
}

function attributesOf(
  { labels, own }: StandardDoing<'update'>,
  resource: StandardResource,
  ground: StandardGround,
): Record<string, unknown> {
  const { held, kind } = resource;
  const given = labels?.map((label) => labelAt(label, ground)) ?? [];
  const lbl = given.length > 0 ? { lbl: given } : Array.isArray(held.lbl) ? { lbl: null } : {};
  return { ...lbl, ...(own !== null && ownOf(kind, own)) };
}

function ownOf(kind: StandardResource['kind'], own: number): Record<string, unknown> {
  if (kind === 'container') return { mni: own };
  if (kind === 'ae') return { apn: `app${own}` };
  if (kind === 'group') return { gn: `group${own}` };
  return kind === 'flex container' ? { red: own } : {};
}

interface Manner {
  readonly form: StandardForm;
  readonly rcn: 0 | 1 | null;
}

function expectationsOf(
  resource: StandardResource,
  attributes: Record<string, unknown>,
  { form, rcn }: Manner,
): Expected[] {
  const { kind } = resource;
  const { root } = kindFacts[kind];
  const addressed = form === 'structured' ? [] : [understood(formRequirement[form])];
  if (rcn === 0)
    return [
      ...addressed,
      ...answered('std.update.rcn.0', 2004),
      expected('std.update.rcn.0', { body: { is: 'absent' } }),
    ];
  const names = Object.keys(attributes);
  const named =
    names.length > 1
      ? answered('std.update.several', 2004)
      : names.flatMap((name) => statusOf(resource, name, attributes));
  return [...addressed, ...named, ...(rcn === 1 ? [expected('std.update.rcn.1', { root })] : [])];
}

/** Which requirement speaks of the answer to an update. */
function requirementOf({ kind, held }: StandardResource, name: string, value: unknown): string {
  if (kind === 'ae') return `std.ae.update.${name}`;
  if (kind === 'flex container' && name === 'red') return 'std.flex-container.update';
  if (name === 'mni' || name === 'gn') return `std.${kindFacts[kind].area}.update.optional`;
  if (value === null) return 'std.update.remove';
  return held[name] === undefined || held[name] === null ? 'std.update.add' : 'std.update.change';
}

function statusOf(resource: StandardResource, name: string, attributes: Record<string, unknown>): Expected[] {
  return answered(requirementOf(resource, name, attributes[name]), 2004);
}

/** What an update has changed, what it has added, what it took away. */
export function takeUpdate(
  resource: StandardResource,
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
  const { model } = ground;
  const resource = pick(model.all(), operation.what);
  if (resource === undefined || isDoubtful(resource)) return;
  const { kind, owner } = resource;
  const { root, area } = kindFacts[kind];
  const address = addressOf(resource, operation.form, model);
  const form = address === undefined ? 'structured' : operation.form;
  const requirement = kind === 'ae' ? 'std.ae.deregister' : `std.${area}.delete`;
  const whole = operation.rcn === 1;
  const { outcome } = yield {
    step: { delete: address ?? pathOf(resource, model), ...(whole && { query: { rcn: 1 } }) },
    by: owner,
    expect: 'success',
    expectations: [
      ...(form === 'structured' ? [] : [understood(formRequirement[form])]),
      ...answered(requirement, 2002),
      whole
        ? expected('std.delete.rcn.1', { root, attributes: { rn: resource.name } })
        : expected('std.delete.rcn.default', { body: { is: 'absent' } }),
    ],
    about: { operation: 'delete', kind, form },
  };
  if (outcome !== 'refused') yield* forget(resource, outcome, ground);
}

/** Takes what was deleted out of the model, after a look at whether it is gone. */
export function* forget(
  resource: StandardResource,
  outcome: Came['outcome'],
  ground: StandardGround,
  requirement = resource.kind === 'ae' ? 'std.ae.deregister.gone' : 'std.delete.gone',
): StandardMove {
  const { model, events } = ground;
  if (outcome === 'lost') {
    events.lose();
    if ((yield* isThere(resource, ground)) === 'success') return;
  } else {
    events.deleted(resource);
    yield* lookForNothing(resource, requirement, ground);
    yield* lookBelow(resource, ground);
  }
  if (resource.kind === 'access control policy') unguard(resource, ground);
  model.remove(resource);
}

/** The youngest of the subtree, by its path and by its identifier. */
function* lookBelow(resource: StandardResource, ground: StandardGround): StandardMove {
  const { model } = ground;
  const below = descendantsOf(resource).at(-1);
  if (below === undefined) return;
  const requirement = resource.kind === 'ae' ? 'std.ae.deregister.subtree-gone' : 'std.delete.subtree';
  yield* lookForNothing(below, requirement, ground);
  const identifier = addressOf(below, 'identifier', model);
  if (identifier !== undefined) yield* lookForNothing(below, requirement, ground, identifier);
}

/** Whether what refers to a policy still does when that is gone, is left open; so is who may do what. */
function unguard({ shown, owner }: StandardResource, { model }: StandardGround): void {
  for (const one of model.all()) {
    const { acpi } = one.held;
    if (one.owner !== owner || !Array.isArray(acpi) || !acpi.includes(shown.ri)) continue;
    delete one.held.acpi;
    one.shown.st = undefined;
  }
}
