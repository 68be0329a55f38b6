import { defined } from '../../engine/basics/defined.ts';
import { nowhere } from '../../engine/files/scenario-entries.ts';
import { observationOf } from '../../engine/judging/answer.ts';
import { judgeCheck } from '../../engine/judging/check.ts';
import { titleOf } from '../../engine/judging/sentences.ts';
import type { CheckResult, Death } from '../../engine/results/result.ts';
import { type Confirmed, confirm } from '../counterexample/confirm.ts';
import { type CounterexampleScenario, scenarioOf } from '../counterexample/scenario.ts';
import { counterexampleText } from '../counterexample/text.ts';
import { type PartsOptions, searchParts } from '../parts/search-parts.ts';
import type { Arena } from '../search/arena.ts';
import type { Judging, Settings } from '../search/campaign.ts';
import { firstFind, type Trial } from '../search/first-find.ts';
import { lostBy, oneAt, type SeededFinding, type Shrunk } from '../search/seeded.ts';
import type { Statistics } from '../search/statistics.ts';
import { type Mortal, mortalsIn, Survivor } from '../search/survivor.ts';
import { aboutLife, diedOf, isDeath, lostIn } from '../sequences/death.ts';
import { type AnyOperation, languageOf } from '../sequences/language.ts';
import { type FailedOutcome, failedIn, type SequenceFailure } from '../sequences/sequence-run.ts';
import { type RunSequence, sequenceRunner } from '../sequences/sequence-runner.ts';
import type { Counterexample, ExploreEvent } from './exploration.ts';

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

type FoundSequence = SeededFinding<AnyOperation[], FailedOutcome>;
type SmallSequence = Shrunk<AnyOperation[], FailedOutcome>;

/** Searches, shrinks and writes down what is found. */
export class Explorer {
  readonly #arena: Arena;
  readonly #run: RunSequence;
  readonly #options: ExplorerOptions;
  readonly #mortals: readonly Mortal[];
  readonly #survivor: Survivor;

  constructor(arena: Arena, options: ExplorerOptions) {
    this.#arena = arena;
    this.#run = sequenceRunner(arena, options);
    this.#options = options;
    this.#mortals = mortalsIn(arena, options);
    this.#survivor = new Survivor(this.#mortals);
  }

  async explore(): Promise<Explored> {
    const { path, parts } = this.#options;
    const inParts = path === undefined && parts !== undefined ? () => this.#searchParts(parts) : undefined;
    const trial = this.#trial();
    const { found, small, lost, searched } = await firstFind(this.#options, trial, this.#survivor, inParts);
    const counterexample = found && small && (await this.#described(found, small));
    // What is left there is removed once it is back.
    await this.#survivor.ready().catch(lostBy);
    const deaths = this.#mortals.flatMap((one) => one.deaths.all);
    const dead = this.#survivor.isDown ? this.#survivor.over : undefined;
    return { searched, deaths, ...defined({ counterexample, lost, dead }) };
  }

  #trial(): Trial<AnyOperation[], FailedOutcome, ExploreEvent> {
    const { statistics, tellHowFar } = this.#options;
    const requirementOf = ({ failure }: FailedOutcome) => failure.expected.requirement;
    return {
      ...{ made: languageOf(this.#arena).sequences, jobs: this.#arena.jobs },
      isDeath: ({ failure }) => isDeath(failure),
      tried: async (operations, path) => {
        const shown = await this.#failed(operations, path, statistics);
        statistics.sequences += 1;
        tellHowFar();
        return shown;
      },
      // The shortest sequence that fails for the same requirement.
      again: async (operations, shown) => {
        const failed = await this.#failed(operations);
        return failed && requirementOf(failed) === requirementOf(shown) ? failed : undefined;
      },
      found: ({ shown, path, one }) => {
        return { type: 'failure found', requirement: requirementOf(shown), path, operations: one.length };
      },
      smaller: ({ length }, attempts) => ({ type: 'shrunk', operations: length, attempts }),
    };
  }

  async #failed(operations: readonly AnyOperation[], path = 'made small', statistics?: Statistics) {
    const outcome = await this.#run(operations, statistics);
    for (const { underWay } of this.#mortals) underWay.push(...lostIn(path, outcome));
    return failedIn(outcome);
  }

  /** What failed in another process fails in this one. */
  async #searchParts({ processes, whole }: NonNullable<ExplorerOptions['parts']>) {
    const { seed, runs, tellHowFar: told } = this.#options;
    const { path, lost } = await searchParts({ ...this.#options, processes, told, whole: { ...whole, seed, runs } });
    if (path === undefined) return { found: [], lost };
    const one = oneAt({ seed, made: languageOf(this.#arena).sequences }, path) ?? [];
    const shown = await this.#failed(one, path);
    if (shown !== undefined) return { found: [{ path, one, shown }] };
    const says = `the sequence ${path} showed a deviation once, and none when it was sent again`;
    return { found: [], lost: says };
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
