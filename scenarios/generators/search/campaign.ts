/** The course of every campaign: the target is opened, tried, and left as it was; the result is reported. */
import { randomInt } from 'node:crypto';
import { defined } from '../../engine/basics/defined.ts';
import { type Catalogue, loadRequirements } from '../../engine/files/catalogue.ts';
import { deathSentence } from '../../engine/judging/exit-words.ts';
import { now, since } from '../../engine/messages/target.ts';
import type { Exit, TargetDescription } from '../../engine/results/result.ts';
import type { Death } from '../../engine/results/run-context.ts';
import { streamEvents } from '../../engine/running/event-stream.ts';
import { runId } from '../../engine/running/scenario/scenario-context.ts';
import type { LeaveReport } from '../../safety/run-safety.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import { exceptionFilter, type Focus, requirementFilter } from './focus.ts';
import { type CommandOptions, commandOf } from './replay-command.ts';
import type { ExplorationSession, OpeningOptions, Unreachable } from './session.ts';

/** Defaults. */
export interface Usual {
  readonly runs: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  readonly shrinkAttempts: number;
}

/** Settings of every explorer. */
export interface Settings<Event> extends Usual, Catalogue {
  /** Identifier of the run, in the name of everything created. */
  readonly run: string;
  /** Unique in the run, for names. */
  readonly nextNumber: () => number;
  readonly seed: number;
  readonly path?: string | undefined;
  readonly from?: number | undefined;
  /** Whether nothing new may begin. */
  readonly enough: () => boolean;
  /** `now()` at the start. */
  readonly startedAt: number;
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  /** Unless it just did, or in any case. */
  readonly reportProgress: (when?: 'in any case') => void;
}

/** What answers are checked by, and what is reported. */
export interface CheckCriteria {
  /** The command of this exploration, to replay a counterexample. */
  readonly command: string;
  readonly isChecked: (requirement: string) => boolean;
  /** Whether a requirement is known to be broken. */
  readonly isExcepted: (requirement: string) => boolean;
}

/** Throws a UsageError for names of requirements that do not exist. */
export function criteriaOf(
  options: Focus & CommandOptions,
  catalogue: Catalogue,
  target: Pick<ExplorationSession, 'description' | 'ics'>,
): CheckCriteria {
  return {
    isChecked: requirementFilter(options, catalogue, target),
    isExcepted: exceptionFilter(options),
    command: commandOf(options),
  };
}

/** Result of every exploration. */
export interface ExplorationResult {
  readonly run: string;
  readonly startedAt: string;
  /** Milliseconds. */
  readonly took: number;
  readonly target: TargetDescription;
  readonly seed: number;
  readonly notes: readonly string[];
  readonly exit: Exit;
}

/** Facts of everything that was found. */
export interface FoundFacts {
  /** For bytes, `gap` if there is none. */
  readonly requirement: string;
  /** What the requirement says; for bytes, what is wrong. */
  readonly says: string;
  /** The command line for it, without target, seed and path. */
  readonly command: string;
  /** With the seed, replays exactly this. */
  readonly path: string;
  /** Tries while shrinking. */
  readonly attempts: number;
  /** Whether shrinking was completed. */
  readonly smallest: boolean;
}

/** The end of a campaign, in the order in which it decides. */
export interface CampaignEnd {
  readonly interrupted: boolean;
  /** What is wrong, as a sentence; what was seen only once is reported, but decides nothing. */
  readonly found?: { readonly says: string; readonly again: boolean } | undefined;
  /** Why the target cannot be reached any more. */
  readonly lost?: string | undefined;
  /** `the target` when absent. */
  readonly which?: string;
  /** Why nothing was checked. */
  readonly nothing?: string | undefined;
  readonly sound: string;
  /** The deaths of each target, with a prefix for it. */
  readonly deaths?: ReadonlyArray<readonly [name: string, deaths: readonly Death[]]>;
}

/** The exit code and its reason, as for a run of scenarios. */
export function exitOf({ deaths = [], ...ended }: CampaignEnd): Exit {
  const exit = exitOfAnswers(ended);
  const said = deaths.flatMap(([name, those]) => (those.length === 0 ? [] : `${name}${deathSentence(those)}`));
  if (said.length === 0 || ended.interrupted) return exit;
  const isKnown = deaths.some(([, those]) => those.some(({ culprit }) => culprit !== undefined));
  const answers = ended.found === undefined ? [] : [exit.reason];
  return { code: exit.code === 1 || isKnown ? 1 : 3, reason: [...said, ...answers].join('; ') };
}

function exitOfAnswers({ interrupted, found, lost, which = 'the target', nothing, sound }: CampaignEnd): Exit {
  if (interrupted) return { code: 130, reason: 'interrupted' };
  if (found !== undefined) return { code: found.again ? 1 : 4, reason: found.says };
  if (lost !== undefined) return { code: 3, reason: `${which} could not be reached: ${lost}` };
  return nothing === undefined ? { code: 0, reason: sound } : { code: 4, reason: nothing };
}

