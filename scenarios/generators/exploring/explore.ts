/** Explores a target: checks generated sequences of requests by rules until one shows a deviation, and shrinks it. */
import { defined } from '../../engine/basics/defined.ts';
import { UsageError } from '../../engine/basics/diagnostics.ts';
import { nowhere } from '../../engine/files/scenario-entries.ts';
import { observationOf } from '../../engine/judging/answer.ts';
import { judgeCheck } from '../../engine/judging/check.ts';
import { titleOf } from '../../engine/judging/sentences.ts';
import type { CheckResult } from '../../engine/results/result.ts';
import type { Death } from '../../engine/results/run-context.ts';
import { labelOf } from '../../engine/running/scenario/scenario-context.ts';
import { allRulesOf, type LoadedRule } from '../../oracle/rules.ts';
import { maskedRun } from '../../safety/masked.ts';
import { type Confirmed, confirm } from '../counterexample/confirm.ts';
import { type CounterexampleScenario, toScenario } from '../counterexample/scenario.ts';
import { counterexampleText } from '../counterexample/text.ts';
import type { CheckCriteria, Finish, Settings } from '../search/campaign.ts';
import { campaign, criteriaOf, defaultEvents, exitOf, violation } from '../search/campaign.ts';
import { CrashRecovery, type MonitoredTarget, monitoredIn } from '../search/crash-recovery.ts';
import { type ExploreOptions, usual } from '../search/explore-options.ts';
import { firstFind, type Trial } from '../search/first-find.ts';
import { lostBy, oneAt, type Shrunk } from '../search/seeded.ts';
import { type ExplorationSession, openSession } from '../search/session.ts';
import { Statistics } from '../search/statistics.ts';
import { aliveRequirement, diedOf, isDeath, lostIn } from '../sequences/death.ts';
import { type AnyOperation, type Language, languageOf } from '../sequences/language.ts';
import { type FailedOutcome, failedIn, type SequenceFailure, SequenceRun } from '../sequences/sequence-run.ts';
import type { Counterexample, ExploreEvent, ExploreResult } from './exploration.ts';
import { type SearchPart, searchParts } from './search-parts.ts';

/**
 * Explores a target. Yields events; the last one carries the result, which is also the return value.
 * Throws UsageError before the first event for unusable options.
 */
export const explore = (options: ExploreOptions) => maskedRun(runExploration, options);

async function* runExploration(options: ExploreOptions): AsyncGenerator<ExploreEvent, ExploreResult> {
  const { target, safety, jobs = usual.jobs, pair, dialect, focus, except, level, processes = 1, restart } = options;
  if (processes > 1 && (target.kind === 'url' || target.kind === 'fetch'))
    throw new UsageError('--processes goes with the reference CSE, of which each process has one');
  const statistics = new Statistics();
  return yield* campaign<ExplorationSession, ExploreEvent, ExploreOutcome, ExploreResult>(options, {
    ...{ ...defaultEvents, usual },
    open: (opening) => openSession({ ...opening, target, safety, dialect, pair, jobs }),
    work: async (session, settings) => {
      const criteria = criteriaOf(options, settings, session);
      const { seed, timeout } = settings;
      const whole = { target, jobs, timeout, seed, ...defined({ dialect, pair, focus, except, level }) };
      const own = { statistics, processes, whole, ...defined({ restart }) };
      return new Explorer(session, { ...settings, ...criteria, ...own }).explore();
    },
    searched: () => ({ type: 'searched', sequences: statistics.sequences, steps: statistics.steps }),
    deadIn: ({ dead }) => dead,
    unreached: (lost) => ({ lost, searched: 0, deaths: [] }),
    finish: finishing(statistics),
  });
}

function finishing(statistics: Statistics): Finish<ExploreOutcome, ExploreResult> {
  return ({ counterexample, lost, searched, deaths }, common, interrupted) => {
    const { sequences, steps } = statistics;
    const exercised = statistics.exercised();
    const isKilled = deaths.some(({ culprit }) => culprit !== undefined);
    const found = counterexample && violation(counterexample.requirement, counterexample.confirmed);
    return {
      ...{ ...common, sequences, steps, searched, exercised, ...defined({ counterexample }) },
      ...(deaths.length > 0 && { deaths }),
      exit: exitOf({
        ...{ interrupted, lost, deaths: [['', deaths]] },
        // The death is what was found.
        found: isKilled ? undefined : found,
        nothing: Object.keys(exercised.requirements).length === 0 ? 'nothing was checked' : undefined,
        sound: `no deviation in ${sequences} sequences with ${steps} requests`,
      }),
    };
  };
}

interface ExplorerOptions extends Settings<ExploreEvent>, CheckCriteria {
  readonly restart?: () => Promise<void>;
  readonly statistics: Statistics;
  /** If more than one, others search in place of this one, each a part of the whole. */
  readonly processes: number;
  readonly whole: SearchPart;
}

interface ExploreOutcome {
  readonly counterexample?: Counterexample;
  readonly lost?: string;
  readonly deaths: readonly Death[];
  /** Why the target is out of reach, if it died and is not back. */
  readonly dead?: string;
  /** Milliseconds of searching. */
  readonly searched: number;
}

/** Searches, shrinks and describes what is found. */
class Explorer {
  readonly #session: ExplorationSession;
  readonly #language: Language;
  readonly #rules: readonly LoadedRule[];
  readonly #options: ExplorerOptions;
  readonly #monitored: readonly MonitoredTarget[];
  readonly #recovery: CrashRecovery;

