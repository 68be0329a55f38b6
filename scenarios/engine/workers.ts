import type { EventQueue } from './event-queue.ts';
import type { LoadedScenario } from './load.ts';
import type { Plan } from './plan.ts';
import type { RunEvent, ScenarioResult } from './result.ts';
import { runScenario } from './scenario-run.ts';
import { lostTarget } from './scenario-state.ts';
import type { Target } from './targets/target.ts';
import type { Stop } from './verdict.ts';

export interface RunOptions {
  /** Scenarios at the same time. */
  readonly jobs: number;
  /** Stop after so many failed scenarios. */
  readonly maxFail?: number;
  readonly signal?: AbortSignal;
}

/** Scenarios in a row that cannot reach the target before the run gives up. */
const givesUpAfter = 3;

/** Runs the scenarios of a plan side by side and decides when to stop. */
export class Workers {
  stop: Stop | undefined;
  readonly #plan: Plan;
  readonly #target: Target;
  readonly #run: string;
  readonly #options: RunOptions;
  readonly #queue: EventQueue<RunEvent>;
  readonly #interruption = new AbortController();
  readonly #results: Array<ScenarioResult | undefined> = [];
  #next = 0;
  #failed = 0;
  #unreached = 0;

  constructor(plan: Plan, target: Target, run: string, options: RunOptions, queue: EventQueue<RunEvent>) {
    this.#plan = plan;
    this.#target = target;
    this.#run = run;
    this.#options = options;
    this.#queue = queue;
  }

  async work(): Promise<void> {
    const onAbort = () => this.interrupt();
    if (this.#options.signal?.aborted) this.interrupt();
    this.#options.signal?.addEventListener('abort', onAbort, { once: true });
    const count = Math.max(1, Math.min(this.#options.jobs, this.#plan.scenarios.length));
    await Promise.all(Array.from({ length: count }, () => this.#worker()));
    this.#options.signal?.removeEventListener('abort', onAbort);
  }

  /** Running scenarios end after their current request and clean up. Without effect on a run that is over. */
  interrupt(): void {
    if (this.#results.filter(Boolean).length < this.#plan.scenarios.length) {
      this.stop ??= { kind: 'interrupted', reason: 'the run was interrupted' };
    }
    this.#interruption.abort();
  }

  /** In the order of the plan. */
  results(): ScenarioResult[] {
    return this.#results.filter((result) => result !== undefined);
  }

  async #worker(): Promise<void> {
    for (let scenario = this.#take(); scenario !== undefined; scenario = this.#take()) {
      const number = this.#next;
      this.#queue.push({ type: 'scenario started', id: scenario.id, title: scenario.title });
      const result = await runScenario(scenario, number, {
        target: this.#target,
        run: this.#run,
        levelOf: (requirement) => this.#plan.catalogue.requirements.get(requirement)?.level ?? 'documented',
        signal: this.#interruption.signal,
      });
      this.#results[number - 1] = result;
      this.#queue.push({ type: 'scenario finished', result });
      this.#judgeStop(result);
    }
  }

  #take(): LoadedScenario | undefined {
    if (this.stop !== undefined) return undefined;
    const scenario = this.#plan.scenarios[this.#next];
    this.#next += 1;
    return scenario;
  }

  #judgeStop(result: ScenarioResult): void {
    if (result.state === 'failed') this.#failed += 1;
    this.#unreached = lostTarget(result) ? this.#unreached + 1 : 0;
    const { maxFail } = this.#options;
    if (this.#unreached >= givesUpAfter) {
      this.stop ??= { kind: 'unreachable', reason: 'the target could not be reached any more' };
    } else if (maxFail !== undefined && this.#failed >= maxFail) {
      const count = this.#failed === 1 ? 'one failed scenario' : `${this.#failed} failed scenarios`;
      this.stop ??= { kind: 'enough', reason: `the run stopped after ${count}` };
    }
  }
}
