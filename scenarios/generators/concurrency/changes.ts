/** What a create, update or delete may do to a state, by its answer. */
import { textIn } from '../moves/move.ts';
import { type Call, requestedIn } from './history.ts';
import { nothingChanges, type Possible, type ResourceState, type State, type StatePart } from './state.ts';

export type RequirementFilter = (requirement: string) => boolean;

/** Undefined if nothing changes. */
export function changeOf(call: Call, isChecked: RequirementFilter): StatePart | undefined {
  const { step } = call;
  if ('delete' in step) return { about: ['ae.delete.status'], possible: (state) => removal(call, state) };
  if ('update' in step) return { about: ['update.container.status'], possible: (state) => update(call, state) };
  if (!('create' in step)) return undefined;
  const type = step.create === 'ae' || step.create === 'container' ? step.create : 'content-instance';
  // The parent of the application entity is not the program's.
  const below = type === 'ae' ? undefined : step.in;
  return {
    about: [`${type}.create.status`],
    possible: (state) => creation({ ...call, type, below }, state, isChecked),
  };
}

interface Creation extends Call {
  readonly type: ResourceState['type'];
  readonly below: string | undefined;
}

function creation(call: Creation, state: State, isChecked: RequirementFilter): readonly Possible[] {
  const { below, path, outcome } = call;
  if ([below, path].some((one) => one !== undefined && state.isDoubtful(one))) return nothingChanges(state);
  const hindrance = hindranceOf(call, state);
  if (hindrance !== undefined) {
    if (outcome !== 'success') return nothingChanges(state);
    return [{ state: state.doubting(below ?? path ?? ''), broken: hindrance }];
  }
  return doneOrNot(outcome, state, afterCreation(call, state, isChecked), demandOf(call, state));
}

/** The requirement that demands a refusal; undefined for a valid creation. */
function hindranceOf(call: Creation, state: State): string | undefined {
  const { path, below, type } = call;
  if (below !== undefined && state.at(below) === undefined) return `${type}.create.unknown-parent`;
  const other = path === undefined ? undefined : state.at(path);
  if (other === undefined) return undefined;
  if (requestedIn(call).rn !== undefined) return `${type}.create.name-clash`;
  return other.ri !== undefined && other.ri === textIn(call.view, 'ri')
    ? 'common.ri.distinct'
    : 'content-instance.rn.assigned-differs';
}

/** The requirement that demands this creation. */
function demandOf(call: Creation, state: State): string {
  const { path, below, type } = call;
  const { rn, lbl, mni } = requestedIn(call);
  if (path !== undefined && state.gone.has(path)) return 'lifecycle.name-free-again';
  if (type === 'container') {
    if (rn === undefined) return 'container.create.without-rn';
    if (lbl !== undefined) return 'labels.container';
    if (mni !== undefined) return 'retention.mni.accepted';
  }
  const full = below !== undefined && fullIn(state, below, 1);
  return full ? 'retention.mni.takes-the-new-one' : `${type}.create.status`;
}

function afterCreation(call: Creation, state: State, isChecked: RequirementFilter): Possible {
  const { path, below } = call;
  if (path === undefined) return { state: state.doubting(below ?? '') };
  const one = resourceStateOf(call, path);
  const shared = one.ri !== undefined && state.resources.some(({ ri }) => ri === one.ri);
  const added = state.with(one);
  return { state: evictOldest(added, below, isChecked), broken: shared ? 'common.ri.distinct' : undefined };
}

function resourceStateOf(call: Creation, path: string): ResourceState {
  const { con = '', lbl: labels = [], mni } = requestedIn(call);
  return { path, type: call.type, ri: textIn(call.view, 'ri'), bytes: con.length, labels, mni, changes: 0 };
}

/** Evicts the oldest if that is checked; otherwise nobody knows which content instances remain. */
function evictOldest(state: State, container: string | undefined, isChecked: RequirementFilter): State {
  if (container === undefined || !fullIn(state, container, 0)) return state;
  const [oldest] = state.instancesOf(container);
  if (!isChecked('retention.mni.oldest-goes') || oldest === undefined) return state.doubting(container);
  const because = 'retention.mni.oldest-goes';
  return evictOldest(state.without(oldest.path, { itself: because, below: because }), container, isChecked);
}

/** Whether a container exceeds its limit with so many more. */
function fullIn(state: State, container: string, more: number): boolean {
  const { mni = Number.POSITIVE_INFINITY } = state.at(container) ?? {};
  return state.instancesOf(container).length + more > mni;
}

function removal({ path = '', outcome }: Call, state: State): readonly Possible[] {
  if (state.isDoubtful(path)) return nothingChanges(state);
  const one = state.at(path);
  if (one === undefined) return nothingChanges(state, outcome === 'success' ? 'delete.twice' : undefined);
  const subtree = one.type === 'ae' ? 'ae.delete.subtree' : 'container.delete.subtree';
  const removed = state.without(path, { itself: 'lifecycle.removed-is-gone', below: subtree });
  return doneOrNot(outcome, state, { state: removed }, `${one.type}.delete.status`);
}

function update(call: Call, state: State): readonly Possible[] {
  const { path = '', outcome, view } = call;
  if (state.isDoubtful(path)) return nothingChanges(state);
  const one = state.at(path);
  if (one === undefined) {
    const broken = state.gone.get(path) ?? 'update.unknown-path';
    return nothingChanges(state, outcome === 'success' ? broken : undefined);
  }
  const { lbl = [] } = requestedIn(call);
  const kept = outcome === 'success' && haveSameLabels(labelsIn(view), lbl);
  const changed = state.changed(path, { labels: kept ? lbl : undefined, changes: one.changes + 1 });
  return doneOrNot(outcome, state, { state: changed }, 'update.container.status');
}

/** By the answer; one that leaves the effect open permits both. */
function doneOrNot(outcome: Call['outcome'], state: State, done: Possible, status: string): readonly Possible[] {
  if (outcome === 'success' || outcome === 'unknown') return [done];
  const not = nothingChanges(state, status);
  return outcome === 'failed' ? [...not, { ...done, broken: status }] : not;
}

/** Labels of a representation. */
export function labelsIn({ attributes }: Call['view']): readonly string[] {
  return Array.isArray(attributes?.lbl) ? attributes.lbl.map(String) : [];
}

export function haveSameLabels(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((label) => other.includes(label));
}