/** A violation if it was seen again. */
export function violation(requirement: string, again: boolean): NonNullable<CampaignEnd['found']> {
  const says = again ? 'is violated' : 'failed once, and not when it was sent again';
  return { says: `${requirement} ${says}`, again };
}

export interface Started<Target = TargetDescription> {
  readonly type: 'exploration started';
  readonly run: string;
  readonly target: Target;
  readonly seed: number;
  readonly planned: number;
}

export interface Finished<Result> {
  readonly type: 'exploration finished';
  readonly result: Result;
}

/** The first and last event of an exploration. */
export const defaultEvents = {
  started: (started: Started): Started => started,
  finished: <Result>(result: Result): Finished<Result> => ({ type: 'exploration finished', result }),
};

/** What is opened, and left as it was. */
interface CampaignSession {
  readonly description: unknown;
  leave(interrupted: boolean, dead?: string): Promise<Pick<LeaveReport, 'notes'>>;
}

type CampaignOptions = Pick<
  ExploreOptions,
  'runs' | 'from' | 'seed' | 'path' | 'maxTime' | 'shrinkAttempts' | 'timeout' | 'signal'
>;

type Common<Target> = Omit<ExplorationResult, 'exit' | 'target'> & { readonly target: Target };

/** Makes the result of what was explored. */
export type Finish<Explored, Result, Target = TargetDescription> = (
  explored: Explored,
  common: Common<Target>,
  interrupted: boolean,
) => Result;

/** How a campaign opens, tries, and reports. */
interface Campaign<P extends CampaignSession, Event, Explored, Result> {
  readonly usual: Usual;
  readonly open: (
    opening: Pick<OpeningOptions, 'run' | 'startedAt' | 'timeout' | 'signal'>,
  ) => Promise<P | Unreachable<P['description']>>;
  readonly work: (session: P, settings: Settings<Event>) => Promise<Explored>;
  /** How far it is. */
  readonly searched?: () => Event;
  /** Why the target cannot be reached any more, if so. */
  readonly deadIn?: (explored: Explored) => string | undefined;
  /** The outcome if nothing can be reached. */
  readonly unreached: (why: string) => Explored;
  readonly finish: Finish<Explored, Result, P['description']>;
  readonly started: (started: Started<P['description']>) => Event;
  readonly finished: (result: Result) => Event;
}

/** Milliseconds between two events that only report progress. */
const reportEvery = 100;

function throttled(report: () => void): Settings<never>['reportProgress'] {
  let lastReport = 0;
  return (when) => {
    if (when === undefined && now() - lastReport < reportEvery) return;
    lastReport = now();
    report();
  };
}

function settingsOf({ path, from, seed = randomInt(2 ** 31), ...options }: CampaignOptions, usual: Usual) {
  const { runs, timeout, shrinkAttempts } = { ...usual, ...defined(options) };
  let number = 0;
  return {
    ...{ run: runId(), nextNumber: () => ++number, seed, path, from, startedAt: now() },
    ...{ runs: path === undefined ? runs : 1, timeout, shrinkAttempts, ...loadRequirements() },
  };
}

/** Whenever the reader stops, all that was created is removed and all that is open is closed. */
export async function* campaign<P extends CampaignSession, Event, Explored, Result>(
  options: CampaignOptions,
  { usual, open, work, searched, deadIn, unreached, finish, started, finished }: Campaign<P, Event, Explored, Result>,
): AsyncGenerator<Event, Result> {
  const { signal, maxTime = Number.POSITIVE_INFINITY } = options;
  const settings = settingsOf(options, usual);
  const { run, seed, timeout, startedAt: began } = settings;
  const startedAt = new Date().toISOString();
  const session = await open({ signal, timeout, run, startedAt: began });
  const head = { run, target: session.description, seed };
  yield started({ type: 'exploration started', ...head, planned: settings.runs });
  let notes: readonly string[] = ('unreachable' in session && session.notes) || [];
  let dead: string | undefined;
  const trying = async (emit: Settings<Event>['emit'], signal: AbortSignal): Promise<Explored> => {
    if ('unreachable' in session) return unreached(session.unreachable);
    const from = now();
    const enough = () => signal.aborted || since(from) > maxTime;
    const reportProgress = throttled(() => searched && emit(searched()));
    const explored = await work(session, { ...settings, emit, signal, enough, reportProgress });
    dead = deadIn?.(explored);
    return explored;
  };
  const leave = async (interrupted: boolean) => {
    if ('leave' in session) ({ notes = [] } = await session.leave(interrupted, dead));
  };
  const explored = yield* streamEvents<Event, Explored>(trying, leave, signal);
  const result = finish(explored, { ...head, startedAt, took: since(began), notes }, signal?.aborted === true);
  yield finished(result);
  return result;
}
