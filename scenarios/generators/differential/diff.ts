/** Compares two targets: the same generated sequences of requests go to both, and every way in which they part is made small. */
import { defined } from '../../engine/defined.ts';
import type { Catalogue } from '../../engine/files/catalogue.ts';
import { deathSentence } from '../../engine/judging/death-words.ts';
import type { Exit } from '../../engine/result.ts';
import { runId } from '../../engine/running/run-id.ts';
import { whileTold } from '../../engine/running/while-told.ts';
import { since } from '../../engine/targets/target.ts';
import { learnt, masked } from '../../secrets/masked.ts';
import { Redactor } from '../../secrets/redactor.ts';
import { type Arena, openArena } from '../arena.ts';
import { beginning } from '../campaign.ts';
import { type ExploreOptions, usual as usualOfAll } from '../explore.ts';
import { type Focus, judgesOf } from '../focus.ts';
import { Statistics } from '../statistics.ts';
import { Differ, type Differed, type DifferOptions } from './differ.ts';
import { type DiffEvent, type DiffResult, type DiffTarget, type SideName, sides } from './difference.ts';
import { bySide } from './mortals.ts';
import { RulesUsed } from './rules.ts';
import type { Competitor } from './side.ts';

/** As of an exploration, but `shrinkAttempts` are for each difference, and `level` is `gap` when absent: what the specification leaves open as well. */
export interface DiffOptions
  extends Pick<
    ExploreOptions,
    | 'runs'
    | 'seed'
    | 'path'
    | 'maxTime'
    | 'shrinkAttempts'
    | 'focus'
    | 'except'
    | 'level'
    | 'jobs'
    | 'secrets'
    | 'signal'
  > {
  /** Two targets, A and B. */
  readonly targets: readonly [DiffSide, DiffSide];
  /** Differences after which it ends; 5 when absent. */
  readonly maxDifferences?: number;
}

export type DiffSide = Pick<ExploreOptions, 'target' | 'safety' | 'timeout' | 'restart'>;

const usual = { ...usualOfAll, maxDifferences: 5 };

/**
 * Compares two targets. Yields events while it goes on; the last one carries the result, which is also the return value.
 * Throws UsageError before the first event for what cannot be used.
 */
export async function* diff(options: DiffOptions): AsyncGenerator<DiffEvent, DiffResult> {
  const redactor = new Redactor(options.secrets);
  const [a, b] = options.targets;
  const targets: DiffOptions['targets'] = [learnt(a, redactor), learnt(b, redactor)];
  return yield* masked(diffing({ ...options, targets }), redactor);
}

/** One of the two, as it is told, and what it is asked by. */
interface Opened extends Pick<Competitor, 'run' | 'restart'> {
  readonly told: DiffTarget;
  readonly arena?: Arena;
  readonly unreachable?: string;
}

async function* diffing(options: DiffOptions): AsyncGenerator<DiffEvent, DiffResult> {
  const { runs = usual.runs, path, signal } = options;
  const { startedAt, began, seed, catalogue } = beginning(options.seed);
  const judging = judgingOf(options, catalogue);
  const opened = await openBoth(options, began);
  const targets = { A: opened.A.told, B: opened.B.told };
  const counted = { statistics: new Statistics(), used: new RulesUsed() };
  yield { type: 'diff started', targets, seed, planned: path === undefined ? runs : 1 };
  const notes: string[] = [];
  const settings = { ...usual, ...defined(options), ...counted, seed, startedAt: began, path: options.path };
  const { differences, deaths, lost } = yield* whileTold<DiffEvent, Differed>(
    (tell, over) => compare(opened, judging, { ...settings, requirements: catalogue.requirements, tell, signal: over }),
    async (interrupted) => void notes.push(...(await leave(opened, interrupted))),
    signal,
  );
  if (lost !== undefined && differences.length > 0) notes.push(`it ended early, since a target was lost: ${lost}`);
  const { statistics, used } = counted;
  const found = { differences, deaths, lost, compared: statistics.steps, interrupted: signal?.aborted === true };
  const result: DiffResult = {
    ...{ startedAt, took: since(began), targets, seed },
    ...{ sequences: statistics.sequences, compared: statistics.steps, exercised: statistics.exercised() },
    ...(deaths.length > 0 && { deaths }),
    ...{ differences, normalised: used.all().filter(({ times }) => times > 0), notes },
    exit: exitOf(found),
  };
  yield { type: 'diff finished', result };
  return result;
}

