/** The course of every exploration: its target is opened, tried, and left as it was; what came of it is told. */
import { randomInt } from 'node:crypto';
import { type Catalogue, loadRequirements, type Requirement } from '../engine/files/catalogue.ts';
import type { Exit, TargetDescription } from '../engine/result.ts';
import { runId } from '../engine/running/run-id.ts';
import { whileTold } from '../engine/running/while-told.ts';
import { now, since } from '../engine/targets/target.ts';
import type { Departure } from '../safety/run-safety.ts';

/** What is settled before the target is opened. */
export interface Beginning {
  /** Identifier of the run, by which everything is named that is created. */
  readonly run: string;
  readonly startedAt: string;
  /** `now()` at the start. */
  readonly began: number;
  readonly seed: number;
  readonly catalogue: Catalogue;
}

export function beginning(seed: number = randomInt(2 ** 31)): Beginning {
  return { run: runId(), startedAt: new Date().toISOString(), began: now(), seed, catalogue: loadRequirements() };
}

/** What an explorer of any kind goes by. */
export interface Settings<Event> extends Pick<Beginning, 'run' | 'seed'> {
  readonly runs: number;
  readonly path?: string | undefined;
  /** Milliseconds after which nothing new begins. */
  readonly maxTime?: number | undefined;
  /** So many are tried while something is made small. */
  readonly shrinkAttempts: number;
  /** What explores as this does, for who wants to see a counterexample again. */
  readonly command: string;
  readonly judges: (requirement: string) => boolean;
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

/** Tells how far it is, where that has not just been told. */
export function seldom(tell: () => void): () => void {
  let told = 0;
  return () => {
    if (now() - told < tellEvery) return;
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
  /** With the seed, replays exactly this. */
  readonly path: string;
  /** How many shrinking tried. */
  readonly attempts: number;
  /** Whether shrinking came to its own end. */
  readonly smallest: boolean;
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

interface Unreachable {
  readonly unreachable: string;
}

/** What is opened, and left as it was. */
interface Place {
  leave(interrupted: boolean, dead?: string): Promise<Departure>;
}

interface Campaign<P extends Place, Event, Explored, Result> {
  readonly started: Event;
  readonly place: P | Unreachable;
  readonly work: (place: P, told: Pick<Settings<Event>, 'signal' | 'tell'>) => Promise<Explored>;
  /** What it comes to where nothing can be reached. */
  readonly unreached: (why: string) => Explored;
  readonly finish: (explored: Explored, notes: readonly string[]) => Result;
  readonly signal: AbortSignal | undefined;
}

/** Whenever the reader stops, everything that was created is removed and what is open is closed. `dead`: why the target cannot be asked. */
export async function* campaign<
  P extends Place,
  Event,
  Explored extends { readonly dead?: string | undefined },
  Result,
>({
  started,
  place,
  work,
  unreached,
  finish,
  signal,
}: Campaign<P, Event, Explored, Result>): AsyncGenerator<Event | Finished<Result>, Result> {
  yield started;
  let notes: readonly string[] = [];
  let dead: string | undefined;
  const explored =
    'unreachable' in place
      ? unreached(place.unreachable)
      : yield* whileTold<Event, Explored>(
          async (tell, signal) => {
            const found = await work(place, { tell, signal });
            dead = found.dead;
            return found;
          },
          async (interrupted) => {
            ({ notes } = await place.leave(interrupted, dead));
          },
          signal,
        );
  const result = finish(explored, notes);
  yield { type: 'exploration finished', result };
  return result;
}
