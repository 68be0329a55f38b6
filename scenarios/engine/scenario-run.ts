import { isSuccess, summaryOf, viewOf } from './answer.ts';
import { capture } from './capture.ts';
import { judgeCheck, type Level, unsentCheck } from './check.ts';
import { removeCreated } from './cleanup.ts';
import type { Step } from './grammar.ts';
import { interpolate, interpolateToText, MissingValue, type Named } from './interpolate.ts';
import { type Change, Ledger } from './ledger.ts';
import type { LoadedScenario, LoadedStep } from './load.ts';
import { type Prepared, prepare, titleOf } from './request.ts';
import type { Exchange, ScenarioResult, StepResult } from './result.ts';
import { namesOf, registration } from './scenario-names.ts';
import { stateOf } from './scenario-state.ts';
import { recordedExchange } from './targets/record.ts';
import { now, since, type Target } from './targets/target.ts';

export interface Surroundings {
  readonly target: Target;
  readonly run: string;
  readonly levelOf: (requirement: string) => Level;
  readonly signal: AbortSignal;
}

/** A step that is not in a file (the registration of an actor) has no place. */
type Entry = Pick<LoadedStep, 'step' | 'checks'> & Partial<Pick<LoadedStep, 'place'>> & { phase: 'given' | 'step' };

/** Why the steps that follow are not sent. */
export interface Block {
  readonly reason: string;
  /** Not because of something that the target did. */
  readonly excused: boolean;
}

/** Milliseconds to watch a connection that is to be closed, and one that is to stay open. */
const watch = { closed: 1500, open: 250 };

