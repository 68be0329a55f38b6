import { isSuccess, summaryOf, viewOf } from './answer.ts';
import { capture } from './capture.ts';
import { judgeCheck, type Level, unsentCheck } from './check.ts';
import { Ledger } from './cleanup.ts';
import type { Step } from './grammar.ts';
import { interpolate, interpolateToText, MissingValue, type Named } from './interpolate.ts';
import type { LoadedScenario, LoadedStep } from './load.ts';
import { type Prepared, prepare, titleOf } from './request.ts';
import type { Exchange, ScenarioResult, StepResult } from './result.ts';
import { stateOf } from './scenario-state.ts';
import { recordedAnswer } from './targets/record.ts';
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

/** Milliseconds for removing things after an interruption. */
const hurry = 3000;
/** Milliseconds to watch a connection that is to be closed, and one that is to stay open. */
const watch = { closed: 1500, open: 250 };

/** Runs one scenario against a target; never rejects. `number` makes its names unique in the run. */
export function runScenario(
  scenario: LoadedScenario,
  number: number,
  surroundings: Surroundings,
): Promise<ScenarioResult> {
  return new ScenarioRun(scenario, number, surroundings).run();
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
    this.#names = namesOf(scenario, number, around);
    this.#ledger = new Ledger(around.target.description);
  }

  async run(): Promise<ScenarioResult> {
    const { id, feature, title, tags, place } = this.#scenario;
    const started = now();
    for (const entry of this.#entries()) this.#steps.push(await this.#perform(entry));
    await this.#cleanUp();
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
    const objection = prepared.kind === 'raw' ? this.#around.target.objection(prepared.request) : undefined;
    if (objection !== undefined) return this.#stopped(entry, { reason: objection, excused: true });
    const exchange = await this.#exchange(prepared, entry);
    this.#note(step, prepared, exchange, originator);
    this.#capture(step, exchange);
    const expect = step.expect ?? 'success';
    const checks = entry.checks.map((check) =>
      judgeCheck(check, { exchange, names: this.#names, expect, level: this.#levelOf(check.requirement) }),
    );
    const described = { ...this.#described(entry), exchange: recorded(exchange), checks };
    if (expect !== 'success' || isSuccess(exchange)) return described;
    const problem = `${described.title} ${exchange.answer ? 'answered' : 'got'} ${summaryOf(exchange)}`;
    this.#block = { reason: `blocked: ${problem}`, excused: false };
    return { ...described, problem };
  }

  #exchange(prepared: Prepared, entry: Entry): Promise<Exchange> {
    if (prepared.kind === 'message') return this.#around.target.send(prepared.request);
    return this.#around.target.sendRaw(prepared.request, { watchConnection: watchTime(entry) });
  }

  #note(step: Step, prepared: Prepared, exchange: Exchange, originator: string | undefined): void {
    const names = this.#names;
    if ('create' in step) {
      this.#ledger.note(
        step,
        interpolateToText(step.in, names),
        interpolate(step.attributes, names),
        exchange,
        originator,
      );
    } else if ('delete' in step) {
      this.#ledger.note(step, interpolateToText(step.delete, names), undefined, exchange, originator);
    } else if ('raw' in step && step.creates !== undefined && prepared.kind === 'raw') {
      this.#ledger.note(step, interpolateToText(step.creates, names), undefined, exchange, originator);
    }
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

  async #cleanUp(): Promise<void> {
    const started = now();
    for (const { path, originator } of this.#ledger.toRemove()) {
      const interrupted = this.#around.signal.aborted;
      if (interrupted && since(started) > hurry) return;
      const headers = originator === undefined ? [] : [['X-M2M-Origin', originator] as const];
      const exchange = await this.#around.target.send({ method: 'DELETE', path, headers }).catch(() => undefined);
      if (exchange === undefined) continue;
      const gone = isSuccess(exchange) || exchange.answer?.status === 404;
      if (gone) this.#ledger.removed(path);
      const problem = gone ? {} : { problem: `not removed: ${summaryOf(exchange)}` };
      this.#steps.push({
        phase: 'cleanup',
        title: `delete ${path}`,
        exchange: recorded(exchange),
        checks: [],
        ...problem,
      });
      if (isSilent(exchange)) return;
    }
  }
}

/** Removing more would take the whole time limit for each thing. */
function isSilent({ failure }: Exchange): boolean {
  return failure !== undefined && ['timeout', 'refused', 'unreachable'].includes(failure.kind);
}

function namesOf(scenario: LoadedScenario, number: number, { run, target }: Surroundings): Map<string, Named> {
  const { base, cseId, spId, url } = target.description;
  const name = `cl-${run}-${number}`;
  const values: Record<string, string> = { run, name, base, cse: cseId, sp: spId, host: new URL(url).host };
  for (const actor of Object.keys(scenario.actors)) values[actor] = `${name}-${actor}`;
  return new Map(Object.entries(values).map(([key, value]) => [key, { value }]));
}

/** An actor is registered like any application (endpoint 1). */
function registration(actor: string): Step {
  const attributes = { rn: `\${${actor}}`, api: `N.cselab.${actor}`, rr: 'TRUE' };
  return { create: 'ae', in: '/${base}', as: actor, attributes, note: `actor ${actor}` };
}

function watchTime({ checks }: Entry): number {
  const expected = checks.flatMap(({ check }) => [check, ...(check['one of'] ?? [])].map((one) => one.connection));
  if (expected.includes('closed')) return watch.closed;
  return expected.includes('open') ? watch.open : 0;
}

function recorded(exchange: Exchange): Exchange {
  return exchange.answer === undefined ? exchange : { ...exchange, answer: recordedAnswer(exchange.answer) };
}
