import { defined } from '../../engine/basics/defined.ts';
import { nowhere } from '../../engine/files/scenario-entries.ts';
import { observationOf } from '../../engine/judging/answer.ts';
import { judgeCheck } from '../../engine/judging/check.ts';
import { titleOf } from '../../engine/judging/sentences.ts';
import { now, since } from '../../engine/messages/target.ts';
import type { CheckResult, Death } from '../../engine/results/result.ts';
import { type Confirmed, confirm } from '../counterexample/confirm.ts';
import { type CounterexampleScenario, scenarioOf } from '../counterexample/scenario.ts';
import { counterexampleText } from '../counterexample/text.ts';
import { type PartsOptions, searchParts } from '../parts/search-parts.ts';
import type { Arena } from '../search/arena.ts';
import type { Judging, Settings } from '../search/campaign.ts';
import { lostBy, oneAt, type Shrunk, shrink } from '../search/seeded.ts';
import type { Statistics } from '../search/statistics.ts';
import { aboutLife, diedOf, isDeath } from '../sequences/death.ts';
import { type AnyOperation, languageOf } from '../sequences/language.ts';
import { type FailedOutcome, failedIn, type SequenceFailure } from '../sequences/sequence-run.ts';
import { type RunSequence, sequenceRunner } from '../sequences/sequence-runner.ts';
import type { Counterexample, ExploreEvent } from './exploration.ts';
import { type FoundSequence, type SearchEnd, Survivor } from './survivor.ts';

export interface ExplorerOptions extends Settings<ExploreEvent>, Judging {
  readonly restart?: () => Promise<void>;
  readonly statistics: Statistics;
  /** Where other processes search in the place of this one. */
  readonly parts?: {
    readonly processes: number;
    readonly whole: Omit<PartsOptions['whole'], 'seed' | 'runs'>;
  };
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

type SmallSequence = Shrunk<AnyOperation[], FailedOutcome>;

/** Searches, shrinks and writes down what is found. */
export class Explorer {
  readonly #arena: Arena;
  readonly #run: RunSequence;
  readonly #options: ExplorerOptions;
  readonly #survivor: Survivor;

  constructor(arena: Arena, options: ExplorerOptions) {
    this.#arena = arena;
    this.#run = sequenceRunner(arena, options);
    this.#options = options;
    this.#survivor = new Survivor(arena, { ...options, run: this.#run });
  }

  get #chosen() {
    return { ...this.#options, made: languageOf(this.#arena).sequences };
  }

  async explore(): Promise<Explored> {
    const began = now();
    const { found, lost } = await this.#search();
    const searched = since(began);
    this.#options.tellHowFar('in any case');
    const counterexample = found && (await this.#counterexample(found));
    // What is left there is removed once it is back.
    await this.#survivor.ready().catch(lostBy);
    const { deaths, over } = this.#survivor;
    const dead = this.#survivor.isDown ? over : undefined;
    return { searched, deaths, ...defined({ counterexample, lost, dead }) };
  }

  async #search(): Promise<SearchEnd> {
    const { path, runs, seed, parts, tellHowFar: told } = this.#options;
    if (path === undefined && parts !== undefined) {
      const whole = { ...parts.whole, seed, runs };
      const { path: found, lost } = await searchParts({ ...this.#options, processes: parts.processes, told, whole });
      return found === undefined ? { lost } : this.#seenAgain(found);
    }
    return this.#survivor.search({ ...this.#chosen, jobs: this.#arena.jobs }, async (operations) => {
      const { statistics } = this.#options;
      const outcome = await this.#run(operations, statistics);
      statistics.sequences += 1;
      told();
      return outcome;
    });
  }

  /** What failed in another process fails in this one. */
  async #seenAgain(path: string): Promise<SearchEnd> {
    const one = oneAt(this.#chosen, path) ?? [];
    const shown = failedIn(await this.#run(one));
    if (shown !== undefined) return { found: { path, one, shown } };
    return { lost: `the sequence ${path} showed a deviation once, and none when it was sent again` };
  }

  async #counterexample(found: FoundSequence): Promise<Counterexample | undefined> {
    const { tell } = this.#options;
    const { requirement } = found.shown.failure.expected;
    tell({ type: 'failure found', requirement, path: found.path, operations: found.one.length });
    // The shortest sequence that fails for the same requirement.
    const small = await shrink(found, {
      ...this.#chosen,
      run: async (tried) => {
        const again = failedIn(await this.#survivor.run(tried));
        return again?.failure.expected.requirement === requirement ? again : undefined;
      },
      onSmaller: ({ length }, attempts) => tell({ type: 'shrunk', operations: length, attempts }),
    });
    return this.#described(found, small);
  }

  async #described(found: FoundSequence, small: SmallSequence): Promise<Counterexample | undefined> {
    const { failure, performed, label } = small.shown;
    const { seed, requirements, command } = this.#options;
    const { dialect } = this.#arena;
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
      operations: { found: found.one.length, left: small.one },
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
    const { run, signal, nextNumber } = this.#options;
    const use = async () => {
      await this.#survivor.ready();
      return { installation: await this.#arena.installation(), number: nextNumber() };
    };
    const place = { use, run, signal, isDown: () => this.#survivor.isDown };
    return confirm(drawn, requirement, place).catch((error: unknown) => lostBy(error) && { scenario: drawn });
  }
}

/** What was seen when nothing was sent again yet, in the words of a check. */
function seenOnce({
  expected: { requirement, check },
  exchange,
  byRule,
}: SequenceFailure): Pick<CheckResult, 'expected' | 'actual'> {
  if (byRule !== undefined) return byRule;
  const seen = observationOf(exchange);
  return judgeCheck(
    { requirement, check, place: nowhere },
    { seen, names: new Map(), expect: 'either', level: 'documented' },
  );
}
