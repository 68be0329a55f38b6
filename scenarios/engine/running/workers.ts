import { setMaxListeners } from 'node:events';
import type { Plan } from '../files/plan.ts';
import { asksPerson } from '../files/scenario-entries.ts';
import type { ExitBasis } from '../judging/exit.ts';
import { notRun } from '../judging/scenario-state.ts';
import type { Stop } from '../judging/verdict.ts';
import { now } from '../messages/target.ts';
import type { RunEvent, RunResult, ScenarioResult } from '../results/result.ts';
import type { BaselineOutcome, Death, Strictness } from '../results/run-context.ts';
import type { Liveness } from '../targets/liveness.ts';
import { Losses, withoutUnanswered } from './losses.ts';
import { Recovery, type RunRecord } from './recovery.ts';
import type { RunnerOptions, ScenarioRunner } from './scenario/scenario-runner.ts';
import { deservesSecondRun, lacksAnswer, lostIn, SecondRuns } from './second-runs.ts';

export interface RunOptions extends Pick<RunnerOptions, 'ask'> {
  /** Concurrent scenarios. */
  readonly jobs: number;
  /** Stop after so many failed scenarios, not counting those in which a baseline knows every failure. */
  readonly maxFail?: number;
  /** Whether a failed scenario runs again, alone, before it is reported; true when absent. */
  readonly again?: boolean;
  /** Whether every rule checks every exchange, and resources are read before they are removed; true when absent. */
  readonly rules?: boolean;
  /** Ends the run: scenarios finish their request and clean up; the result says so. */
  readonly signal?: AbortSignal;
  /** The strictness of the run. */
  readonly strictness?: Strictness;
  /** Compares checks of gaps with the reference CSE. */
  readonly compare?: Hook<readonly ScenarioResult[]>;
  /** The target's claims, with their results; those of the plan when absent. */
  readonly checkClaims?: Hook<Pick<RunResult, 'ics' | 'profile'>>;
  /** Marks the failed checks that a baseline knows. */
  readonly mark?: Hook<{ readonly scenarios: readonly ScenarioResult[]; readonly outcome: BaselineOutcome }>;
  /** Restarts a target that stays dead for `waitForTarget`; the run then goes on. */
  readonly restart?: () => Promise<void>;
  /** Deaths of the target after which the run is given up; 100 when absent. */
  readonly mostDeaths?: number;
  /** Assumptions about the target, as sentences. */
  readonly assumed?: readonly string[];
  /** Collects notes that are no deviations after all scenarios. */
  readonly notes?: (about: Pick<RunnerOptions, 'run' | 'installations'>) => Promise<readonly string[]>;
}

/** Evaluates the scenarios of a run when all are over. */
type Hook<Found> = (scenarios: readonly ScenarioResult[], run: Pick<RunResult, 'run' | 'dialect' | 'target'>) => Found;

interface Shared extends Pick<RunnerOptions, 'plan' | 'survival' | 'signal'> {
  readonly emit: (event: RunEvent) => void;
  /** Runs one scenario; `notSent` says why nothing may be sent now. */
  readonly runner: (notSent: RunnerOptions['notSent']) => ScenarioRunner;
  /** Whether a baseline knows every violation in a result. */
  readonly isKnown: (result: ScenarioResult) => boolean;
}

export interface WorkOutcome extends Pick<ExitBasis, 'scenarios' | 'stop' | 'deaths' | 'inUse'> {
  /** Exchanges that rules checked, by requirement. */
  readonly evidence?: RunResult['evidence'];
  /** Findings about the targets that are no deviations. */
  readonly notes?: readonly string[];
}

