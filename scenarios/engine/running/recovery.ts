import type { LoadedScenario } from '../files/load.ts';
import { requestText } from '../judging/exit-words.ts';
import { isViolation } from '../judging/scenario-state.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../results/result.ts';
import type { Death, LostRequest } from '../results/run-context.ts';
import { isCutShort, isSuspicious, wasUnderWay } from '../targets/liveness.ts';
import { Deaths, type DeathsOptions } from './losses.ts';

export interface RecoveryOptions extends DeathsOptions {
  /** Runs a scenario from its start, alone. */
  readonly run: (record: RunRecord) => Promise<ScenarioResult>;
  /** Deaths after which the run is given up. */
  readonly mostDeaths?: number | undefined;
}

/** What to do with the scenarios that a death has affected. */
export interface RecoveryResult {
  readonly settled: readonly RunRecord[];
  /** To run from their start. */
  readonly again: readonly RunRecord[];
  /** Why the run is given up. */
  readonly stop?: string;
}

/** Deaths of the target that a run survives, by default. */
const usualMost = 100;
/** Starts of a scenario after deaths; then it is lost. */
const mostStarts = 3;

/** Waits for a dead target, finds the request that killed it, and says which scenarios have to run again. */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #deaths: Deaths;
  readonly #starts = new Map<string, number>();
  #affected: RunRecord[] = [];

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.#deaths = new Deaths(options);
  }

  get deaths(): readonly Death[] {
    return this.#deaths.all;
  }

  /** Why nothing may be sent now. */
  get notSent(): string | undefined {
    return this.#deaths.isDown ? notSent : undefined;
  }

  /** Takes a scenario that ended while the target was dead; false for one whose result stands. */
  accepts(record: RunRecord): boolean {
    if (this.notSent === undefined || !isAffected(record.result)) return false;
    this.#affected.push(record);
    return true;
  }

  /** Records unanswered requests in both runs of a scenario, though the target was alive. A common one is the culprit. */
  noteDropped(first: ScenarioResult, second: ScenarioResult): void {
    const [before, then] = [droppedIn(first), droppedIn(second)];
    const culprit = before.find((one) => then.some((other) => isSameRequest(one, other)));
    if (before.length > 0 && then.length > 0) this.#deaths.recordDropped([...before, ...then], culprit);
  }

  /** To be called when nothing runs. `over`: the run has ended for another reason. */
  async recover(over: boolean): Promise<RecoveryResult> {
    const affected = this.#affected.toSorted((a, b) => a.number - b.number);
    this.#affected = [];
    const suspects = affected.filter(({ result }) => lostRequestOf(result) !== undefined);
    this.#deaths.record(suspects.flatMap(({ result }) => lostRequestOf(result) ?? []));
    if (over || !(await this.#deaths.comeBack())) return this.#giveUp(affected);
    if (this.#deaths.all.length >= (this.#options.mostDeaths ?? usualMost))
      return this.#giveUp(affected, `the run was given up: the target died ${this.#deaths.all.length} times`);
    return this.#tryAlone(affected, suspects);
  }

  /**
   * Runs the scenarios whose requests were under way, one at a time: the culprit is the one during which it dies again. A death at
   * another request is a new one, of which nothing is proved.
   */
  async #tryAlone(affected: readonly RunRecord[], suspects: readonly RunRecord[]): Promise<RecoveryResult> {
    const settled: RunRecord[] = [];
    for (const suspect of suspects) {
      const result = await this.#options.run(suspect);
      if (this.notSent === undefined) {
        settled.push({ ...suspect, result });
        continue;
      }
      const lost = lostRequestOf(result);
      const culprit = isSameRequest(lost, lostRequestOf(suspect.result)) ? lost : undefined;
      if (culprit !== undefined) settled.push({ ...suspect, result: killed(result, culprit) });
      const rest = affected.filter((one) => !settled.some(({ number }) => number === one.number));
      if (culprit === undefined) this.#deaths.record(lost === undefined ? [] : [lost]);
      else this.#deaths.diedAgain(culprit);
      if (await this.#deaths.comeBack()) return this.#sorted(settled, rest);
      return { settled: [...settled, ...rest.map((one) => this.#lost(one))], again: [], stop: this.#deaths.why() };
    }
    const rest = affected.filter((one) => !suspects.includes(one));
    return this.#sorted(settled, rest);
  }

  /** A scenario that started too often is lost. */
  #sorted(settled: readonly RunRecord[], rest: readonly RunRecord[]): RecoveryResult {
    const again: RunRecord[] = [];
    const lost: RunRecord[] = [];
    for (const one of rest) {
      const starts = (this.#starts.get(one.result.id) ?? 1) + 1;
      this.#starts.set(one.result.id, starts);
      if (starts > mostStarts) lost.push(this.#lost(one));
      else again.push(one);
    }
    return { settled: [...settled, ...lost], again };
  }

  #giveUp(affected: readonly RunRecord[], stop = this.#deaths.why()): RecoveryResult {
    return { settled: affected.map((one) => this.#lost(one, stop)), again: [], stop };
  }

  #lost(record: RunRecord, reason = this.#deaths.why()): RunRecord {
    return { ...record, result: withLost(record.result, reason) };
  }
}

/** A scenario with its result, and its number in the plan; the first is 1. */
export interface RunRecord {
  readonly scenario: LoadedScenario;
  readonly number: number;
  readonly result: ScenarioResult;
}

/** Why a step is not sent while the target is dead. */
export const notSent = 'the target was dead';

/** Whether the death of the target may have affected the scenario. */
function isAffected({ steps, leftBehind }: ScenarioResult): boolean {
  const seen = ({ exchange, problem }: StepResult) =>
    problem === notSent || (exchange !== undefined && isSuspicious(exchange));
  return leftBehind.length > 0 || steps.some(seen);
}

/** The request of a scenario that was under way when the target died; undefined where none was. */
function lostRequestOf(result: ScenarioResult): LostRequest | undefined {
  const isLost = ({ exchange }: StepResult) => exchange !== undefined && wasUnderWay(exchange);
  return requestOf(result, result.steps.findLastIndex(isLost));
}

/** Unanswered requests that were to succeed and have no check, above all those of preparation and clean-up. */
export function droppedIn(result: ScenarioResult): LostRequest[] {
  return result.steps.flatMap(({ exchange, phase, problem, checks }, at) => {
    const isAwaited = phase !== 'step' || problem !== undefined;
    const isJudged = checks.some(({ state }) => state === 'passed' || state === 'failed');
    return exchange && isCutShort(exchange) && isAwaited && !isJudged ? (requestOf(result, at) ?? []) : [];
  });
}

function requestOf({ id, steps }: ScenarioResult, step: number): LostRequest | undefined {
  const { request, curl = '' } = steps[step]?.exchange ?? {};
  return request && { method: request.method, path: request.path, scenario: id, step, curl };
}

/** Whether the same request of a scenario was under way in two runs of it. */
function isSameRequest(a: LostRequest | undefined, b: LostRequest | undefined): boolean {
  return a !== undefined && a.step === b?.step && a.method === b.method;
}

function killed(result: ScenarioResult, culprit: LostRequest): ScenarioResult {
  const reason = `the target died of ${requestText(culprit)}`;
  return { ...withLost(result, reason, (step) => step === culprit.step), again: 'failed' };
}

/** Marks what a dead target did not answer as lost, except steps that a living one provably does not answer. */
export function withLost(
  result: ScenarioResult,
  reason: string,
  isProved: (step: number) => boolean = () => false,
): ScenarioResult {
  const steps = result.steps.map((step, at) => (isProved(at) ? step : lostStep(step, reason)));
  const failed = steps.some(({ checks }) => checks.some(isViolation));
  return failed ? { ...result, steps, state: 'failed' } : { ...result, steps, state: 'lost', reason };
}

function lostStep(step: StepResult, reason: string): StepResult {
  const unanswered = step.exchange !== undefined && isSuspicious(step.exchange);
  const isLost = ({ state, excused }: CheckResult) =>
    (state === 'failed' && unanswered) || (state === 'not testable' && excused !== true);
  return {
    ...step,
    checks: step.checks.map((check) => (isLost(check) ? { ...check, state: 'lost', reason } : check)),
  };
}
