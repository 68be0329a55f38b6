import { changeOf, type Judges } from './changes.ts';
import type { History } from './history.ts';
import { type Sight, sightsOf } from './sights.ts';
import { parentOf, type State } from './state.ts';
import type { Unit } from './unit.ts';

/** The parts of all requests of a history, as the specification has them. Only what is judged counts as broken. */
export function unitsOf({ calls, label }: History, judges: Judges): Unit[] {
  const paths = containersIn(calls);
  return calls.flatMap((call, at): Unit[] => {
    const place = { call: at, from: call.from, to: call.to };
    const seeing = sightsOf(call, paths, label).map((sight) => ({
      ...place,
      ...partOf(sight, judges),
      optional: false,
      readOnly: true,
    }));
    const change = changeOf(call, judges);
    if (change === undefined) return seeing;
    const changing = {
      ...place,
      about: [statusOf(call.action.does)].filter(judges),
      possible: (state: State) => judgedOnly(change(state), judges),
      optional: call.outcome === 'unknown',
      readOnly: call.outcome === 'refused',
    };
    return [changing, ...seeing];
  });
}

function partOf({ about, breaks }: Sight, judges: Judges): Pick<Unit, 'about' | 'possible'> {
  return {
    about: about.filter(judges),
    possible: (state) => {
      const broken = breaks(state);
      return [{ state, broken: broken === undefined || !judges(broken) ? [] : [broken] }];
    },
  };
}

function judgedOnly(possible: ReturnType<Unit['possible']>, judges: Judges): ReturnType<Unit['possible']> {
  return possible.map(({ state, broken }) => ({ state, broken: broken.filter(judges) }));
}

const statuses: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'create application entity': 'ae.create.status',
    'create container': 'container.create.status',
    'create content instance': 'content-instance.create.status',
  }),
);

function statusOf(does: string): string {
  return statuses.get(does) ?? (does === 'delete' ? 'ae.delete.status' : 'update.container.status');
}

function containersIn(calls: History['calls']): string[] {
  const named = calls.flatMap(({ action: { path } }) => {
    if (path === undefined || path === '') return [];
    return [parentOf(path) || path];
  });
  return [...new Set(named)];
}
