/** What an answer shows, as parts that are judged each on its own: any moment between call and answer may explain each of them. */
import { textIn } from '../moves/move.ts';
import { labelNames } from './action.ts';
import { changeOf, isSame, type Judges, kindMadeBy, ownLabels } from './changes.ts';
import type { Call, History } from './history.ts';
import { type Held, nothingChanges, parentOf, type State, type Unit } from './state.ts';

/** A requirement that the answer breaks in a state; undefined where the state explains it. */
export interface Sight {
  readonly about: readonly string[];
  readonly breaks: (state: State) => string | undefined;
}

/** `paths`: of all containers that the history names. */
function sightsOf(call: Call, paths: readonly string[], label: string): Sight[] {
  if (call.outcome === 'unknown') return [];
  switch (call.action.does) {
    case 'retrieve':
      return retrieved(call);
    case 'retrieve newest':
      return [end(call, 'newest')];
    case 'retrieve oldest':
      return [end(call, 'oldest')];
    case 'discover':
      return discovered(call, paths, label);
    default:
      return [];
  }
}

/** Also names what is not there and never was. */
const never = 'errors.unknown-path.retrieve';

function retrieved(call: Call): Sight[] {
  const { path = '' } = call.action;
  const isSuccess = call.outcome === 'success';
  const status: Sight = {
    about: ['container.retrieve.status', 'lifecycle.removed-is-gone'],
    breaks: (state) => {
      const one = state.at(path);
      if (state.isDoubtful(path)) return undefined;
      if (one === undefined) return isSuccess ? (state.gone.get(path) ?? never) : undefined;
      return isSuccess ? undefined : `${one.kind}.retrieve.status`;
    },
  };
  return isSuccess ? [status, ...shownBy(call, path)] : [status];
}

function shownBy(call: Call, path: string): Sight[] {
  const attribute = (about: string, isAsHeld: (one: Held, state: State) => boolean): Sight => ({
    about: [about],
    breaks: (state) => {
      if (state.isDoubtful(path)) return undefined;
      const one = state.at(path);
      if (one === undefined) return state.gone.get(path) ?? never;
      return isAsHeld(one, state) ? undefined : about;
    },
  });
  const ri = textIn(call.view, 'ri');
  const sights = [attribute('common.ri.stable', (one) => one.ri === undefined || ri === undefined || one.ri === ri)];
  const isContainer = /^[^/]+$/.test(path);
  if (!isContainer) return sights;
  const [cni, cbs, st] = ['cni', 'cbs', 'st'].map((name) => numberIn(call, name));
  const { lbl } = call.view.attributes ?? {};
  const bytesOf = (instances: readonly Held[]) => instances.reduce((sum, { bytes }) => sum + bytes, 0);
  const counts = (number: number | undefined, about: string, of: (one: Held, state: State) => number) =>
    number === undefined ? [] : [attribute(about, (one, state) => of(one, state) === number)];
  return [
    ...sights,
    ...counts(cni, 'container.cni.counts', (_, state) => state.instancesOf(path).length),
    ...counts(cbs, 'container.cbs.counts', (_, state) => bytesOf(state.instancesOf(path))),
    ...counts(st, 'container.st.counts-creations', ({ changes }) => changes),
    attribute('labels.retrieved', ({ labels }) => labels === undefined || isSame(ownLabels(lbl), labels)),
  ];
}

