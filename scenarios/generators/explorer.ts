import { defined } from '../engine/defined.ts';
import type { Requirement } from '../engine/files/catalogue.ts';
import { observationOf } from '../engine/judging/answer.ts';
import { judgeCheck } from '../engine/judging/check.ts';
import type { CheckResult, Death } from '../engine/result.ts';
import { titleOf } from '../engine/running/step-title.ts';
import { now, since } from '../engine/targets/target.ts';
import type { Arena } from './arena.ts';
import { type Confirmed, confirm } from './counterexample/confirm.ts';
import { type CounterexampleScenario, scenarioOf } from './counterexample/scenario.ts';
import { counterexampleText } from './counterexample/text.ts';
import { aboutLife, diedOf, isDeath } from './death.ts';
import type { Counterexample, ExploreEvent } from './exploration.ts';
import type { AnyOperation } from './language.ts';
import { type FoundSequence, type Searched, search } from './search.ts';
import { type Failure, type SequenceOutcome, TargetLost } from './sequence-run.ts';
import { SequenceRunner } from './sequence-runner.ts';
import { type Shrunk, sequenceAt, shrink } from './shrink.ts';
import type { Statistics } from './statistics.ts';
import { type Found, survivedSearch } from './survived-search.ts';
import { Survivor } from './survivor.ts';

export interface ExplorerOptions {
  readonly seed: number;
  readonly runs: number;
  readonly path?: string;
  /** Milliseconds after which no new sequence begins. */
  readonly maxTime?: number;
  /** Sequences that shrinking tries. */
  readonly shrinkAttempts: number;
  readonly run: string;
  /** `now()` at the start. */
  readonly startedAt: number;
  readonly restart?: () => Promise<void>;
  /** What explores as this does, for who wants to see a counterexample again. */
  readonly command: string;
  readonly judges: (requirement: string) => boolean;
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly statistics: Statistics;
  readonly signal: AbortSignal;
  readonly tell: (event: ExploreEvent) => void;
  /** Searches in the place of this process, until it is enough: the path of the first sequence that failed. */
  readonly elsewhere?: (
    enough: () => boolean,
    told: () => void,
  ) => Promise<{ readonly path?: string; readonly lost?: string }>;
}

export interface Explored {
  readonly counterexample?: Counterexample;
  readonly lost?: string;
  readonly deaths: readonly Death[];
  /** Why the target is not asked any more, where it died and is not back. */
  readonly dead?: string;
  /** Milliseconds of searching. */
  readonly searched: number;
}

/** Milliseconds between two events that only say how far it is. */
const tellEvery = 100;

/** Searches, shrinks and writes down what is found. */
export class Explorer {
  readonly #arena: Arena;
  readonly #runner: SequenceRunner;
  readonly #options: ExplorerOptions;
  readonly #survivor: Survivor;
  #told = 0;

  constructor(arena: Arena, options: ExplorerOptions) {
    this.#arena = arena;
    this.#runner = new SequenceRunner(arena, options);
    this.#options = options;
    this.#survivor = new Survivor(arena, { ...options, run: (operations) => this.#runner.run(operations) });
  }

