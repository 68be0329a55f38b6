import { setMaxListeners } from 'node:events';
import type { LoadedScenario } from '../files/load.ts';
import { levelIn } from '../judging/levels.ts';
import type { Stop } from '../judging/verdict.ts';
import { KeptText } from '../messages/kept-text.ts';
import type { BaselineOutcome, CheckLevel, RunEvent, RunResult, ScenarioResult, Strictness } from '../result.ts';
import { withSecondRun } from './again.ts';
import { asksForDelivery, type Delivery, deliveredBy, deliveryTrial, shownBy } from './delivery.ts';
import type { EventQueue } from './event-queue.ts';
import type { Installation } from './installation.ts';
import type { Installations } from './installations.ts';
import { Losses, withoutUnanswered } from './losses.ts';
import { notApplicable } from './not-applicable.ts';
import { isOnTheWire } from './on-the-wire.ts';
import type { Plan } from './plan.ts';
import { registrationsOf } from './registrations.ts';
import { faultOf, runScenario } from './scenario-run.ts';
import { Turns } from './turns.ts';

export interface RunOptions {
  /** Scenarios at the same time. */
  readonly jobs: number;
  /** Stop after so many failed scenarios. */
  readonly maxFail?: number;
  /** Whether what failed runs once more, alone, before it is told; true when absent. */
  readonly again?: boolean;
  readonly signal?: AbortSignal;
  /** By what the run is judged. */
  readonly strictness?: Strictness;
  /** Marks the failed checks that a baseline knows. */
  readonly mark?: (
    scenarios: readonly ScenarioResult[],
    run: Pick<RunResult, 'run' | 'dialect' | 'target'>,
  ) => {
    readonly scenarios: readonly ScenarioResult[];
    readonly outcome: BaselineOutcome;
  };
  /** What was taken for granted of the target, as sentences. */
  readonly assumed?: readonly string[];
  /** Looked for when all has run: what is worth knowing and no deviation. */
  readonly notes?: (about: {
    readonly run: string;
    readonly installations: Installations;
  }) => Promise<readonly string[]>;
}

/** Runs the scenarios of a plan side by side and decides when to stop. */
export class Workers {
  stop: Stop | undefined;
  readonly #plan: Plan;
  readonly #installations: Installations;
  readonly #runId: string;
  readonly #options: RunOptions;
  readonly #queue: EventQueue<RunEvent>;
  readonly #interruption = new AbortController();
  /** For scenarios that register with an identity of which there is one only. */
  readonly #turns = new Map<Installation, Turns>();
  readonly #deliveries = new Map<Installation, Promise<Delivery>>();
  readonly #results: Array<ScenarioResult | undefined> = [];
  readonly #again: Array<{ readonly scenario: LoadedScenario; readonly number: number }> = [];
  #next = 0;
  readonly #losses: Losses;
  readonly #kept = new KeptText();
  #failed = 0;

