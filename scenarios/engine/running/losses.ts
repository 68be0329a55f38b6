/** How a target is lost: it answers no more, or dies. */
import { neverArrived } from '../judging/answer.ts';
import { lostTarget } from '../judging/scenario-state.ts';
import { now, type RequestLimits } from '../messages/target.ts';
import type { Exchange } from '../results/exchange.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../results/result.ts';
import type { Death, DeathKind, LostRequest } from '../results/run-context.ts';
import type { Survival } from './scenario/installations.ts';

/** Unreached scenarios in a row before the run gives up. */
const mostUnreached = 3;
/** Scenarios in a row, beyond concurrent ones, without any answer. */
const mostSilent = 10;
/** The same at the end of a plan, which may be shorter. */
const mostSilentAtEnd = 3;
/** Timeouts permitted in a run, each of which costs the whole time limit, and more if below this share of all requests. */
const mostTimeouts = 100;
const mostOfAll = 0.05;

/** Decides when a target counts as lost, so that a run ends long before every request has timed out. */
export class Losses {
  readonly #mostSilent: number;
  #unreached = 0;
  #silent = 0;
  #timeouts = 0;
  #requests = 0;
  #last = 'nothing came';

  /** `jobs` scenarios run concurrently: one hang of the target may concern all of them. */
  constructor(jobs: number) {
    this.#mostSilent = mostSilent + jobs;
  }

