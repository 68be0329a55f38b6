import { setMaxListeners } from 'node:events';
import type { LoadedScenario } from '../files/load.ts';
import type { Plan } from '../files/plan.ts';
import { asksSomebody } from '../files/scenario-entries.ts';
import type { ExitBasis } from '../judging/exit.ts';
import { notRun } from '../judging/scenario-state.ts';
import type { Stop } from '../judging/verdict.ts';
import { now } from '../messages/target.ts';
import type { BaselineOutcome, Death, Strictness } from '../results/circumstances.ts';
import type { RunEvent, RunResult, ScenarioResult } from '../results/result.ts';
import type { Liveness } from '../targets/liveness.ts';
import { isWorthAnother, lacksAnswer, lostIn, SecondRuns } from './again.ts';
import { Losses, withoutUnanswered } from './losses.ts';
import { type Ran, Recovery } from './recovery.ts';
import type { RunnerOptions, ScenarioRunner } from './scenario/scenario-runner.ts';

export interface RunOptions extends Pick<RunnerOptions, 'ask'> {
  /** Scenarios at the same time. */
  readonly jobs: number;
  /** Stop after so many failed scenarios. */
  readonly maxFail?: number;
  /** Whether what failed runs once more, alone, before it is told; true when absent. */
  readonly again?: boolean;
  /** Whether every exchange is held against every rule, and what was made is looked at before it is removed; true when absent. */
  readonly rules?: boolean;
  /** Ends the run: what runs finishes its request and cleans up; the result says so. */
  readonly signal?: AbortSignal;
  /** By what the run is judged. */
  readonly strictness?: Strictness;
  /** Says of checks of gaps whether the reference CSE does the same. */
  readonly compared?: Look<readonly ScenarioResult[]>;
  /** What the target claims, with what the run shows of it; that of the plan when absent. */
  readonly behaved?: Look<Pick<RunResult, 'statement' | 'profile'>>;
  /** Marks the failed checks that a baseline knows. */
  readonly mark?: Look<{ readonly scenarios: readonly ScenarioResult[]; readonly outcome: BaselineOutcome }>;
  /** Brings a target back that died and stays dead for `waitForTarget`; the run then goes on. */
  readonly restart?: () => Promise<void>;
  /** After so many deaths of the target the run is given up; 100 when absent. */
  readonly mostDeaths?: number;
  /** What was taken for granted of the target, as sentences. */
  readonly assumed?: readonly string[];
  /** Looked for when all has run: what is worth knowing and no deviation. */
  readonly notes?: (about: Pick<RunnerOptions, 'run' | 'installations'>) => Promise<readonly string[]>;
}

/** What is found in the scenarios of a run when all of them are over. */
type Look<Found> = (scenarios: readonly ScenarioResult[], run: Pick<RunResult, 'run' | 'dialect' | 'target'>) => Found;

interface Shared extends Pick<RunnerOptions, 'plan' | 'survival' | 'signal'> {
  readonly tell: (event: RunEvent) => void;
  /** Runs one scenario; `notSent` says why nothing is to be sent now. */
  readonly runner: (notSent: RunnerOptions['notSent']) => ScenarioRunner;
}

export interface WorkOutcome extends Pick<ExitBasis, 'scenarios' | 'stop' | 'deaths' | 'taken'> {
  /** By requirement, what rules looked at. */
  readonly evidence?: RunResult['evidence'];
  /** What was found out about the targets that is no deviation. */
  readonly notes?: readonly string[];
}

/** Runs the scenarios of a plan side by side and decides when to stop. */
export class Workers {
  stop: Stop | undefined;
  readonly #plan: Plan;
  readonly #options: RunOptions;
  readonly #tell: Shared['tell'];
  readonly #signal: AbortSignal;
  readonly #runner: ScenarioRunner;
  readonly #results: Array<ScenarioResult | undefined> = [];
  readonly #again: Ran[] = [];
  readonly #secondRuns = new SecondRuns(() => this.deaths.length);
  /** Those that have to run from their start. */
  readonly #anew: Ran[] = [];
  /** Positions in the plan of what has not begun: what asks a person, one after the other beside all else, and what does not. */
  readonly #left: Readonly<Record<'asking' | 'silent', number[]>>;
  /** Numbers the runs beyond the plan. */
  #more: number;
  readonly #losses: Losses;
  readonly #recovery: Recovery | undefined;
  readonly #liveness: Liveness | undefined;
  #failed = 0;

  constructor(shared: Shared, options: RunOptions) {
    const { plan, survival, tell, signal } = shared;
    this.#plan = plan;
    const those = (wanted: boolean) => plan.scenarios.flatMap((one, at) => (asksSomebody(one) === wanted ? at : []));
    this.#left = { asking: those(true), silent: those(false) };
    this.#options = options;
    this.#tell = tell;
    this.#signal = signal;
    this.#more = plan.scenarios.length;
    this.#losses = new Losses(options.jobs);
    this.#runner = shared.runner(() => this.#recovery?.notSent);
    this.#recovery =
      survival &&
      new Recovery({
        ...survival,
        restart: options.restart,
        mostDeaths: options.mostDeaths,
        startedAt: now(),
        run: (ran) => this.#runAlone(ran),
        tell,
        signal,
      });
    this.#liveness = survival?.liveness;
    // Each scenario that waits listens to it, and all may wait at once: by node's count that would be a leak.
    setMaxListeners(0, signal);
  }

  get deaths(): readonly Death[] {
    return this.#recovery?.deaths ?? [];
  }

