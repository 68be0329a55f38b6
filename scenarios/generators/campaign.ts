/** The course of every exploration: its target is opened, tried, and left as it was; what came of it is told. */
import { randomInt } from 'node:crypto';
import { defined } from '../engine/defined.ts';
import { loadRequirements, type Requirement } from '../engine/files/catalogue.ts';
import { shellWord } from '../engine/messages/shell.ts';
import type { Exit, TargetDescription } from '../engine/result.ts';
import { runId } from '../engine/running/run-id.ts';
import { whileTold } from '../engine/running/while-told.ts';
import { now, since } from '../engine/targets/target.ts';
import type { Departure } from '../safety/run-safety.ts';
import type { Statement } from '../statement/statement.ts';
import type { ExploreOptions } from './explore.ts';
import { type Focus, judgesOf, knownBy } from './focus.ts';
import type { OpeningOptions, Unreachable } from './main-installation.ts';

/** What is settled before the target is opened. `began`: `now()` at the start. */
export function beginning(seed: number = randomInt(2 ** 31)) {
  return { run: runId(), startedAt: new Date().toISOString(), began: now(), seed, catalogue: loadRequirements() };
}

/** What is usual where nothing else is asked. */
export interface Usual {
  readonly runs: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  readonly shrinkAttempts: number;
}

/** What an explorer of any kind goes by. */
export interface Settings<Event> extends Usual {
  /** Identifier of the run, by which everything is named that is created. */
  readonly run: string;
  readonly seed: number;
  readonly path?: string | undefined;
  /** Milliseconds after which nothing new begins. */
  readonly maxTime?: number | undefined;
  /** `now()` at the start. */
  readonly startedAt: number;
  /** What explores as this does, for who wants to see a counterexample again. */
  readonly command: string;
  readonly judges: (requirement: string) => boolean;
  /** Whether a requirement is known to be broken. */
  readonly known: (requirement: string) => boolean;
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly signal: AbortSignal;
  readonly tell: (event: Event) => void;
}

/** Whether nothing new is to begin, from now on. */
export function enoughOf({ signal, maxTime = Number.POSITIVE_INFINITY }: Pick<Settings<never>, 'signal' | 'maxTime'>) {
  const began = now();
  return () => signal.aborted || since(began) > maxTime;
}

/** Milliseconds between two events that only say how far it is. */
const tellEvery = 100;

/** Tells how far it is, where that has not just been told, or in any case. */
export function seldom(tell: () => void): (when?: 'in any case') => void {
  let told = 0;
  return (when) => {
    if (when === undefined && now() - told < tellEvery) return;
    told = now();
    tell();
  };
}

/** What every exploration comes to. */
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

/** What is told of everything that was found. */
export interface FoundFacts {
  readonly requirement: string;
  /** What the requirement says. */
  readonly says: string;
  /** What does so on the command line, without where the target is, the seed and the path. */
  readonly command: string;
  /** With the seed, replays exactly this. */
  readonly path: string;
  /** How many shrinking tried. */
  readonly attempts: number;
  /** Whether shrinking came to its own end. */
  readonly smallest: boolean;
}

/** How an exploration of any kind came to its end. */
export interface CampaignEnd {
  readonly interrupted: boolean;
  readonly counterexample?: { readonly requirement: string; readonly confirmed: boolean } | undefined;
  /** Why the target cannot be asked any more. */
  readonly lost?: string | undefined;
}

/** Undefined where nothing was found. A deviation is violated where it was seen again; what was seen once is told, and decides nothing. */
export function exitOfCampaign({ interrupted, counterexample, lost }: CampaignEnd): Exit | undefined {
  if (interrupted) return { code: 130, reason: 'interrupted' };
  if (counterexample !== undefined) {
    const { requirement, confirmed } = counterexample;
    if (confirmed) return { code: 1, reason: `${requirement} is violated` };
    return { code: 4, reason: `${requirement} failed once, and not when it was sent again` };
  }
  return lost === undefined ? undefined : { code: 3, reason: `the target could not be reached: ${lost}` };
}

export interface Started {
  readonly type: 'exploration started';
  readonly run: string;
  readonly target: TargetDescription;
  readonly seed: number;
  readonly planned: number;
}

