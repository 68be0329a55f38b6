import { actingOf, originatorNames } from './acting.ts';
import { registeredActors } from './actors.ts';
import { type AnswerView, type Observation, observationOf } from './answer.ts';
import { capture } from './capture.ts';
import { type Block, judgeCheck, type Level, unsentCheck } from './check.ts';
import { removeCreated } from './cleanup.ts';
import type { ReceiveStep, SendingStep, Step } from './grammar.ts';
import type { Installation } from './installation.ts';
import { MissingValue, type Named } from './interpolate.ts';
import { Ledger } from './ledger.ts';
import type { LoadedScenario, LoadedStep } from './load.ts';
import { awaitRequest } from './receive.ts';
import { prepare, titleOf } from './request.ts';
import type { CheckResult, ScenarioResult, StepResult } from './result.ts';
import { namesOf, registration } from './scenario-names.ts';
import { stateOf } from './scenario-state.ts';
import { changeOf, exchangeOf, takenOriginator } from './sending.ts';
import { recordedExchange } from './targets/record.ts';
import { now, since } from './targets/target.ts';

export interface Surroundings {
  readonly installation: Installation;
  readonly run: string;
  readonly levelOf: (requirement: string) => Level;
  readonly signal: AbortSignal;
}

/** A step that is not in a file (the registration of an actor) has no place. */
interface Entry<S extends Step = Step> extends Pick<LoadedStep, 'checks'>, Partial<Pick<LoadedStep, 'place'>> {
  readonly step: S;
  readonly phase: 'given' | 'step';
}

/** Runs one scenario on an installation; never rejects. `number` makes its names unique in the run. */
export function runScenario(
  scenario: LoadedScenario,
  number: number,
  surroundings: Surroundings,
): Promise<ScenarioResult> {
  const started = now();
  return new ScenarioRun(scenario, number, surroundings)
    .run()
    .catch((error: unknown) => ({ ...faultOf(scenario, error), took: since(started) }));
}

/** The result of a scenario that the engine could not bring to an end. */
export function faultOf({ id, feature, title, tags, place }: LoadedScenario, error: unknown): ScenarioResult {
  const reason = `the engine failed: ${error instanceof Error ? error.message : String(error)}`;
  return { id, feature, title, tags, place, state: 'fault', reason, steps: [], leftBehind: [], took: 0 };
}

class ScenarioRun {
  readonly #scenario: LoadedScenario;
  readonly #around: Surroundings;
  readonly #names: Map<string, Named>;
  readonly #ledger: Ledger;
  readonly #steps: StepResult[] = [];
  #block: Block | undefined;
  #fault: string | undefined;
  #interrupted = false;
  /** Position from which the next request of the target is awaited. */
  #received = 0;

  constructor(scenario: LoadedScenario, number: number, around: Surroundings) {
    this.#scenario = scenario;
    this.#around = around;
    const { gateway, backend } = around.installation;
    this.#names = namesOf(scenario, number, around.run, around.installation);
    this.#ledger = new Ledger({ gateway: gateway.description, ...(backend && { backend: backend.description }) });
  }

