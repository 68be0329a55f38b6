/** Compares two targets: both get the same generated sequences of requests, and every difference is shrunk. */
import { defined } from '../../engine/basics/defined.ts';
import { UsageError } from '../../engine/basics/diagnostics.ts';
import { type Catalogue, loadRequirements } from '../../engine/files/catalogue.ts';
import { runId } from '../../engine/running/scenario/scenario-context.ts';
import { isWritten } from '../../engine/targets/embedded/reference-cse.ts';
import { bindingOf } from '../../engine/targets/wires/route.ts';
import { masked, withKnownSecrets } from '../../safety/masked.ts';
import { Redactor } from '../../secrets/redactor.ts';
import { type CampaignEnd, campaign, exitOf, type Finish } from '../search/campaign.ts';
import { type ExploreOptions, usual as usualOfAll } from '../search/explore-options.ts';
import { type Focus, requirementFilter } from '../search/focus.ts';
import { openSession, type SessionOptions, type Unreachable } from '../search/session.ts';
import { Statistics } from '../search/statistics.ts';
import { Differ, type DiffFindings } from './differ.ts';
import { bySide, type DiffEvent, type Difference, type DiffResult, type SideName } from './difference.ts';
import { RulesUsed } from './implementation-defined.ts';
import { Scripts } from './scripts.ts';
import type { ComparedTarget } from './side.ts';
import { SharedCse } from './trees.ts';

/** As for an exploration, but `shrinkAttempts` are for each difference, and `level` is `gap` when absent: implementation-defined behaviour, too. */
export interface DiffOptions extends Omit<ExploreOptions, keyof DiffSide | 'pair' | 'processes'> {
  /** Two targets, A and B. */
  readonly targets: readonly [DiffSide, DiffSide];
  /** Differences after which it ends; 5 when absent. */
  readonly maxDifferences?: number;
  /**
   * Scenarios for both beside the sequences: `all`, `none`, or those with these ids or prefixes, without any sequence.
   * Absent: all if the targets use different wires, else none.
   */
  readonly scenarios?: 'all' | 'none' | readonly string[];
}

export type DiffSide = Pick<ExploreOptions, 'target' | 'safety' | 'timeout' | 'restart'>;

const usual = { ...usualOfAll, maxDifferences: 5 };

/**
 * Compares two targets. Yields events; the last one carries the result, which is also the return value.
 * Throws UsageError before the first event for unusable options.
 */
export async function* diff(options: DiffOptions): AsyncGenerator<DiffEvent, DiffResult> {
  const redactor = new Redactor(options.secrets);
  const [a, b] = options.targets;
  const targets: DiffOptions['targets'] = [withKnownSecrets(a, redactor), withKnownSecrets(b, redactor)];
  return yield* masked(runDiff({ ...options, targets }), redactor);
}

/** Both targets, opened. */
interface Both extends Readonly<Record<SideName, ComparedTarget>> {
  readonly description: DiffResult['targets'];
  leave(interrupted: boolean): Promise<{ readonly notes: readonly string[] }>;
}

async function* runDiff(options: DiffOptions): AsyncGenerator<DiffEvent, DiffResult> {
  const { maxDifferences = usual.maxDifferences } = options;
  const { checksFor, isReported } = diffCriteriaOf(options, loadRequirements());
  const statistics = new Statistics();
  const used = new RulesUsed();
  return yield* campaign<Both, DiffEvent, DiffFindings, DiffResult>(options, {
    usual,
    started: ({ target: targets, seed, planned }) => ({ type: 'diff started', targets, seed, planned }),
    finished: (result) => ({ type: 'diff finished', result }),
    open: (opening) => openBoth(options, opening),
    work: ({ A, B }, settings) => {
      const rules = { dialect: A.session.dialect, isChecked: checksFor([A, B]), isReported };
      const crosses = wireAt(A) !== wireAt(B);
      const shared = new SharedCse({ A, B }, crosses);
      const scripts = scriptsFor(options, { A, B }, { crosses, shared, signal: settings.signal });
      const runs = typeof options.scenarios === 'object' ? 0 : settings.runs;
      const counting = { maxDifferences, statistics, used, crosses, shared };
      return new Differ({ ...settings, ...rules, ...counting, A, B, runs, scripts }).differ();
    },
    searched: () => ({ type: 'searched', ...countsIn(statistics) }),
    unreached: (lost) => ({ differences: [], deaths: [], lost }),
    finish: finishing(statistics, used),
  });
}