export interface Finished<Result> {
  readonly type: 'exploration finished';
  readonly result: Result;
}

/** What is opened, and left as it was. */
interface Place {
  readonly description: TargetDescription;
  /** What the target claims to have, where it says so. */
  readonly statement?: Statement | undefined;
  leave(interrupted: boolean, dead?: string): Promise<Departure>;
}

/** What every kind of exploration is asked. */
type CampaignOptions = Pick<
  ExploreOptions,
  'target' | 'runs' | 'seed' | 'path' | 'maxTime' | 'shrinkAttempts' | 'timeout' | 'safety' | 'signal'
> &
  Focus &
  Asked;

/** How one kind of exploration opens its target, tries it, and tells what it comes to. */
interface Campaign<P extends Place, Event, Explored, Result> {
  readonly usual: Usual;
  readonly started: (started: Started) => Event;
  readonly open: (opening: Omit<OpeningOptions, 'dialect' | 'connections'>) => Promise<P | Unreachable>;
  readonly work: (place: P, settings: Settings<Event>) => Promise<Explored>;
  /** What it comes to where nothing can be reached. */
  readonly unreached: (why: string) => Explored;
  readonly finish: (explored: Explored, common: Omit<ExplorationResult, 'exit'>, interrupted: boolean) => Result;
}

/** Whenever the reader stops, everything that was created is removed and what is open is closed. `dead`: why the target cannot be asked. */
export async function* campaign<
  P extends Place,
  Event,
  Explored extends { readonly dead?: string | undefined },
  Result,
>(
  options: CampaignOptions,
  { usual, started, open, work, unreached, finish }: Campaign<P, Event, Explored, Result>,
): AsyncGenerator<Event | Finished<Result>, Result> {
  const { target, safety, signal, path, maxTime } = options;
  const { runs, timeout, shrinkAttempts } = { ...usual, ...defined(options) };
  const { run, startedAt, began, seed, catalogue } = beginning(options.seed);
  const place = await open({ target, safety, signal, timeout, run, startedAt: began });
  const head = { run, target: place.description, seed };
  yield started({ type: 'exploration started', ...head, planned: path === undefined ? runs : 1 });
  let notes: readonly string[] = [];
  let dead: string | undefined;
  const { requirements } = catalogue;
  const settings = { run, seed, runs, timeout, shrinkAttempts, path, maxTime, startedAt: began, requirements };
  const explored =
    'unreachable' in place
      ? unreached(place.unreachable)
      : yield* whileTold<Event, Explored>(
          async (tell, signal) => {
            const judges = judgesOf(options, catalogue, place.statement);
            const judging = { judges, known: knownBy(options), command: commandOf(options) };
            const found = await work(place, { ...settings, ...judging, tell, signal });
            dead = found.dead;
            return found;
          },
          async (interrupted) => {
            ({ notes } = await place.leave(interrupted, dead));
          },
          signal,
        );
  const result = finish(explored, { ...head, startedAt, took: since(began), notes }, signal?.aborted === true);
  yield { type: 'exploration finished', result };
  return result;
}

type Asked = Pick<ExploreOptions, 'target' | 'dialect' | 'pair' | 'level' | 'focus' | 'except'> & {
  readonly concurrency?: number;
  readonly wire?: boolean;
};

/** The command that explores as it was asked to, so that a seed and a path show the same again; without where the target is. */
export function commandOf({ target, dialect, pair, concurrency, wire, level, ...about }: Asked): string {
  const { focus = [], except = [] } = about;
  const faults = 'faults' in target ? (target.faults ?? []) : [];
  return [
    `cselab explore${wire ? ' --wire' : ''}`,
    ...(dialect === 'onem2m' ? ['--dialect onem2m'] : []),
    ...(pair ? ['--pair'] : []),
    ...(concurrency === undefined ? [] : [`--concurrency ${concurrency}`]),
    ...(level === 'gap' ? ['--level gap'] : []),
    ...(focus.length === 0 ? [] : ['--focus', ...focus.map(shellWord)]),
    ...(except.length === 0 ? [] : ['--except', ...except.map(shellWord)]),
    ...faults.map((fault) => `--deviation ${shellWord(fault)}`),
  ].join(' ');
}