type Both = Readonly<Record<SideName, Opened>>;

/** Where the second cannot be used, the first is left as it was. */
async function openBoth({ targets, jobs = usual.jobs, signal }: DiffOptions, startedAt: number): Promise<Both> {
  const [a, b] = targets;
  const open = async ({ target, safety, restart, timeout = usual.timeout }: DiffSide): Promise<Opened> => {
    const run = runId();
    const arena = await openArena({ target, jobs, timeout, startedAt, run, safety, signal });
    const faults = 'faults' in target && target.faults !== undefined ? { faults: target.faults } : {};
    const head = { told: { ...arena.description, run, ...faults }, run, restart };
    return 'unreachable' in arena ? { ...head, unreachable: arena.unreachable } : { ...head, arena };
  };
  const A = await open(a);
  try {
    return { A, B: await open(b) };
  } catch (error) {
    await A.arena?.leave(false);
    throw error;
  }
}

interface Judging {
  /** Whether what the specification states may decide; `arenas`: of those that claim it. */
  readonly judges: (arenas: readonly Arena[]) => (requirement: string) => boolean;
  readonly tells: (gap: string | undefined) => boolean;
}

/** Throws a UsageError for a focus on what does not exist. */
function judgingOf({ level = 'gap', ...asked }: Focus, catalogue: Catalogue): Judging {
  const focus = { ...asked, level };
  const chosen = judgesOf(focus, catalogue, undefined);
  const isStated = (id: string) => catalogue.requirements.get(id)?.level === 'documented';
  return {
    judges: (arenas) => {
      const claimed = arenas.map(({ statement }) => judgesOf(focus, catalogue, statement));
      return (id) => isStated(id) && claimed.every((claims) => claims(id));
    },
    tells: (gap) => level === 'gap' && (gap === undefined ? (asked.focus ?? []).length === 0 : chosen(gap)),
  };
}

/** Says what they are left with. */
async function leave(opened: Both, interrupted: boolean): Promise<string[]> {
  const notes: string[] = [];
  for (const side of sides) {
    const departure = await opened[side].arena?.leave(interrupted);
    notes.push(...(departure?.notes ?? []).map((note) => `${side}: ${note}`));
  }
  return notes;
}

async function compare(
  { A, B }: Both,
  { judges, tells }: Judging,
  settings: Omit<DifferOptions, 'A' | 'B' | 'judges' | 'tells'>,
): Promise<Differed> {
  if (A.arena === undefined || B.arena === undefined) {
    const reasons = Object.entries({ A, B }).flatMap(([side, one]) => (one.arena ? [] : `${side}: ${one.unreachable}`));
    return { differences: [], deaths: [], lost: reasons.join('; ') };
  }
  const differ = new Differ({
    ...settings,
    A: { ...A, side: 'A', arena: A.arena, underWay: [] },
    B: { ...B, side: 'B', arena: B.arena, underWay: [] },
    judges: judges([A.arena, B.arena]),
    tells,
  });
  return differ.differ();
}

interface Found extends Pick<Differed, 'deaths' | 'differences'> {
  readonly lost: string | undefined;
  readonly compared: number;
  readonly interrupted: boolean;
}

function exitOf(found: Found): Exit {
  const exit = exitOfAnswers(found);
  const said = bySide(found.deaths).map(([side, deaths]) => `${side}: ${deathSentence(deaths)}`);
  if (said.length === 0 || exit.code === 130) return exit;
  const isKnown = found.deaths.some(({ culprit }) => culprit !== undefined);
  const answers = exit.code === 1 ? [exit.reason] : [];
  return { code: exit.code === 1 || isKnown ? 1 : 3, reason: [...said, ...answers].join('; ') };
}

function exitOfAnswers({ differences, lost, compared, interrupted }: Found): Exit {
  if (interrupted) return { code: 130, reason: 'interrupted' };
  if (differences.length > 0) {
    const decided = differences.filter(({ right }) => right !== 'gap').length;
    const open = differences.length - decided;
    return { code: 1, reason: `a requirement decides ${decided} of them, ${open} are left open by the specification` };
  }
  if (lost !== undefined) return { code: 3, reason: `a target could not be reached: ${lost}` };
  if (compared === 0) return { code: 4, reason: 'nothing was compared' };
  return { code: 0, reason: `no difference in ${compared.toLocaleString('en')} answers of each` };
}