/** Runs the scenarios of a plan concurrently and decides when to stop. */
export class Workers {
  stop: Stop | undefined;
  readonly #plan: Plan;
  readonly #options: RunOptions;
  readonly #emit: Shared['emit'];
  readonly #signal: AbortSignal;
  readonly #isKnown: Shared['isKnown'];
  readonly #runner: ScenarioRunner;
  readonly #results: Array<ScenarioResult | undefined> = [];
  readonly #again: RunRecord[] = [];
  readonly #secondRuns = new SecondRuns(() => this.deaths.length);
  /** Scenarios to run from their start. */
  readonly #restarts: RunRecord[] = [];
  /** Positions in the plan of scenarios that have not begun: those that ask a person, one at a time beside all others, and those that do not. */
  readonly #left: Readonly<Record<'asking' | 'silent', number[]>>;
  /** Numbers the runs beyond the plan. */
  #more: number;
  readonly #losses: Losses;
  readonly #recovery: Recovery | undefined;
  readonly #liveness: Liveness | undefined;
  #failed = 0;

  constructor(shared: Shared, options: RunOptions) {
    const { plan, survival, emit, signal } = shared;
    this.#isKnown = shared.isKnown;
    this.#plan = plan;
    const those = (isAsking: boolean) => plan.scenarios.flatMap((one, at) => (asksPerson(one) === isAsking ? at : []));
    this.#left = { asking: those(true), silent: those(false) };
    this.#options = options;
    this.#emit = emit;
    this.#signal = signal;
    this.#more = plan.scenarios.length;
    this.#losses = new Losses(options.jobs);
    this.#runner = shared.runner(() => this.#recovery?.notSent);
    this.#recovery =
      survival &&
      new Recovery({
        ...survival,
        ...{ restart: options.restart, mostDeaths: options.mostDeaths },
        startedAt: now(),
        run: (record) => this.#runAlone(record),
        emit,
        signal,
      });
    this.#liveness = survival?.liveness;
    // All scenarios may listen to it at once, which node would report as a leak.
    setMaxListeners(0, signal);
  }

  get deaths(): readonly Death[] {
    return this.#recovery?.deaths ?? [];
  }