  constructor(plan: Plan, installations: Installations, run: string, options: RunOptions, queue: EventQueue<RunEvent>) {
    this.#plan = plan;
    this.#installations = installations;
    this.#runId = run;
    this.#options = options;
    this.#queue = queue;
    this.#losses = new Losses(options.jobs);
    // Each scenario that waits listens to it, and all may wait at once: by node's count that would be a leak.
    setMaxListeners(0, this.#interruption.signal);
  }

  async work(): Promise<void> {
    const onAbort = () => this.interrupt();
    if (this.#options.signal?.aborted) this.interrupt();
    this.#options.signal?.addEventListener('abort', onAbort, { once: true });
    const count = Math.max(1, Math.min(this.#options.jobs, this.#plan.scenarios.length));
    await Promise.all(Array.from({ length: count }, () => this.#worker()));
    this.#stopFor(this.#losses.atEnd());
    for (const { scenario, number } of this.#again) await this.#runAgain(scenario, number);
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

  /** What was found out about the targets that is no deviation. */
  async notes(): Promise<string[]> {
    const found = await Promise.all(this.#deliveries.values());
    return found.includes('point of access') ? [deliversToPointsOfAccess] : [];
  }

  async #worker(): Promise<void> {
    for (let scenario = this.#take(); scenario !== undefined; scenario = this.#take()) {
      const number = this.#next;
      this.#queue.push({ type: 'scenario started', id: scenario.id, title: scenario.title });
      const result = await this.#run(scenario, number);
      this.#results[number - 1] = result;
      this.#judgeStop(result);
      if (result.state === 'failed' && this.#options.again !== false) this.#again.push({ scenario, number });
      else this.#queue.push({ type: 'scenario finished', result });
    }
  }

  /** Alone, so that nothing else that the run does can be the reason for the failure. */
  async #runAgain(scenario: LoadedScenario, number: number): Promise<void> {
    const first = this.#results[number - 1];
    if (first === undefined) return;
    const givenUp = this.#interruption.signal.aborted || this.stop?.kind === 'unreachable';
    const second = givenUp ? undefined : await this.#run(scenario, this.#plan.scenarios.length + number);
    if (second !== undefined) this.#noteLoss(second);
    const told = this.stop?.kind === 'unreachable' ? withoutUnanswered(first, this.stop.reason) : first;
    const result = second === undefined ? told : withSecondRun(first, second);
    this.#results[number - 1] = result;
    this.#queue.push({ type: 'scenario finished', result });
  }

  #run(scenario: LoadedScenario, number: number): Promise<ScenarioResult> {
    return this.#runSomewhere(scenario, number)
      .catch((error: unknown) => faultOf(scenario, error))
      .then((result) => this.#kept.keep(result));
  }

  async #runSomewhere(scenario: LoadedScenario, number: number): Promise<ScenarioResult> {
    if (scenario.inapplicable !== undefined) return notApplicable(scenario, scenario.inapplicable, this.#levelOf);
    const offer = this.#installations.choose(scenario.needs, isOnTheWire(scenario));
    if ('lacking' in offer) return notApplicable(scenario, offer.lacking, this.#levelOf);
    const { installation, end } = await this.#installations.use(offer);
    return this.#runDelivered(installation, scenario, number).finally(end);
  }

  async #runDelivered(installation: Installation, scenario: LoadedScenario, number: number): Promise<ScenarioResult> {
    if (!asksForDelivery(scenario, installation)) return this.#runOn(installation, scenario, number);
    const delivery = await this.#deliveryAt(installation);
    return this.#runOn(installation, deliveredBy(scenario, delivery, installation), number);
  }

  async #runOn(installation: Installation, scenario: LoadedScenario, number: number): Promise<ScenarioResult> {
    const { signal } = this.#interruption;
    const surroundings = { installation, run: this.#runId, levelOf: this.#levelOf, signal };
    const { originator } = installation;
    const { atOnce, withCertificate } = registrationsOf(scenario, installation.dialect);
    const shared = originator === undefined ? 0 : atOnce;
    if (shared > 1) return notApplicable(scenario, severalRegistrations(originator), this.#levelOf);
    if (shared === 0 && !withCertificate) return runScenario(scenario, number, surroundings);
    return this.#turnsOf(installation).take(() => runScenario(scenario, number, surroundings));
  }

  /** How the target delivers notifications; tried once, when the first scenario asks for it. */
  #deliveryAt(installation: Installation): Promise<Delivery> {
    const known = this.#deliveries.get(installation);
    if (known !== undefined) return known;
    const trying = this.#runOn(installation, deliveryTrial(installation), 0).then(shownBy);
    this.#deliveries.set(installation, trying);
    return trying;
  }

  readonly #levelOf = (requirement: string): CheckLevel => {
    const known = this.#plan.catalogue.requirements.get(requirement);
    return known === undefined ? 'documented' : levelIn(this.#plan, known);
  };

  #turnsOf(installation: Installation): Turns {
    const turns = this.#turns.get(installation) ?? new Turns();
    this.#turns.set(installation, turns);
    return turns;
  }

  #take(): LoadedScenario | undefined {
    if (this.stop !== undefined) return undefined;
    const scenario = this.#plan.scenarios[this.#next];
    this.#next += 1;
    return scenario;
  }

  #judgeStop(result: ScenarioResult): void {
    if (result.state === 'failed') this.#failed += 1;
    const { maxFail } = this.#options;
    this.#noteLoss(result);
    if (maxFail !== undefined && this.#failed >= maxFail) {
      const count = this.#failed === 1 ? 'one failed scenario' : `${this.#failed} failed scenarios`;
      this.stop ??= { kind: 'enough', reason: `the run stopped after ${count}` };
    }
  }

  #noteLoss(result: ScenarioResult): void {
    this.#stopFor(this.#losses.note(result));
  }

  #stopFor(reason: string | undefined): void {
    if (reason !== undefined) this.stop ??= { kind: 'unreachable', reason };
  }
}

const deliversToPointsOfAccess =
  'notifications are judged as this target delivers them: to an application entity with a point of access (poa), not to a URL in nu';

function severalRegistrations(originator: string | undefined): string {
  return `needs several application entities at the same time; here all requests carry the originator ${originator}, with which one can register`;
}