  constructor(session: ExplorationSession, options: ExplorerOptions) {
    this.#session = session;
    this.#language = languageOf(session);
    const { isChecked, isExcepted } = options;
    this.#rules = allRulesOf(session.dialect).filter(({ requirement: id }) => isChecked(id) || isExcepted(id));
    this.#options = options;
    this.#monitored = monitoredIn(session, options);
    this.#recovery = new CrashRecovery(this.#monitored);
  }

  async explore(): Promise<ExploreOutcome> {
    const { path, processes } = this.#options;
    const inParts = path === undefined && processes > 1 ? () => this.#searchParts() : undefined;
    const trial = this.#trial();
    const { small, lost, searched } = await firstFind(this.#options, trial, this.#recovery, inParts);
    const counterexample = small && (await this.#describe(small));
    // Leftovers are removed once it is back.
    await this.#recovery.ready().catch(lostBy);
    const deaths = this.#monitored.flatMap((one) => one.deaths.all);
    const dead = this.#recovery.isDown ? this.#recovery.over : undefined;
    return { searched, deaths, ...defined({ counterexample, lost, dead }) };
  }

  #trial(): Trial<AnyOperation[], FailedOutcome, ExploreEvent> {
    const { statistics, reportProgress } = this.#options;
    const requirementOf = ({ failure }: FailedOutcome) => failure.expected.requirement;
    return {
      ...{ arbitrary: this.#language.sequences, jobs: this.#session.jobs },
      isDeath: ({ failure }) => isDeath(failure),
      tried: async (operations, path) => {
        const result = await this.#failed(operations, path, statistics);
        statistics.sequences += 1;
        reportProgress();
        return result;
      },
      // The shortest sequence that fails for the same requirement.
      again: async (operations, result) => {
        const failed = await this.#failed(operations);
        return failed && requirementOf(failed) === requirementOf(result) ? failed : undefined;
      },
      found: ({ result, path, one }) => {
        return { type: 'failure found', requirement: requirementOf(result), path, operations: one.length };
      },
      smaller: ({ length }, attempts) => ({ type: 'shrunk', operations: length, attempts }),
    };
  }

  async #failed(operations: readonly AnyOperation[], path = 'being shrunk', statistics?: Statistics) {
    const { run, nextNumber } = this.#options;
    const label = labelOf(run, nextNumber());
    const installation = await this.#session.installation();
    const options = { ...this.#options, installation, label, session: this.#session, rules: this.#rules, statistics };
    const outcome = await new SequenceRun(options, this.#language.moves(installation, label)).run(operations);
    for (const { underWay } of this.#monitored) underWay.push(...lostIn(path, outcome));
    return failedIn(outcome);
  }

  /** What failed in another process fails in this one. */
  async #searchParts() {
    const { seed, processes, whole } = this.#options;
    const { path, lost } = await searchParts(whole, processes, this.#options);
    if (path === undefined) return { found: [], lost };
    const one = oneAt({ seed, arbitrary: this.#language.sequences }, path) ?? [];
    const result = await this.#failed(one, path);
    if (result !== undefined) return { found: [{ path, one, result }] };
    const says = `the sequence ${path} showed a deviation once, and none when it was sent again`;
    return { found: [], lost: says };
  }

  async #describe(small: Shrunk<AnyOperation[], FailedOutcome>): Promise<Counterexample | undefined> {
    const { path, result, atFirst, one: left, attempts, smallest } = small;
    const { failure, performed, label } = result;
    const { seed, requirements, command } = this.#options;
    const { dialect } = this.#session;
    const { requirement: id } = failure.expected;
    const draft = toScenario(performed, failure.expected, { ...this.#session, dialect, label });
    const confirmed = await this.#confirm(draft, id);
    const { failed, scenario, died = false } = confirmed;
    const { expected, actual } = isDeath(failure) ? diedOf(failure) : (failed ?? seenOnce(failure));
    const requirement = isDeath(failure) ? aliveRequirement : requirements.get(id);
    if (requirement === undefined) return undefined;
    return {
      requirement: id,
      says: requirement.says,
      ...{ path, command, attempts, smallest },
      operations: { found: atFirst.length, left },
      steps: scenario.steps.map((step) => titleOf(step, new Map())),
      expected: expected.join('; or '),
      actual,
      curl: failure.exchange.curl,
      scenario: counterexampleText(scenario, { requirement, seed, path, actual, command }),
      confirmed: failed !== undefined || died || (isDeath(failure) && this.#recovery.isSure),
    };
  }

  #confirm(draft: CounterexampleScenario, requirement: string): Promise<Confirmed> {
    const { run, signal, nextNumber } = this.#options;
    const use = async () => {
      await this.#recovery.ready();
      return { installation: await this.#session.installation(), number: nextNumber() };
    };
    const context = { use, run, signal, isDown: () => this.#recovery.isDown };
    return confirm(draft, requirement, context).catch((error: unknown) => lostBy(error) && { scenario: draft });
  }
}

/** What was seen the first time, as a check result. */
function seenOnce({ expected, exchange, byRule }: SequenceFailure): Pick<CheckResult, 'expected' | 'actual'> {
  const seen = {
    observation: observationOf(exchange),
    names: new Map(),
    expect: 'either',
    level: 'documented',
  } as const;
  return byRule ?? judgeCheck({ ...expected, place: nowhere }, seen);
}
