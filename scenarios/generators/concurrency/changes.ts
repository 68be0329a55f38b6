/** What a creation, an update or a removal may do in a state, by what was answered to it. */
import { textIn } from '../moves/move.ts';
import { contents, labelNames } from './action.ts';
import type { Call } from './history.ts';
import { type Held, nothingChanges, type Possible, type State } from './state.ts';

export type Judges = (requirement: string) => boolean;

/** What an action creates, as requirements call it. */
export const kindMadeBy: ReadonlyMap<string, Held['kind']> = new Map([
  ['create application entity', 'ae'],
  ['create container', 'container'],
  ['create content instance', 'content-instance'],
]);

/** Undefined for what changes nothing. */
export function changeOf(call: Call, judges: Judges): ((state: State) => readonly Possible[]) | undefined {
  switch (call.action.does) {
    case 'create application entity':
    case 'create container':
    case 'create content instance':
      return (state) => creation(call, state, judges);
    case 'delete':
      return (state) => removal(call, state);
    case 'update':
      return (state) => update(call, state);
    default:
      return undefined;
  }
}

function creation(call: Call, state: State, judges: Judges): readonly Possible[] {
  const { action, outcome } = call;
  const { below, path } = action;
  if ((below !== undefined && state.isDoubtful(below)) || (path !== undefined && state.isDoubtful(path))) {
    return nothingChanges(state);
  }
  const hindrance = hindranceOf(call, state);
  if (hindrance !== undefined) {
    if (outcome !== 'success') return nothingChanges(state);
    return [{ state: state.doubting(below ?? ''), broken: [hindrance] }];
  }
  const created = createdBy(call, state, judges);
  if (outcome === 'success' || outcome === 'unknown') return [created];
  const broken = [demandOf(call, state)];
  return outcome === 'refused'
    ? nothingChanges(state, ...broken)
    : [...nothingChanges(state, ...broken), { ...created, broken }];
}

/** The requirement by which this creation is to be refused; undefined where nothing stands in its way. */
function hindranceOf(call: Call, state: State): string | undefined {
  const { path, below } = call.action;
  const area = kindOf(call);
  if (below !== undefined && state.at(below) === undefined) {
    return `${area}.create.unknown-parent`;
  }
  const other = path === undefined ? undefined : state.at(path);
  if (other === undefined) return undefined;
  if (isNamed(call)) return `${area}.create.name-clash`;
  return other.ri !== undefined && other.ri === textIn(call.view, 'ri')
    ? 'common.ri.distinct'
    : 'content-instance.rn.assigned-differs';
}

/** The requirement by which this creation is to be done. */
function demandOf(call: Call, state: State): string {
  const { action } = call;
  const area = kindOf(call);
  if (action.path !== undefined && state.gone.has(action.path)) return 'lifecycle.name-free-again';
  if (action.does === 'create container') {
    if (action.name === null) return 'container.create.without-rn';
    if (action.labels.length > 0) return 'labels.container';
    if (action.mni !== null) return 'retention.mni.accepted';
  }
  const full = action.below === undefined ? undefined : fullIn(state, action.below, 1);
  return full ? 'retention.mni.takes-the-new-one' : `${area}.create.status`;
}

function createdBy(call: Call, state: State, judges: Judges): Possible {
  const { path, below } = call.action;
  if (path === undefined) return { state: state.doubting(below ?? ''), broken: [] };
  const one = heldAs(call, path);
  const shared = one.ri !== undefined && state.held.some(({ ri }) => ri === one.ri);
  const added = state.with(one);
  return { state: roomMade(added, below, judges), broken: shared ? ['common.ri.distinct'] : [] };
}

function heldAs(call: Call, path: string): Held {
  const { action } = call;
  const container = action.does === 'create container' ? action : undefined;
  const content = action.does === 'create content instance' ? (contents[action.content] ?? '') : '';
  return {
    path,
    kind: kindOf(call),
    ri: textIn(call.view, 'ri'),
    bytes: content.length,
    labels: (container?.labels ?? []).map((label) => labelNames[label] ?? ''),
    mni: container?.mni ?? undefined,
    changes: 0,
  };
}

/** The oldest makes room where that is judged; else it cannot be told which content instances are left. */
function roomMade(state: State, container: string | undefined, judges: Judges): State {
  if (container === undefined || !fullIn(state, container, 0)) return state;
  const [oldest] = state.instancesOf(container);
  if (!judges('retention.mni.oldest-goes') || oldest === undefined) return state.doubting(container);
  const because = 'retention.mni.oldest-goes';
  return roomMade(state.without(oldest.path, { itself: because, below: because }), container, judges);
}

/** Whether a container holds more than it may, with so many more. */
function fullIn(state: State, container: string, more: number): boolean {
  const { mni = Number.POSITIVE_INFINITY } = state.at(container) ?? {};
  return state.instancesOf(container).length + more > mni;
}

function removal({ action, outcome }: Call, state: State): readonly Possible[] {
  const { path = '' } = action;
  if (state.isDoubtful(path)) return nothingChanges(state);
  const one = state.at(path);
  if (one === undefined) return outcome === 'success' ? nothingChanges(state, 'delete.twice') : nothingChanges(state);
  const area = one.kind;
  const subtree = one.kind === 'ae' ? 'ae.delete.subtree' : 'container.delete.subtree';
  const removed = { state: state.without(path, { itself: 'lifecycle.removed-is-gone', below: subtree }), broken: [] };
  if (outcome === 'success' || outcome === 'unknown') return [removed];
  const broken = [`${area}.delete.status`];
  return [...nothingChanges(state, ...broken), ...(outcome === 'failed' ? [{ ...removed, broken }] : [])];
}

function update(call: Call, state: State): readonly Possible[] {
  const { action, outcome, view } = call;
  const { path = '' } = action;
  if (action.does !== 'update' || state.isDoubtful(path)) return nothingChanges(state);
  const one = state.at(path);
  if (one === undefined) {
    const broken = state.gone.get(path) ?? 'update.unknown-path';
    return outcome === 'success' ? nothingChanges(state, broken) : nothingChanges(state);
  }
  const wanted = action.labels.map((label) => labelNames[label] ?? '');
  const kept = outcome === 'success' && isSame(ownLabels(view.attributes?.lbl), wanted);
  const changed = state.changed(path, { labels: kept ? wanted : undefined, changes: one.changes + 1 });
  if (outcome === 'success' || outcome === 'unknown') return [{ state: changed, broken: [] }];
  const broken = ['update.container.status'];
  return [...nothingChanges(state, ...broken), ...(outcome === 'failed' ? [{ state: changed, broken }] : [])];
}

/** Labels without what makes them those of one program. */
export function ownLabels(shown: unknown): readonly string[] {
  if (!Array.isArray(shown)) return [];
  return shown.map((label) => String(label).slice(String(label).lastIndexOf('-') + 1));
}

export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((label) => other.includes(label));
}

function kindOf({ action: { does } }: Call): Held['kind'] {
  return kindMadeBy.get(does) ?? 'content-instance';
}

function isNamed({ action }: Call): boolean {
  return 'name' in action ? action.name !== null : true;
}
