import { placeOf } from '../model/address.ts';
import { type Expected, expected } from '../model/expected.ts';
import { instancesOf, isDoubtful, kindFacts, type ModelResource } from '../model/resource.ts';
import { lookWhoIsThere, takeShown } from '../moves/looks.ts';
import { type Attributes, ask, type Came, labelAt, type Move, numberIn, pick } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';
import type { StandardDoing } from '../operations/onem2m.ts';
import { answered, inForm } from './read.ts';

export function* update(operation: StandardDoing<'update'>, ground: Ground): Move {
  const updatable = ground.model.all().filter(({ kind }) => kind !== 'content instance');
  const resource = pick(updatable, operation.what);
  if (resource === undefined || isDoubtful(resource)) return;
  const attributes = attributesOf(operation, resource, ground);
  if (Object.keys(attributes).length === 0) return;
  const { kind, owner: by } = resource;
  const { path, form } = placeOf(resource, operation.form, ground.model);
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
function* obeyLimit(container: ModelResource, came: Came, ground: Ground): Move {
  const mni = numberIn(came.view, 'mni') ?? Number(container.held.mni);
  container.shown.mni = mni;
  if (instancesOf(container).length <= mni) return;
  ground.events.lose();
  yield* lookWhoIsThere(container, ground);
  container.counted = 'made room';
}

function attributesOf(
  { labels, own }: StandardDoing<'update'>,
  { held, kind }: ModelResource,
  ground: Ground,
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
export function takeUpdate(resource: ModelResource, attributes: Record<string, unknown>, { events }: Ground): void {
  const { held } = resource;
  const before = JSON.stringify(held);
  Object.assign(held, attributes);
  if (JSON.stringify(held) !== before) events.updated(resource);
  else events.perhapsUpdated(resource);
}