  async run(): Promise<ScenarioResult> {
    const { id, feature, title, tags, place } = this.#scenario;
    const { installation, signal } = this.#around;
    const started = now();
    for (const [name, value] of await originatorNames(this.#stage())) this.#names.set(name, value);
    for (const entry of this.#entries()) this.#steps.push(await this.#perform(entry));
    for await (const step of removeCreated(this.#ledger, installation, signal)) this.#steps.push(step);
    const outcome = stateOf(this.#steps, { block: this.#block, fault: this.#fault, interrupted: this.#interrupted });
    const described = { id, feature, title, tags, place, installation: installation.name };
    return {
      ...described,
      ...outcome,
      steps: this.#steps,
      leftBehind: this.#ledger.leftBehind(),
      took: since(started),
    };
  }

  #stage() {
    return { installation: this.#around.installation, actors: this.#scenario.actors, names: this.#names };
  }

  #entries(): Entry[] {
    const { given, steps } = this.#scenario;
    const registrations = registeredActors(this.#scenario).map(
      (name): Entry => ({ step: registration(name), checks: [], phase: 'given' }),
    );
    const prepared = given.map((step): Entry => ({ ...step, phase: 'given' }));
    return [...registrations, ...prepared, ...steps.map((step): Entry => ({ ...step, phase: 'step' }))];
  }

  async #perform(entry: Entry): Promise<StepResult> {
    if (this.#around.signal.aborted) this.#interrupted = true;
    if (this.#interrupted) return this.#unsent(entry, { reason: 'the run was interrupted', kind: 'blocked' });
    if (this.#block !== undefined) return this.#unsent(entry, this.#block);
    try {
      const { step } = entry;
      return 'receive' in step ? await this.#receive({ ...entry, step }) : await this.#send({ ...entry, step });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof MissingValue) return this.#stopped(entry, { reason: `blocked: ${reason}`, kind: 'blocked' });
      return this.#failed(entry, reason);
    }
  }

  async #send(entry: Entry<SendingStep>): Promise<StepResult> {
    const { step } = entry;
    const acting = await actingOf(entry, this.#stage());
    if ('missing' in acting) return this.#stopped(entry, { reason: acting.missing, kind: 'not applicable' });
    const prepared = prepare(step, this.#names, acting.originator);
    const change = changeOf(step, this.#names);
    const objection = acting.target.objection(prepared.request, acting.way);
    if (objection !== undefined) return this.#stopped(entry, { reason: objection, kind: 'excused' });
    const exchange = await exchangeOf(prepared, acting, entry.checks);
    if (change !== undefined) this.#ledger.note(change, acting, exchange);
    const seen = observationOf(exchange);
    this.#capture(step, seen.view);
    const shown = { ...(acting.on === 'backend' && { on: acting.on }), exchange: recordedExchange(exchange) };
    const taken = takenOriginator(step, acting, exchange);
    if (taken !== undefined) return { ...this.#stopped(entry, { reason: taken, kind: 'blocked' }), ...shown };
    const described = { ...this.#described(entry), ...shown, checks: this.#judge(entry, seen) };
    const problem = `${described.title} ${exchange.answer ? 'answered' : 'got'} ${seen.summary}`;
    return this.#goOn(entry, described, seen.success ? undefined : problem);
  }

  async #receive(entry: Entry<ReceiveStep>): Promise<StepResult> {
    const { played } = this.#around.installation;
    if (played === undefined)
      return this.#stopped(entry, { reason: 'needs the harness as the backend', kind: 'not applicable' });
    const waiting = { names: this.#names, from: this.#received, signal: this.#around.signal };
    const { found, observation } = await awaitRequest(entry.step, played, waiting);
    if (this.#around.signal.aborted && found === undefined) return this.#perform(entry);
    if (found === undefined && !played.expected)
      return this.#stopped(entry, { reason: observation.summary, kind: 'blocked' });
    if (found !== undefined) this.#received = found.index + 1;
    this.#capture(entry.step, observation.view);
    const received = found === undefined ? {} : { received: found.request };
    const described = { ...this.#described(entry), ...received, checks: this.#judge(entry, observation) };
    return this.#goOn(entry, described, observation.nothing);
  }

  #capture(step: Step, view: AnswerView): void {
    for (const [name, what] of Object.entries(step.capture ?? {})) this.#names.set(name, capture(what, view));
  }

  #judge({ step, checks }: Entry, seen: Observation): CheckResult[] {
    const expect = step.expect ?? 'success';
    return checks.map((check) =>
      judgeCheck(check, { seen, names: this.#names, expect, level: this.#levelOf(check.requirement) }),
    );
  }

  /** What was expected to succeed and did not blocks the rest. */
  #goOn({ step }: Entry, result: StepResult, problem: string | undefined): StepResult {
    if ((step.expect ?? 'success') !== 'success' || problem === undefined) return result;
    this.#block = { reason: `blocked: ${problem}`, kind: 'blocked' };
    return { ...result, problem };
  }

  /** The step cannot be sent; what follows depends on it unless it says that any outcome will do. */
  #stopped(entry: Entry, block: Block): StepResult {
    if ((entry.step.expect ?? 'success') === 'success') this.#block = block;
    return this.#unsent(entry, block);
  }

  #failed(entry: Entry, reason: string): StepResult {
    this.#fault = `the engine failed in "${titleOf(entry.step, this.#names)}": ${reason}`;
    this.#block = { reason: this.#fault, kind: 'blocked' };
    const checks = this.#unsentChecks(entry, { reason, kind: 'blocked' });
    return {
      ...this.#described(entry),
      checks: checks.map((check) => ({ ...check, state: 'fault' as const })),
      problem: this.#fault,
    };
  }

  #unsent(entry: Entry, block: Block): StepResult {
    return { ...this.#described(entry), checks: this.#unsentChecks(entry, block), problem: block.reason };
  }

  #unsentChecks({ checks }: Entry, block: Block): CheckResult[] {
    return checks.map((check) => unsentCheck(check, this.#levelOf(check.requirement), block));
  }

  #described({ phase, step, place }: Entry): Pick<StepResult, 'phase' | 'title' | 'note' | 'place'> {
    const title = titleOf(step, this.#names);
    return { phase, title, ...(step.note === undefined ? {} : { note: step.note }), ...(place ? { place } : {}) };
  }

  #levelOf(requirement: string): Level {
    return this.#around.levelOf(requirement);
  }
}