  /**
   * Returns the results in the order of the plan. After an interruption, scenarios end after their current request and clean
   * up.
   */
  async work(): Promise<WorkOutcome> {
    if (this.#signal.aborted) this.#interrupt();
    this.#signal.addEventListener('abort', () => this.#interrupt(), { once: true });
    const count = Math.max(1, Math.min(this.#options.jobs, this.#plan.scenarios.length));
    const workers = () => Array.from({ length: count }, () => this.#worker('silent'));
    do await Promise.all([...workers(), ...(this.#left.asking.length > 0 ? [this.#worker('asking')] : [])]);
    while (await this.#recovered());
    this.#stopFor(this.#losses.atEnd());
    for (const record of this.#again) await this.#runAgain(record);
    this.#emitUnrun();
    return {
      scenarios: this.#results.filter((result) => result !== undefined),
      stop: this.stop,
      deaths: this.#recovery?.deaths,
      inUse: this.#runner.inUse,
      evidence: this.#runner.evidence.report(),
      notes: this.stop === undefined ? [...(await this.#runner.notes()), ...this.#secondRuns.accidents] : [],
    };
  }

  /** Without effect on a finished run. */
  #interrupt(): void {
    if (this.#results.filter(Boolean).length < this.#plan.scenarios.length) {
      this.stop ??= { kind: 'interrupted', reason: 'the run was interrupted' };
    }
  }

  async #worker(of: 'asking' | 'silent'): Promise<void> {
    for (let next = this.#next(of); next !== undefined; next = this.#next(of)) {
      const { scenario, number, name } = next;
      this.#emit({ type: 'scenario started', id: scenario.id, title: scenario.title });
      const record = { scenario, number, result: await this.#runner.run(scenario, name) };
      if (this.#recovery?.accepts(record) !== true) this.#settle(record);
    }
  }

  /** `counts`: whether the result may show that the target is lost; deaths are known anyway. */
  #settle(record: RunRecord, counts = true): void {
    const { result, number } = record;
    this.#results[number - 1] = result;
    if (counts) this.#stopFor(this.#losses.note(result));
    this.#judgeStop(result);
    const isOpen = this.#options.again !== false || lacksAnswer(result);
    const again = isOpen && result.again === undefined && deservesSecondRun(result);
    if (again) this.#again.push(record);
    else this.#emit({ type: 'scenario finished', result });
  }

  /** Whether the target died and is back, so that scenarios can go on. */
  async #recovered(): Promise<boolean> {
    if (this.#recovery?.notSent === undefined) return false;
    const { settled, again, stop } = await this.#recovery.recover(this.stop !== undefined);
    for (const record of settled) this.#settle(record, false);
    this.#restarts.push(...again);
    this.#stopFor(stop);
    return this.stop === undefined;
  }

  /** Alone, so that nothing else in the run can cause the failure. */
  async #runAgain({ scenario, number }: RunRecord): Promise<void> {
    const first = this.#results[number - 1];
    if (first === undefined) return;
    const runs = [first];
    const goesOn = () =>
      !(this.#signal.aborted || this.stop?.kind === 'unreachable' || this.#secondRuns.areEnough(runs));
    for (let left = this.#options.again === false ? 0 : this.#secondRuns.most; left > 0 && goesOn(); left -= 1) {
      const next = await this.#alone({ scenario, number, result: runs.at(-1) ?? first });
      if (next === undefined) continue;
      this.#stopFor(this.#losses.note(next));
      runs.push(next);
    }
    const [, second] = runs;
    if (this.deaths.length === 0 && second !== undefined) this.#recovery?.noteDropped(first, second);
    const [head, ...others] =
      this.stop?.kind === 'unreachable' && runs.length === 1 ? [withoutUnanswered(first, this.stop.reason)] : runs;
    const result = this.#secondRuns.judge(head ?? first, others);
    this.#results[number - 1] = result;
    this.#emit({ type: 'scenario finished', result });
  }

  /** More slowly, where answers were missing before. */
  #runAlone({ scenario, result }: RunRecord): Promise<ScenarioResult> {
    const run = () => this.#runner.run(scenario, ++this.#more);
    return (lostIn(result).length > 0 ? this.#liveness?.cautiously(run) : undefined) ?? run();
  }

  /** Undefined where the target died before the end of the scenario. */
  async #alone(record: RunRecord): Promise<ScenarioResult | undefined> {
    const second = { ...record, result: await this.#runAlone(record) };
    if (this.#recovery?.accepts(second) !== true) return second.result;
    const { settled, stop } = await this.#recovery.recover(false);
    this.#stopFor(stop);
    return settled[0]?.result;
  }

  /** Reports scenarios that did not run because the target was dead. */
  #emitUnrun(): void {
    if (this.deaths.length === 0 || this.stop?.kind !== 'unreachable') return;
    const { reason } = this.stop;
    this.#plan.scenarios.forEach((scenario, at) => {
      if (this.#results[at] !== undefined) return;
      const result = notRun(scenario, 'lost', reason);
      this.#results[at] = result;
      this.#emit({ type: 'scenario finished', result });
    });
  }

  /** The next scenario, its number in the plan, and the number that makes its names unique. */
  #next(of: 'asking' | 'silent'): (Omit<RunRecord, 'result'> & { readonly name: number }) | undefined {
    if (this.stop !== undefined || this.#recovery?.notSent !== undefined) return undefined;
    const anew = this.#restarts.shift();
    if (anew !== undefined) return { ...anew, name: ++this.#more };
    const number = 1 + (this.#left[of].shift() ?? -1);
    const scenario = this.#plan.scenarios[number - 1];
    return scenario && { scenario, number, name: number };
  }

  #judgeStop(result: ScenarioResult): void {
    const { maxFail } = this.#options;
    if (maxFail === undefined || result.state !== 'failed' || this.#isKnown(result)) return;
    this.#failed += 1;
    if (this.#failed < maxFail) return;
    const count = this.#failed === 1 ? 'one failed scenario' : `${this.#failed} failed scenarios`;
    this.stop ??= { kind: 'enough', reason: `the run stopped after ${count}` };
  }

  #stopFor(reason: string | undefined): void {
    if (reason !== undefined) this.stop ??= { kind: 'unreachable', reason };
  }
}
