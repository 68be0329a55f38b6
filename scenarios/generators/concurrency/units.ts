/** What an answer shows, as parts checked one by one: any moment between call and answer may explain each. */
import { textIn } from '../moves/move.ts';
import { changeOf, haveSameLabels, labelsIn, type RequirementFilter } from './changes.ts';
import type { Call, History } from './history.ts';
import {
  containerDepth,
  depthOf,
  nothingChanges,
  parentOf,
  type ResourceState,
  type State,
  type StatePart,
  type Unit,
} from './state.ts';

/** `containers`: paths of all that the history names. */
function answerParts(call: Call, containers: readonly string[]): StatePart[] {
  const { does, step, outcome } = call;
  if (outcome === 'unknown') return [];
  if (does === 'retrieve newest' || does === 'retrieve oldest') return [endRead(call, does)];
  if ('retrieve' in step) return retrieved(call);
  return 'discover' in step ? discovered(call, String(step.where?.lbl), containers) : [];
}

/** For what never existed. */
const never = 'errors.unknown-path.retrieve';

/** An observation of one resource, unless its state is unknown; `breaks` is undefined if the state explains it. */
function observation(
  path: string,
  about: readonly string[],
  breaks: (one: ResourceState | undefined, state: State) => string | undefined,
): StatePart {
  const brokenIn = (state: State) => (state.isDoubtful(path) ? undefined : breaks(state.at(path), state));
  return { about, possible: (state) => nothingChanges(state, brokenIn(state)) };
}

function retrieved(call: Call): StatePart[] {
  const { path = '', outcome } = call;
  const isSuccess = outcome === 'success';
  const status = observation(path, ['container.retrieve.status', 'lifecycle.removed-is-gone'], (one, { gone }) => {
    if (one === undefined) return isSuccess ? (gone.get(path) ?? never) : undefined;
    return isSuccess ? undefined : `${one.type}.retrieve.status`;
  });
  return isSuccess ? [status, ...attributeParts(call, path)] : [status];
}

function attributeParts(call: Call, path: string): StatePart[] {
  const attribute = (about: string, isAsHeld: (one: ResourceState, state: State) => boolean): StatePart =>
    observation(path, [about], (one, state) => {
      if (one === undefined) return state.gone.get(path) ?? never;
      return isAsHeld(one, state) ? undefined : about;
    });
  const ri = textIn(call.view, 'ri');
  const parts = [attribute('common.ri.stable', (one) => one.ri === undefined || ri === undefined || one.ri === ri)];
  if (depthOf(path) !== containerDepth) return parts;
  const [cni, cbs, st] = ['cni', 'cbs', 'st'].map((name) => numberIn(call, name));
  const bytesOf = (instances: readonly ResourceState[]) => instances.reduce((sum, { bytes }) => sum + bytes, 0);
  const counts = (number: number | undefined, about: string, of: (one: ResourceState, state: State) => number) =>
    number === undefined ? [] : [attribute(about, (one, state) => of(one, state) === number)];
  return [
    ...parts,
    ...counts(cni, 'container.cni.counts', (_, state) => state.instancesOf(path).length),
    ...counts(cbs, 'container.cbs.counts', (_, state) => bytesOf(state.instancesOf(path))),
    ...counts(st, 'container.st.counts-creations', ({ changes }) => changes),
    attribute('labels.retrieved', ({ labels }) => labels === undefined || haveSameLabels(labelsIn(call.view), labels)),
  ];
}

function numberIn({ view }: Call, name: string): number | undefined {
  const value = view.attributes?.[name];
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Row 7 of the endpoints; what it does not say is a gap. `at`: which content instance, oldest first. */
const ends = {
  'retrieve newest': { at: -1, status: 'latest.status', is: 'latest.newest', empty: 'latest.empty-container' },
  'retrieve oldest': { at: 0, status: 'oldest.retrieve', is: 'oldest.retrieve', empty: 'oldest.empty-container' },
} as const;

function endRead({ path = '', outcome, view }: Call, does: keyof typeof ends): StatePart {
  const { at, status, is, empty } = ends[does];
  const isSuccess = outcome === 'success';
  const name = textIn(view, 'rn');
  const answered = name === undefined ? undefined : `${path}/${name}`;
  const unlessRefused = (requirement: string) => (isSuccess ? requirement : undefined);
  return observation(path, [status, is], (one, state) => {
    if (one === undefined) return unlessRefused(state.gone.get(path) ?? never);
    const expected = state.instancesOf(path).at(at);
    if (expected === undefined) return unlessRefused(state.gone.get(answered ?? '') ?? empty);
    if (!isSuccess) return status;
    return answered === undefined || answered === expected.path ? undefined : is;
  });
}

/** Each resource is found or not at a moment of its own. */
function discovered({ outcome, view }: Call, label: string, containers: readonly string[]): StatePart[] {
  if (outcome !== 'success') {
    const isNeeded = ({ resources: held }: State) => held.some((one) => carries(one, label));
    const statusIn = (state: State) => (isNeeded(state) ? 'discovery.by-label.status' : 'discovery.empty.status');
    return [{ about: ['discovery.by-label.status'], possible: (state) => nothingChanges(state, statusIn(state)) }];
  }
  const found = view.found?.map(String) ?? [];
  return (view.found === undefined ? [] : containers).map((path) =>
    observation(path, ['discovery.label.finds', 'discovery.label.leaves-out-others'], (one, { gone }) => {
      const isListed = found.some((address) => isAddressOf(address, path, one?.ri));
      if (one !== undefined) return brokenBy(one, label, isListed);
      return isListed ? gone.get(path) : undefined;
    }),
  );
}

function brokenBy(one: ResourceState, label: string, isListed: boolean): string | undefined {
  if (one.labels === undefined || carries(one, label) === isListed) return undefined;
  return isListed ? 'discovery.label.leaves-out-others' : 'discovery.label.finds';
}

function carries({ labels }: ResourceState, label: string): boolean {
  return labels?.includes(label) === true;
}

/** The form of addresses in an answer is a gap: any path that ends in its names, or its identifier. */
function isAddressOf(address: string, path: string, identifier: string | undefined): boolean {
  const names = path.split('/').slice(2).join('/');
  const endings = [names, ...(identifier === undefined ? [] : [identifier])];
  return endings.some((ending) => address === ending || address.endsWith(`/${ending}`));
}

/** The parts of all requests of a history, by the specification. */
export function unitsOf({ calls }: History, isChecked: RequirementFilter): Unit[] {
  const containers = containersIn(calls);
  return calls.flatMap((call, at): Unit[] => {
    const { from, to, outcome } = call;
    const span = { call: at, from, to };
    const reads = answerParts(call, containers).map((part) => ({ ...span, ...part, optional: false, readOnly: true }));
    const change = changeOf(call, isChecked);
    if (change === undefined) return reads;
    return [{ ...span, ...change, optional: outcome === 'unknown', readOnly: outcome === 'refused' }, ...reads];
  });
}

/** The container of each path. */
function containersIn(calls: History['calls']): string[] {
  const paths = calls.map(({ path = '' }) => (depthOf(path) > containerDepth ? parentOf(path) : path));
  return [...new Set(paths)].filter((path) => depthOf(path) === containerDepth);
}