  async explore(): Promise<Explored> {
    const { signal, maxTime = Number.POSITIVE_INFINITY } = this.#options;
    const began = now();
    const enough = () => signal.aborted || since(began) > maxTime;
    const { found, lost } = await this.#search(enough);
    const searched = since(began);
    const { statistics, tell } = this.#options;
    tell({ type: 'searched', sequences: statistics.sequences, steps: statistics.steps });
    const counterexample = found && (await this.#counterexample(found));
    // What is left there is removed once it is back.
    await this.#survivor.ready().catch(lostAs);
    const { deaths, over } = this.#survivor;
    const dead = this.#survivor.isDown ? over : undefined;
    return { searched, deaths, ...defined({ counterexample, lost, dead }) };
  }

  async #search(enough: () => boolean): Promise<Found> {
    const { path, runs, statistics, elsewhere } = this.#options;
    if (path !== undefined) return this.#replayedOnce(path, statistics);
    if (elsewhere !== undefined) {
      const { path: found, lost } = await elsewhere(enough, () => this.#tellHowFar());
      return found === undefined ? { ...(lost !== undefined && { lost }) } : this.#seenAgain(found);
    }
    return survivedSearch((from) => this.#searched(from, enough), { survivor: this.#survivor, runs, enough });
  }

  #searched(from: number, enough: () => boolean): Promise<Searched> {
    const { seed, runs } = this.#options;
    const { jobs } = this.#arena;
    const options = { sequences: this.#runner.sequences, seed, from, runs: runs - from, jobs, enough };
    return search(options, (operations) => this.#counted(operations));
  }

  /** The sequence of which the user gives the path. */
  async #replayedOnce(path: string, statistics: Statistics): Promise<Found> {
    const replayed: Found = await this.#replayed(path, statistics).catch(lostAs);
    if (!this.#survivor.isDown) return replayed;
    const suspects = replayed.found === undefined ? [] : [replayed.found];
    return defined({ found: await this.#survivor.killerAmong(suspects), lost: this.#survivor.over });
  }

  /** The sequence at a path of the seed, by itself. */
  async #replayed(path: string, statistics?: Statistics): Promise<Found> {
    const operations = await sequenceAt(this.#runner.sequences, this.#options.seed, path);
    if (operations === undefined) return {};
    const outcome = await (statistics ? this.#counted(operations) : this.#runner.run(operations));
    return outcome.failure === undefined ? {} : { found: { path, operations, outcome } };
  }

  /** What failed in another process fails in this one. */
  async #seenAgain(path: string): Promise<Found> {
    const { found } = await this.#replayed(path);
    if (found !== undefined) return { found };
    return { lost: `the sequence ${path} showed a deviation once, and none when it was sent again` };
  }

  async #counted(operations: readonly AnyOperation[]): Promise<SequenceOutcome> {
    const { statistics } = this.#options;
    const outcome = await this.#runner.run(operations, statistics);
    statistics.sequences += 1;
    this.#tellHowFar();
    return outcome;
  }

  #tellHowFar(): void {
    if (now() - this.#told < tellEvery) return;
    this.#told = now();
    const { statistics, tell } = this.#options;
    tell({ type: 'searched', sequences: statistics.sequences, steps: statistics.steps });
  }

  async #counterexample(found: FoundSequence): Promise<Counterexample | undefined> {
    const { failure } = found.outcome;
    if (failure === undefined) return undefined;
    const { tell, path } = this.#options;
    const { requirement } = failure.expected;
    tell({ type: 'failure found', requirement, path: found.path, operations: found.operations.length });
    if (path !== undefined) return this.#described(found, { ...found, attempts: 0, complete: false });
    return this.#described(found, await this.#shrunk(found));
  }

  #shrunk(found: FoundSequence): Promise<Shrunk> {
    const { seed, shrinkAttempts, signal, tell } = this.#options;
    return shrink(found, (operations) => this.#survivor.run(operations), {
      ...{ sequences: this.#runner.sequences, seed, most: shrinkAttempts, signal },
      onSmaller: (operations, attempts) => tell({ type: 'shrunk', operations: operations.length, attempts }),
    });
  }

  async #described(found: FoundSequence, small: Shrunk): Promise<Counterexample | undefined> {
    const { failure, performed, label } = small.outcome;
    if (failure === undefined) return undefined;
    const { seed, requirements, command } = this.#options;
    const { dialect } = this.#arena.language;
    const { requirement: id } = failure.expected;
    const drawn = scenarioOf(performed, failure.expected, { ...this.#arena, dialect, label });
    const confirmed = await this.#confirmed(drawn, id);
    const { failed, scenario, died = false } = confirmed;
    const { expected, actual } = isDeath(failure) ? diedOf(failure) : (failed ?? seenOnce(failure));
    const requirement = isDeath(failure) ? aboutLife : requirements.get(id);
    if (requirement === undefined) return undefined;
    return {
      requirement: id,
      says: requirement.says,
      path: small.path,
      command,
      operations: { found: found.operations.length, left: small.operations },
      steps: scenario.steps.map((step) => titleOf(step, new Map())),
      expected: expected.join('; or '),
      actual,
      curl: failure.exchange.curl,
      scenario: counterexampleText(scenario, { requirement, seed, path: small.path, actual, command }),
      confirmed: failed !== undefined || died || (isDeath(failure) && this.#survivor.isSure),
      attempts: small.attempts,
      smallest: small.complete,
    };
  }

  #confirmed(drawn: CounterexampleScenario, requirement: string): Promise<Confirmed> {
    const { run, signal } = this.#options;
    const use = async () => {
      await this.#survivor.ready();
      return { installation: await this.#arena.installation(), number: this.#runner.nextNumber() };
    };
    const place = { use, enough: () => signal.aborted, isDown: () => this.#survivor.isDown };
    return confirm(drawn, requirement, {
      ...{ ...place, run, signal: signal.aborted ? new AbortController().signal : signal },
    }).catch((error: unknown) => ({ scenario: drawn, ...lostAs(error) }));
  }
}

function lostAs(error: unknown): { readonly lost: string } {
  if (!(error instanceof TargetLost)) throw error;
  return { lost: error.message };
}

/** What was seen when nothing was sent again yet, in the words of a check. */
function seenOnce({
  expected: { requirement, check },
  exchange,
  byRule,
}: Failure): Pick<CheckResult, 'expected' | 'actual'> {
  if (byRule !== undefined) return byRule;
  const place = { file: '', line: 1, column: 1 };
  const seen = observationOf(exchange);
  return judgeCheck({ requirement, check, place }, { seen, names: new Map(), expect: 'either', level: 'documented' });
}