function finishing(statistics: Statistics, used: RulesUsed): Finish<DiffFindings, DiffResult, Both['description']> {
  return ({ differences, deaths, lost }, { run: _, target: targets, ...common }, interrupted) => {
    const { compared, ...counts } = countsIn(statistics);
    const early = lost !== undefined && differences.length > 0;
    return {
      ...{ ...common, targets, ...counts, compared, exercised: statistics.exercised() },
      ...(deaths.length > 0 && { deaths }),
      ...{ differences, normalised: used.all() },
      notes: [...common.notes, ...(early ? [`it ended early, since a target was lost: ${lost}`] : [])],
      exit: exitOf({
        ...{ interrupted, lost, which: 'a target', found: foundIn(differences) },
        deaths: bySide(deaths).map(([side, those]) => [`${side}: `, those]),
        nothing: compared === 0 ? 'nothing was compared' : undefined,
        sound: `no difference in ${compared.toLocaleString('en')} answers of each`,
      }),
    };
  };
}

const countsIn = ({ sequences, scenarios, steps: compared }: Statistics) => ({ sequences, scenarios, compared });

/** Throws a UsageError for scenarios that do not exist or cannot be run. */
function scriptsFor(
  { targets, dialect, path, scenarios }: DiffOptions,
  { A, B }: Pick<Both, SideName>,
  { crosses, ...how }: ConstructorParameters<typeof Scripts>[2],
): Scripts | undefined {
  const requested = scenarios ?? (crosses && path === undefined ? 'all' : 'none');
  const isPossible = [A, B].every(({ session }) => session.installations !== undefined);
  if (requested === 'none' || (!isPossible && scenarios === undefined)) return undefined;
  if (!isPossible)
    throw new UsageError('scenarios are compared only at targets with a URL where any originator may register');
  const [a, b] = targets;
  const choiceOf = ({ target, safety }: DiffSide) => ({
    ...{ target, ...defined({ dialect, safety }) },
    ...(requested !== 'all' && { ids: requested }),
  });
  return new Scripts({ A, B }, { A: choiceOf(a), B: choiceOf(b) }, { crosses, ...how });
}

/** If one cannot be used or reached, the other is left as it was. */
async function openBoth(
  { targets: [a, b], jobs = usual.jobs, dialect }: DiffOptions,
  { startedAt, signal }: Pick<SessionOptions, 'startedAt' | 'signal'>,
): Promise<Both | Unreachable<DiffResult['targets']>> {
  const open = async (side: SideName, { target, safety, restart, timeout = usual.timeout }: DiffSide) => {
    const run = runId();
    const session = await openSession({ target, dialect, jobs, timeout, startedAt, run, safety, signal });
    const deviations = 'deviations' in target ? defined({ deviations: target.deviations?.filter(isWritten) }) : {};
    return { description: { ...session.description, run, ...deviations }, side, run, restart, session, underWay: [] };
  };
  const A = await open('A', a);
  const B = await open('B', b).catch(async (error: unknown) => {
    if (!('unreachable' in A.session)) await A.session.leave(false);
    throw error;
  });
  const description = { A: A.description, B: B.description };
  const leave = async (interrupted: boolean) => {
    const notes: string[] = [];
    for (const { side, session } of [A, B]) {
      const own = 'unreachable' in session ? [] : (await session.leave(interrupted)).notes;
      notes.push(...own.map((note) => `${side}: ${note}`));
    }
    return { notes };
  };
  if (!('unreachable' in A.session || 'unreachable' in B.session))
    return { description, A: { ...A, session: A.session }, B: { ...B, session: B.session }, leave };
  const reasonOf = ({ side, session }: typeof A) => ('unreachable' in session ? `${side}: ${session.unreachable}` : []);
  return { description, unreachable: [A, B].flatMap(reasonOf).join('; '), ...(await leave(false)) };
}

interface DiffCriteria {
  /** Whether a stated requirement may decide: all `compared` targets claim it. */
  readonly checksFor: (compared: readonly ComparedTarget[]) => (requirement: string) => boolean;
  readonly isReported: (gap: string | undefined) => boolean;
}

/** Throws a UsageError for a focus on what does not exist. */
function diffCriteriaOf({ level = 'gap', ...focusOptions }: Focus, catalogue: Catalogue): DiffCriteria {
  const focus = { ...focusOptions, level };
  const { requirements } = catalogue;
  const chosen = requirementFilter(focus, catalogue);
  const stated = focusOptions.dialect === 'onem2m' ? 'standard' : 'documented';
  return {
    checksFor: (compared) => {
      const claimed = compared.map(({ session }) => requirementFilter(focus, catalogue, session));
      return (id) => requirements.get(id)?.level === stated && claimed.every((claims) => claims(id));
    },
    isReported: (gap) => level === 'gap' && (gap === undefined ? (focusOptions.focus ?? []).length === 0 : chosen(gap)),
  };
}

const wireAt = ({ session }: ComparedTarget): string => bindingOf(session.description.url)?.wire ?? 'HTTP';

/** How many of them a requirement decides. */
function foundIn(differences: readonly Difference[]): CampaignEnd['found'] {
  const decided = differences.filter(({ right }) => right !== 'gap').length;
  const open = differences.length - decided;
  const says = `a requirement decides ${decided} of them, ${open} are implementation-defined`;
  return differences.length === 0 ? undefined : { says, again: true };
}
