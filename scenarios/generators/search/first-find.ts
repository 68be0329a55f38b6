import { now, since } from '../../engine/messages/target.ts';
import type { Settings } from './campaign.ts';
import { CrashRecovery, type SearchEnd } from './crash-recovery.ts';
import { type SearchOptions, type SeededFinding, type Shrunk, shrink, type TrialRun } from './seeded.ts';

/** What is tried, and how it is reported. */
export interface Trial<One, Shown, Event>
  extends Pick<SearchOptions<One>, 'arbitrary' | 'examples' | 'times' | 'jobs'> {
  /** Runs and counts it. */
  readonly tried: TrialRun<One, Shown>;
  /** Tries it again; undefined if it does not show the same. */
  readonly again: (one: One, shown: Shown) => Promise<Shown | undefined>;
  /** Whether it is a death. */
  readonly isDeath?: (shown: Shown) => boolean;
  /** Whether what was found may not show each time. */
  readonly isKnown?: boolean;
  readonly found: (finding: SeededFinding<One, Shown>) => Event;
  readonly smaller: (one: One, attempts: number) => Event;
}

interface FirstFind<One, Shown> {
  readonly small?: Shrunk<One, Shown>;
  /** Why the target is lost, if nothing was found. */
  readonly lost?: string | undefined;
  /** Milliseconds of searching. */
  readonly searched: number;
}

/** Tries until one shows something, and shrinks that. `search`: elsewhere. */
export async function firstFind<One, Shown, Event>(
  settings: Settings<Event>,
  trial: Trial<One, Shown, Event>,
  recovery = new CrashRecovery(),
  search: () => Promise<SearchEnd<One, Shown>> = () =>
    recovery.search({ ...settings, ...trial }, trial.tried, trial.isDeath),
): Promise<FirstFind<One, Shown>> {
  const { emit, reportProgress } = settings;
  const { isDeath = () => false, again, smaller } = trial;
  const began = now();
  const { found: all, lost } = await search();
  const searched = since(began);
  reportProgress('in any case');
  const found = all.find(({ result }) => isDeath(result)) ?? all[0];
  if (found === undefined) return { lost, searched };
  emit(trial.found(found));
  const small = await shrink(found, {
    ...{ ...settings, ...trial },
    run: (one) => recovery.run(() => again(one, found.result)),
    onSmaller: (one, attempts) => emit(smaller(one, attempts)),
  });
  return { small, searched };
}
