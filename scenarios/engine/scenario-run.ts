import { actingOf, originatorNames } from './acting.ts';
import { type AnswerView, observationOf } from './answer.ts';
import { capture } from './capture.ts';
import type { Block } from './check.ts';
import { removeCreated } from './cleanup.ts';
import {
  type AdvanceStep,
  expectationOf,
  isSending,
  type NotifiedStep,
  type ReceiveStep,
  type SendingStep,
  type Step,
} from './grammar-step.ts';
import type { Installation } from './installation.ts';
import { MissingValue, type Named } from './interpolate.ts';
import { Ledger } from './ledger.ts';
import type { LoadedScenario } from './load.ts';
import { inboxUrlName } from './names.ts';
import { awaitNotifications } from './notified.ts';
import { awaitRequest } from './receive.ts';
import { prepare } from './request.ts';
import type { CheckLevel, ScenarioResult, StepResult } from './result.ts';
import { entriesOf, timeOf } from './scenario-entries.ts';
import { labelOf, namesOf } from './scenario-names.ts';
import { stateOf } from './scenario-state.ts';
import { changeOf, exchangeOf, takenOriginator } from './sending.ts';
import { type Entry, StepResults } from './step-results.ts';
import type { OpenInboxes } from './targets/inboxes.ts';
import { recordedExchange } from './targets/record.ts';
import { now, since } from './targets/target.ts';
import type { Speech } from './usual-headers.ts';

export interface Surroundings {
  readonly installation: Installation;
  readonly run: string;
  readonly levelOf: (requirement: string) => CheckLevel;
  readonly signal: AbortSignal;
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

/** So many notifications of a step are kept for reports. */
const mostShown = 20;

class ScenarioRun {
  readonly #scenario: LoadedScenario;
  readonly #around: Surroundings;
  readonly #names: Map<string, Named>;
  readonly #ledger: Ledger;
  readonly #speech: Speech;
  readonly #results: StepResults;
  readonly #label: string;
  readonly #steps: StepResult[] = [];
  #block: Block | undefined;
  #fault: string | undefined;
  #interrupted = false;
  /** Position from which the next request of the target is awaited. */
  #received = 0;
  #inboxes: OpenInboxes | undefined;

  constructor(scenario: LoadedScenario, number: number, around: Surroundings) {
    this.#scenario = scenario;
    this.#around = around;
    const { gateway, backend, dialect, release } = around.installation;
    this.#label = labelOf(around.run, number);
    let requests = 0;
    const requestIdentifier = () => `${this.#label}-r${++requests}`;
    this.#speech = { dialect, release, requestIdentifier };
    this.#names = namesOf(scenario, number, around.run, around.installation);
    this.#results = new StepResults(this.#names, around.levelOf);
    this.#ledger = new Ledger({ gateway: gateway.description, ...(backend && { backend: backend.description }) });
  }