  /**
   * Gives what all of it has come to, in the order of the plan. Once it is interrupted, what runs ends after its current request and
   * cleans up.
   */
  async work(): Promise<WorkOutcome> {
    if (this.#signal.aborted) this.#interrupt();
    this.#signal.addEventListener('abort', () => this.#interrupt(), { once: true });
    const count = Math.max(1, Math.min(this.#options.jobs, this.#plan.scenarios.length));
    const workers = () => Array.from({ length: count }, () => this.#worker('silent'));
    do await Promise.all([...workers(), ...(this.#left.asking.length > 0 ? [this.#worker('asking')] : [])]);
    while (await this.#recovered());
    this.#stopFor(this.#losses.atEnd());
    for (const ran of this.#again) await this.#runAgain(ran);
    this.#tellUnrun();
    return {
      scenarios: this.#results.filter((result) => result !== undefined),
      stop: this.stop,
      deaths: this.#recovery?.deaths,
      taken: this.#runner.taken,
      evidence: this.#runner.evidence.told(),
      notes: this.stop === undefined ? [...(await this.#runner.notes()), ...this.#secondRuns.accidents] : [],
    };
  }

  /** Without effect on a run that is over. */
  #interrupt(): void {
    if (this.#results.filter(Boolean).length < this.#plan.scenarios.length) {
      this.stop ??= { kind: 'interrupted', reason: 'the run was interrupted' };
    }
  }

  async #worker(of: 'asking' | 'silent'): Promise<void> {
    for (let taken = this.#take(of); taken !== undefined; taken = this.#take(of)) {
      const { scenario, number, name } = taken;
      this.#tell({ type: 'scenario started', id: scenario.id, title: scenario.title });
      const ran = { scenario, number, result: await this.#runner.run(scenario, name) };
      if (this.#recovery?.takes(ran) !== true) this.#settle(ran);
    }
  }

  /** `counts`: whether it says something about whether the target is lost; its deaths are known anyway. */
  #settle(ran: Ran, counts = true): void {
    const { result, number } = ran;
    this.#results[number - 1] = result;
    if (counts) this.#stopFor(this.#losses.note(result));
    this.#judgeStop(result);
    const isOpen = this.#options.again !== false || lacksAnswer(result);
    const again = isOpen && result.again === undefined && isWorthAnother(result);
    if (again) this.#again.push(ran);
    else this.#tell({ type: 'scenario finished', result });
  }

  /** Whether the target died and is back, so that there is more to run. */
  async #recovered(): Promise<boolean> {
    if (this.#recovery?.notSent === undefined) return false;
    const { settled, again, stop } = await this.#recovery.recover(this.stop !== undefined);
    for (const ran of settled) this.#settle(ran, false);
    this.#anew.push(...again);
    this.#stopFor(stop);
    return this.stop === undefined;
  }

  /** Alone, so that nothing else that the run does can be the reason for the failure. */
  async #runAgain({ scenario, number }: Ran): Promise<void> {
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
    const [told, ...others] =
      this.stop?.kind === 'unreachable' && runs.length === 1 ? [withoutUnanswered(first, this.stop.reason)] : runs;
    const result = this.#secondRuns.judge(told ?? first, others);
    this.#results[number - 1] = result;
    this.#tell({ type: 'scenario finished', result });
  }

  /** Calmly, where answers failed to come before. */
  #runAlone({ scenario, result }: Ran): Promise<ScenarioResult> {
    const run = () => this.#runner.run(scenario, ++this.#more);
    return (lostIn(result).length > 0 ? this.#liveness?.calmly(run) : undefined) ?? run();
  }

  /** Undefined where the target died before the scenario came to its end. */
  async #alone(ran: Ran): Promise<ScenarioResult | undefined> {
    const second = { ...ran, result: await this.#runAlone(ran) };
    if (this.#recovery?.takes(second) !== true) return second.result;
    const { settled, stop } = await this.#recovery.recover(false);
    this.#stopFor(stop);
    return settled[0]?.result;
  }

  /** What did not run since the target was dead is counted. */
  #tellUnrun(): void {
    if (this.deaths.length === 0 || this.stop?.kind !== 'unreachable') return;
    const { reason } = this.stop;
    this.#plan.scenarios.forEach((scenario, at) => {
      if (this.#results[at] !== undefined) return;
      const result = notRun(scenario, 'lost', reason);
      this.#results[at] = result;
      this.#tell({ type: 'scenario finished', result });
    });
  }

  /** The next scenario, its number in the plan, and the number that makes its names unique. */
  #take(
    of: 'asking' | 'silent',
  ): { readonly scenario: LoadedScenario; readonly number: number; readonly name: number } | undefined {
    if (this.stop !== undefined || this.#recovery?.notSent !== undefined) return undefined;
    const anew = this.#anew.shift();
    if (anew !== undefined) return { ...anew, name: ++this.#more };
    const number = 1 + (this.#left[of].shift() ?? -1);
    const scenario = this.#plan.scenarios[number - 1];
    return scenario && { scenario, number, name: number };
  }

  #judgeStop(result: ScenarioResult): void {
    if (result.state === 'failed') this.#failed += 1;
    const { maxFail } = this.#options;
    if (maxFail !== undefined && this.#failed >= maxFail) {
      const count = this.#failed === 1 ? 'one failed scenario' : `${this.#failed} failed scenarios`;
      this.stop ??= { kind: 'enough', reason: `the run stopped after ${count}` };
    }
  }

  #stopFor(reason: string | undefined): void {
    if (reason !== undefined) this.stop ??= { kind: 'unreachable', reason };
  }
}