/** Runs one scenario against a target; never rejects. `number` makes its names unique in the run. */
export function runScenario(
  scenario: LoadedScenario,
  number: number,
  surroundings: Surroundings,
): Promise<ScenarioResult> {
  const started = now();
  return new ScenarioRun(scenario, number, surroundings).run().catch((error: unknown): ScenarioResult => {
    const { id, feature, title, tags, place } = scenario;
    const reason = `the engine failed: ${error instanceof Error ? error.message : String(error)}`;
    return { id, feature, title, tags, place, state: 'fault', reason, steps: [], leftBehind: [], took: since(started) };
  });
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

  constructor(scenario: LoadedScenario, number: number, around: Surroundings) {
    this.#scenario = scenario;
    this.#around = around;
    this.#names = namesOf(scenario, number, around.run, around.target.description);
    this.#ledger = new Ledger(around.target.description);
  }

  async run(): Promise<ScenarioResult> {
    const { id, feature, title, tags, place } = this.#scenario;
    const started = now();
    for (const entry of this.#entries()) this.#steps.push(await this.#perform(entry));
    const { target, signal } = this.#around;
    for await (const step of removeCreated(this.#ledger, target, signal)) this.#steps.push(step);
    const outcome = stateOf(this.#steps, { block: this.#block, fault: this.#fault, interrupted: this.#interrupted });
    const leftBehind = this.#ledger.leftBehind();
    return { id, feature, title, tags, place, ...outcome, steps: this.#steps, leftBehind, took: since(started) };
  }

  #entries(): Entry[] {
    const { actors, given, steps } = this.#scenario;
    const registrations = Object.entries(actors)
      .filter(([, actor]) => actor.registered !== false)
      .map(([name]): Entry => ({ step: registration(name), checks: [], phase: 'given' }));
    const prepared = given.map((step): Entry => ({ ...step, phase: 'given' }));
    return [...registrations, ...prepared, ...steps.map((step): Entry => ({ ...step, phase: 'step' }))];
  }

  async #perform(entry: Entry): Promise<StepResult> {
    if (this.#around.signal.aborted) this.#interrupted = true;
    if (this.#interrupted) return this.#unsent(entry, { reason: 'the run was interrupted', excused: false });
    if (this.#block !== undefined) return this.#unsent(entry, this.#block);
    try {
      return await this.#send(entry);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const title = titleOf(entry.step, this.#names);
      if (error instanceof MissingValue) return this.#stopped(entry, { reason: `blocked: ${reason}`, excused: false });
      this.#fault = `the engine failed in "${title}": ${reason}`;
      this.#block = { reason: this.#fault, excused: false };
      const checks = entry.checks.map((check) => ({
        ...unsentCheck(check, this.#levelOf(check.requirement), reason, false),
        state: 'fault' as const,
      }));
      return { ...this.#described(entry), checks, problem: this.#fault };
    }
  }

  async #send(entry: Entry): Promise<StepResult> {
    const { step } = entry;
    const originator = this.#originatorOf(step.as);
    const prepared = prepare(step, this.#names, originator);
    const change = changeOf(step, this.#names);
    const objection = this.#around.target.objection(prepared.request);
    if (objection !== undefined) return this.#stopped(entry, { reason: objection, excused: true });
    const exchange = await this.#exchange(prepared, entry);
    if (change !== undefined) this.#ledger.note({ ...change, originator }, exchange);
    this.#capture(step, exchange);
    const expect = step.expect ?? 'success';
    const checks = entry.checks.map((check) =>
      judgeCheck(check, { exchange, names: this.#names, expect, level: this.#levelOf(check.requirement) }),
    );
    const described = { ...this.#described(entry), exchange: recordedExchange(exchange), checks };
    if (expect !== 'success' || isSuccess(exchange)) return described;
    const problem = `${described.title} ${exchange.answer ? 'answered' : 'got'} ${summaryOf(exchange)}`;
    this.#block = { reason: `blocked: ${problem}`, excused: false };
    return { ...described, problem };
  }

  #exchange(prepared: Prepared, entry: Entry): Promise<Exchange> {
    if (prepared.kind === 'message') return this.#around.target.send(prepared.request);
    return this.#around.target.sendRaw(prepared.request, { watchConnection: watchTime(entry) });
  }

  #capture(step: Step, exchange: Exchange): void {
    const view = viewOf(exchange);
    for (const [name, what] of Object.entries(step.capture ?? {})) this.#names.set(name, capture(what, view));
  }

  /** The step cannot be sent; what follows depends on it unless it says that any outcome will do. */
  #stopped(entry: Entry, block: Block): StepResult {
    if ((entry.step.expect ?? 'success') === 'success') this.#block = block;
    return this.#unsent(entry, block);
  }

  #unsent(entry: Entry, { reason, excused }: Block): StepResult {
    const checks = entry.checks.map((check) => unsentCheck(check, this.#levelOf(check.requirement), reason, excused));
    return { ...this.#described(entry), checks, problem: reason };
  }

  #described({ phase, step, place }: Entry): Pick<StepResult, 'phase' | 'title' | 'note' | 'place'> {
    const title = titleOf(step, this.#names);
    return { phase, title, ...(step.note === undefined ? {} : { note: step.note }), ...(place ? { place } : {}) };
  }

  #levelOf(requirement: string): Level {
    return this.#around.levelOf(requirement);
  }

  #originatorOf(actor: string | undefined): string | undefined {
    const originator = actor === undefined ? undefined : this.#scenario.actors[actor]?.originator;
    return originator === undefined ? undefined : interpolateToText(originator, this.#names);
  }
}

/** What a step may create or remove, for the ledger. */
function changeOf(step: Step, names: ReadonlyMap<string, Named>): Omit<Change, 'originator'> | undefined {
  if ('create' in step) {
    const name = interpolate(step.attributes?.rn, names);
    return { kind: 'creates below', path: interpolateToText(step.in, names), name };
  }
  if ('delete' in step) return { kind: 'removes', path: interpolateToText(step.delete, names) };
  if (!('raw' in step) || step.creates === undefined) return undefined;
  return { kind: 'creates', path: interpolateToText(step.creates, names) };
}

function watchTime({ checks }: Entry): number {
  const expected = checks.flatMap(({ check }) => [check, ...(check['one of'] ?? [])].map((one) => one.connection));
  if (expected.includes('closed')) return watch.closed;
  return expected.includes('open') ? watch.open : 0;
}