  /** Records a finished scenario. Returns the reason to stop, if any. */
  note(scenario: ScenarioResult): string | undefined {
    const exchanges = scenario.steps.flatMap(({ exchange }) => exchange ?? []);
    this.#last = exchanges.findLast(isSilence)?.failure?.message ?? this.#last;
    this.#requests += exchanges.length;
    this.#timeouts += exchanges.filter(({ failure }) => failure?.kind === 'timeout').length;
    if (lostTarget(scenario)) this.#unreached += 1;
    else if (scenario.state !== 'not applicable' && scenario.state !== 'left out') this.#unreached = 0;
    if (!exchanges.every(isSilence)) this.#silent = 0;
    // Silence says nothing where no answer was expected.
    else if (exchanges.length > 0 && scenario.state !== 'passed') this.#silent += 1;
    if (this.#unreached >= mostUnreached) return `the target could not be reached any more: ${this.#last}`;
    if (this.#silent >= this.#mostSilent) return this.#silence();
    if (this.#timeouts < Math.max(mostTimeouts, this.#requests * mostOfAll)) return undefined;
    return `the target counts as lost: ${this.#timeouts} of ${this.#requests} requests went without an answer in time`;
  }

  /** Why no more requests are to be sent at the end of the plan, if any. */
  atEnd(): string | undefined {
    return this.#silent >= mostSilentAtEnd ? this.#silence() : undefined;
  }

  #silence(): string {
    const count = `${this.#silent} scenarios in a row`;
    return `the target counts as lost: it gave no answer in ${count}; the harness sees: ${this.#last}`;
  }
}

function isSilence({ answer }: Exchange): boolean {
  return answer === undefined;
}

/**
 * A failed scenario of a target that was lost before its second run: checks without an answer may have failed because of
 * that.
 */
export function withoutUnanswered(scenario: ScenarioResult, reason: string): ScenarioResult {
  const steps = scenario.steps.map((step) => unanswered(step, reason));
  const failed = steps.some(({ checks }) => checks.some(({ state }) => state === 'failed'));
  return failed ? { ...scenario, steps } : { ...scenario, steps, state: 'blocked', reason };
}

function unanswered(step: StepResult, reason: string): StepResult {
  const { exchange } = step;
  if (exchange === undefined || exchange.answer !== undefined || neverArrived(exchange)) return step;
  const open = (check: CheckResult): CheckResult =>
    check.state === 'failed' ? { ...check, state: 'not testable', reason } : check;
  return { ...step, checks: step.checks.map(open) };
}

/** The target died, or answers again. */
export interface DeathEvent {
  readonly type: 'target died' | 'target back';
  readonly death: Death;
}

export interface DeathsOptions extends Survival, Pick<RequestLimits, 'startedAt'> {
  /** Restarts a target that stays dead. */
  readonly restart?: (() => Promise<void>) | undefined;
  readonly emit: (event: DeathEvent) => void;
  readonly signal: AbortSignal;
}

const deathVerbs: Readonly<Record<DeathKind, string>> = {
  died: 'died',
  hangs: 'hung',
  closes: 'closed every connection',
  unavailable: 'was unavailable',
  drops: 'dropped connections',
};

/** Paths not to delete again, since the target died of it; `isOpen`: or may have. */
export function deadlyIn(deaths: readonly Death[], isOpen = false): string[] {
  const suspects = deaths.flatMap(({ culprit, inFlight }, at) => {
    if (culprit === undefined) return isOpen && at === deaths.length - 1 ? inFlight : [];
    return [culprit, ...inFlight.filter(({ scenario }) => scenario === culprit.scenario)];
  });
  return suspects.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
}

/** The deaths of a target during a run; waits for its return each time. */
export class Deaths {
  readonly #options: DeathsOptions;
  readonly all: Death[] = [];

  constructor(options: DeathsOptions) {
    this.#options = options;
  }

  get last(): Death {
    return this.all.at(-1) ?? { kind: 'died', at: 0, inFlight: [] };
  }

  /** Whether the target is known to be dead. */
  get isDown(): boolean {
    return this.#options.liveness.down !== undefined;
  }

  /** Records a death that was just noticed. */
  record(inFlight: readonly LostRequest[]): void {
    const { liveness, startedAt, emit } = this.#options;
    const { kind, since } = liveness.down ?? { kind: 'died' as const, since: startedAt };
    this.all.push({ kind, at: Math.max(0, since - startedAt), inFlight });
    emit({ type: 'target died', death: this.last });
  }

  /** A target that is always alive when probed drops requests: perhaps something restarts it at once. */
  recordDropped(inFlight: readonly LostRequest[], culprit: LostRequest | undefined): void {
    const at = Math.max(0, now() - this.#options.startedAt);
    const proved = culprit && ({ ...culprit, seen: 'again' } as const);
    this.all.push({ kind: 'drops', at, inFlight, backAfter: 0, ...(proved && { culprit: proved }) });
  }

  /** The target died again, of this request. */
  diedAgain(culprit: LostRequest | undefined): void {
    const { backAfter: _, ...death } = this.last;
    const { kind = death.kind } = this.#options.liveness.down ?? {};
    this.all[this.all.length - 1] = { ...death, kind, ...(culprit && { culprit: { ...culprit, seen: 'again' } }) };
  }

  /** Names the only request under way as the culprit of the last death, where that proves it. */
  diedAlone(only: LostRequest | undefined): LostRequest | undefined {
    if (only === undefined || this.last.kind !== 'died') return undefined;
    this.#add({ culprit: { ...only, seen: 'alone' } });
    return only;
  }

  /** Whether the target answers again. Leftovers of the run are removed; if the target forgot them, that is no loss. */
  async comeBack(): Promise<boolean> {
    const { liveness, restart, signal, emit, tidy } = this.#options;
    let backAfter = await liveness.back(signal);
    if (backAfter === undefined && restart !== undefined && !signal.aborted) {
      await restart();
      this.#add({ restarted: true });
      backAfter = await liveness.back(signal);
    }
    if (backAfter === undefined) return false;
    this.#add({ backAfter });
    emit({ type: 'target back', death: this.last });
    await tidy?.(deadlyIn(this.all, true));
    return true;
  }

  /** The reason for lost results. */
  why(): string {
    const { kind, backAfter, restarted } = this.last;
    if (backAfter !== undefined) return `the target ${deathVerbs[kind]}, more than once while this ran`;
    const seconds = this.#options.liveness.waitFor / 1000;
    const after = restarted === true ? ', not after it was restarted either' : '';
    return `the target ${deathVerbs[kind]} and has not come back within ${seconds} s${after}`;
  }

  #add(facts: Partial<Death>): void {
    this.all[this.all.length - 1] = { ...this.last, ...facts };
  }
}