  async run(): Promise<ScenarioResult> {
    const { id, feature, title, tags, place } = this.#scenario;
    const { installation, signal } = this.#around;
    const started = now();
    await this.#prepare();
    for (const entry of entriesOf(this.#scenario, installation.dialect)) this.#steps.push(await this.#perform(entry));
    const wording = { speech: this.#speech, admin: installation.admin };
    for await (const step of removeCreated(this.#ledger, { ...installation, wording }, signal)) this.#steps.push(step);
    this.#inboxes?.close();
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

  /** Opens the inboxes, sets time aside, and finds out who the actors are. */
  async #prepare(): Promise<void> {
    const { inboxes, clock } = this.#around.installation;
    this.#inboxes = await inboxes?.open(this.#label, this.#scenario.inboxes);
    for (const [name, url] of this.#inboxes?.urls() ?? []) this.#names.set(inboxUrlName(name), { value: url });
    for (const [name, value] of await originatorNames(this.#stage())) this.#names.set(name, value);
    const total = timeOf(this.#scenario);
    const refusal = total === 0 ? undefined : clock?.reserve(total);
    if (refusal !== undefined) this.#block = { reason: refusal, kind: 'excused' };
  }

  #stage() {
    return { installation: this.#around.installation, actors: this.#scenario.actors, names: this.#names };
  }

  async #perform(entry: Entry): Promise<StepResult> {
    if (this.#around.signal.aborted) this.#interrupted = true;
    if (this.#interrupted) return this.#results.unsent(entry, { reason: 'the run was interrupted', kind: 'blocked' });
    if (this.#block !== undefined) return this.#results.unsent(entry, this.#block);
    try {
      return await this.#performed(entry);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof MissingValue) return this.#stopped(entry, { reason: `blocked: ${reason}`, kind: 'blocked' });
      return this.#failed(entry, reason);
    }
  }

  #performed({ step, ...entry }: Entry): Promise<StepResult> {
    if (isSending(step)) return this.#send({ ...entry, step });
    if ('receive' in step) return this.#receive({ ...entry, step });
    return 'notified' in step ? this.#notified({ ...entry, step }) : this.#advance({ ...entry, step });
  }

  async #send(entry: Entry<SendingStep>): Promise<StepResult> {
    const { step } = entry;
    const acting = await actingOf(entry, this.#stage());
    if ('missing' in acting) return this.#stopped(entry, { reason: acting.missing, kind: 'not applicable' });
    const prepared = prepare(step, this.#names, { originator: acting.originator, speech: this.#speech });
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
    const described = { ...this.#results.described(entry), ...shown, checks: this.#results.judged(entry, seen) };
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
    const described = {
      ...this.#results.described(entry),
      ...received,
      checks: this.#results.judged(entry, observation),
    };
    return this.#goOn(entry, described, observation.nothing);
  }

  async #notified(entry: Entry<NotifiedStep>): Promise<StepResult> {
    const { installation, signal } = this.#around;
    const { step, checks } = entry;
    const { settled, inboxes } = installation;
    const inbox = this.#inboxes?.get(step.notified);
    if (inbox === undefined || inboxes === undefined)
      return this.#stopped(entry, { reason: 'needs a target that reaches the harness', kind: 'not applicable' });
    const watching = { ...(settled && { settled }), silence: inboxes.silence, signal };
    const { came, observation } = await awaitNotifications(step, checks, inbox, watching);
    if (signal.aborted && observation.nothing !== undefined) return this.#perform(entry);
    const unreached = observation.nothing === undefined ? undefined : neverReached(installation);
    if (unreached !== undefined) return this.#stopped(entry, { reason: unreached, kind: 'blocked' });
    this.#capture(step, observation.view);
    const shown = came.slice(0, mostShown).map(({ request }) => request);
    const notifications = { inbox: step.notified, count: came.length, shown };
    const described = {
      ...this.#results.described(entry),
      notifications,
      checks: this.#results.judged(entry, observation),
    };
    return this.#goOn(entry, described, observation.nothing);
  }

  async #advance(entry: Entry<AdvanceStep>): Promise<StepResult> {
    const { installation, signal } = this.#around;
    const { clock } = installation;
    if (clock === undefined)
      return this.#stopped(entry, { reason: 'needs a target whose time can pass', kind: 'not applicable' });
    await clock.advance(entry.step.advance, signal);
    const how = clock.virtual ? 'virtual' : 'waited';
    return { ...this.#results.described(entry), passed: { duration: entry.step.advance, how }, checks: [] };
  }

  #capture(step: Exclude<Step, AdvanceStep>, view: AnswerView): void {
    for (const [name, what] of Object.entries(step.capture ?? {})) this.#names.set(name, capture(what, view));
  }

  /** What was expected to succeed and did not blocks the rest. */
  #goOn({ step }: Entry, result: StepResult, problem: string | undefined): StepResult {
    if (expectationOf(step) !== 'success' || problem === undefined) return result;
    this.#block = { reason: `blocked: ${problem}`, kind: 'blocked' };
    return { ...result, problem };
  }

  /** The step cannot be sent; what follows depends on it unless it says that any outcome will do. */
  #stopped(entry: Entry, block: Block): StepResult {
    if (expectationOf(entry.step) === 'success') this.#block = block;
    return this.#results.unsent(entry, block);
  }

  #failed(entry: Entry, reason: string): StepResult {
    const result = this.#results.broken(entry, reason);
    this.#fault = result.problem;
    this.#block = { reason: result.problem ?? reason, kind: 'blocked' };
    return result;
  }
}

/** A target that has sent nothing at all, and of which nobody said that it reaches the harness, is not to blame. */
function neverReached({ inboxes, reachesInboxes = false }: Installation): string | undefined {
  if (reachesInboxes || inboxes === undefined || inboxes.used) return undefined;
  return 'nothing has come to the harness from this target; whether it can reach it is not known. Give --inbox-host HOST';
}