function numberIn({ view }: Call, name: string): number | undefined {
  const value = view.attributes?.[name];
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

interface End {
  readonly status: string;
  readonly is: string;
  readonly empty: string;
  readonly of: (instances: readonly Held[]) => Held | undefined;
}

/** Row 7 of the endpoints; what the specification says nothing of is a gap. */
const ends: Readonly<Record<'newest' | 'oldest', End>> = {
  newest: {
    status: 'latest.status',
    is: 'latest.newest',
    empty: 'latest.empty-container',
    of: (instances) => instances.at(-1),
  },
  oldest: {
    status: 'oldest.retrieve',
    is: 'oldest.retrieve',
    empty: 'oldest.empty-container',
    of: (instances) => instances[0],
  },
};

function end(call: Call, which: 'newest' | 'oldest'): Sight {
  const { path = '' } = call.action;
  const { status, is, empty, of } = ends[which];
  const isSuccess = call.outcome === 'success';
  const name = textIn(call.view, 'rn');
  const shown = name === undefined ? undefined : `${path}/${name}`;
  const unlessRefused = (requirement: string) => (isSuccess ? requirement : undefined);
  return {
    about: [status, is],
    breaks: (state) => {
      if (state.isDoubtful(path)) return undefined;
      if (state.at(path) === undefined) return unlessRefused(state.gone.get(path) ?? never);
      const meant = of(state.instancesOf(path));
      if (meant === undefined) return unlessRefused(state.gone.get(shown ?? '') ?? empty);
      if (!isSuccess) return status;
      return shown === undefined || shown === meant.path ? undefined : is;
    },
  };
}

/** Each resource is found or not at a moment of its own. */
function discovered(call: Call, paths: readonly string[], label: string): Sight[] {
  const { action, outcome, view } = call;
  if (action.does !== 'discover') return [];
  const wanted = labelNames[action.label] ?? '';
  if (outcome !== 'success') {
    const isNeeded = ({ held }: State) => held.some((one) => carries(one, wanted));
    const status = (state: State) => (isNeeded(state) ? 'discovery.by-label.status' : 'discovery.empty.status');
    return [{ about: ['discovery.by-label.status'], breaks: status }];
  }
  const found = view.found?.map(String) ?? [];
  return (view.found === undefined ? [] : paths).map((path) => ({
    about: ['discovery.label.finds', 'discovery.label.leaves-out-others'],
    breaks: (state) => {
      if (state.isDoubtful(path)) return undefined;
      const one = state.at(path);
      const isListed = found.some((address) => isAddressOf(address, `${label}-a/${path}`, one?.ri));
      if (one !== undefined) return brokenBy(one, wanted, isListed);
      return isListed ? state.gone.get(path) : undefined;
    },
  }));
}

function brokenBy(one: Held, label: string, isListed: boolean): string | undefined {
  if (one.labels === undefined || carries(one, label) === isListed) return undefined;
  return isListed ? 'discovery.label.leaves-out-others' : 'discovery.label.finds';
}

function carries({ labels }: Held, label: string): boolean {
  return labels?.includes(label) === true;
}

/** How addresses are written in the answer is a gap: by any path that ends in its names, or by its identifier. */
function isAddressOf(address: string, names: string, identifier: string | undefined): boolean {
  const endings = [names, ...(identifier === undefined ? [] : [identifier])];
  return endings.some((ending) => address === ending || address.endsWith(`/${ending}`));
}

/** The parts of all requests of a history, as the specification has them. */
export function unitsOf({ calls, label }: History, judges: Judges): Unit[] {
  const paths = containersIn(calls);
  return calls.flatMap((call, at): Unit[] => {
    const place = { call: at, from: call.from, to: call.to };
    const seeing = sightsOf(call, paths, label).map(({ about, breaks }) => ({
      ...{ ...place, about, optional: false, readOnly: true },
      possible: (state: State) => nothingChanges(state, ...[breaks(state) ?? []].flat()),
    }));
    const possible = changeOf(call, judges);
    if (possible === undefined) return seeing;
    const { does } = call.action;
    const { outcome } = call;
    const is = { optional: outcome === 'unknown', readOnly: outcome === 'refused' };
    return [{ ...place, ...is, about: [statusOf(does)], possible }, ...seeing];
  });
}

function statusOf(does: string): string {
  const kind = kindMadeBy.get(does);
  if (kind !== undefined) return `${kind}.create.status`;
  return does === 'delete' ? 'ae.delete.status' : 'update.container.status';
}

function containersIn(calls: History['calls']): string[] {
  const named = calls.flatMap(({ action: { path } }) => {
    if (path === undefined || path === '') return [];
    return [parentOf(path) || path];
  });
  return [...new Set(named)];
}
