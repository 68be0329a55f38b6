import type { LoadedScenario } from '../../files/load.ts';
import { type Entry, entriesOf, timeOf } from '../../files/scenario-entries.ts';
import type { SendingStep } from '../../grammar/grammar-step.ts';
import { inboxNames, milliseconds } from '../../grammar/names.ts';
import { expectationOf } from '../../grammar/vocabulary.ts';
import { type AnswerObservation, observationOf } from '../../judging/answer.ts';
import type { Block } from '../../judging/check.ts';
import { capturedBy } from '../../judging/expectation.ts';
import { faultOf, mayBeRefused, stateOf } from '../../judging/scenario-state.ts';
import { interpolateToText, MissingValue, type NamedValue } from '../../messages/interpolate.ts';
import { prepare } from '../../messages/request.ts';
import { isRaw, now, since } from '../../messages/target.ts';
import { numberedSpeech, type Speech } from '../../messages/usual-headers.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { ScenarioResult, StepResult } from '../../results/result.ts';
import { recordedExchange, recordedStep } from '../../targets/exchanging/record.ts';
import type { OpenInboxes } from '../../targets/inboxes.ts';
import { membersOf } from '../../targets/installation.ts';
import { withExpiration } from '../../targets/lifetime.ts';
import { cleanUpScenario } from './cleanup.ts';
import { Ledger } from './ledger.ts';
import { Poller } from './notifications.ts';
import { originatorNames, type RequestSender, senderOf } from './request-sender.ts';
import { labelOf, namesInChecks, namesOf, type ScenarioContext } from './scenario-context.ts';
import {
  changeOf,
  changesBy,
  exchangeOf,
  fallsShort,
  missesReceiver,
  type PreparedRequest,
  refusalOf,
  type SharedRegistration,
  sharedRegistration,
  whyUnsent,
  withoutExpiration,
} from './sending.ts';
import { MemberJudges, StepResults } from './step-results.ts';
import { isWaiting, neverReached, type WaitingStep, Waits } from './waits.ts';

/** Runs one scenario on an installation; never rejects. `number` makes its names unique in the run. */
export function runScenario(
  scenario: LoadedScenario,
  number: number,
  context: ScenarioContext,
): Promise<ScenarioResult> {
  const started = now();
  return new ScenarioRun(scenario, number, context)
    .run()
    .catch((error: unknown) => ({ ...faultOf(scenario, error), took: since(started) }));
}

class ScenarioRun {
  readonly #scenario: LoadedScenario;
  readonly #context: ScenarioContext;
  readonly #names: Map<string, NamedValue>;
  readonly #ledger: Ledger;
  readonly #speech: Speech;
  readonly #results: StepResults;
  readonly #waits: Waits;
  readonly #label: string;
  readonly #steps: StepResult[] = [];
  #block: Block | undefined;
  #fault: string | undefined;
  #interrupted = false;
  #inboxes: OpenInboxes | undefined;
  readonly #poller = new Poller();
  readonly #judges: MemberJudges;

  constructor(scenario: LoadedScenario, number: number, context: ScenarioContext) {
    this.#scenario = scenario;
    this.#context = context;
    const { installation, signal } = context;
    this.#label = labelOf(context.run, number);
    this.#speech = numberedSpeech(installation, `${this.#label}-r`, context.sent);
    this.#names = namesOf(scenario, number, context.run, installation);
    this.#results = new StepResults(this.#names, context.levelOf);
    this.#ledger = new Ledger(installation);
    this.#judges = new MemberJudges(membersOf(installation), context.judge);
    const inbox = (name: string) => this.#inboxes?.byName.get(name);
    const { ask } = context;
    this.#waits = new Waits({ installation, names: this.#names, inbox, signal, ask, scenario: scenario.id });
  }

  async run(): Promise<ScenarioResult> {
    const { id, feature, title, tags, place } = this.#scenario;
    const { installation } = this.#context;
    const started = now();
    await this.#prepare();
    for (const entry of entriesOf(this.#scenario, installation.dialect, installation.release))
      this.#steps.push(await this.#perform(entry));
    if (this.#context.notSent?.() === undefined) await this.#cleanUp();
    await this.#poller.stop();
    this.#inboxes?.close();
    const outcome = stateOf(this.#steps, { block: this.#block, fault: this.#fault, interrupted: this.#interrupted });
    return {
      ...{ id, feature, title, tags, place, installation: installation.name },
      ...outcome,
      ...namesInChecks(this.#scenario, this.#names),
      ...{ steps: this.#steps, leftBehind: this.#ledger.leftBehind(), took: since(started) },
    };
  }

  async #cleanUp(): Promise<void> {
    const { installation, signal, readBack } = this.#context;
    const wording = { speech: this.#speech, admin: installation.admin };
    // The same for each run of the scenario.
    const turn = this.#judges.hasJudges ? this.#scenario.id.length : undefined;
    for await (const step of cleanUpScenario(this.#ledger, { ...installation, wording, signal, readBack, turn }))
      this.#steps.push(recordedStep(this.#judges.judge(step)));
  }

  /** Opens the inboxes, reserves time, and determines the originators of the actors. */
  async #prepare(): Promise<void> {
    const { inboxes, clock } = this.#context.installation;
    this.#inboxes = await inboxes?.open(this.#label, this.#scenario.inboxes);
    for (const [name, { url }] of this.#inboxes?.byName ?? [])
      for (const one of inboxNames(name)) this.#names.set(one, { value: url });
    for (const [name, value] of await originatorNames(this.#senderContext())) this.#names.set(name, value);
    const total = timeOf(this.#scenario);
    // Virtual time is not that of the Date header.
    if (total > 0) this.#judges.passTime(0);
    const refusal = total === 0 ? undefined : clock?.reserve(total);
    if (refusal !== undefined) this.#block = { reason: refusal, kind: 'excused' };
  }

  #senderContext() {
    return { installation: this.#context.installation, actors: this.#scenario.actors, names: this.#names };
  }

  async #perform(entry: Entry): Promise<StepResult> {
    if (this.#context.signal.aborted) this.#interrupted = true;
    if (this.#interrupted) return this.#results.unsent(entry, { reason: 'the run was interrupted', kind: 'blocked' });
    const dead = this.#context.notSent?.();
    if (dead !== undefined) this.#block = { reason: dead, kind: 'blocked' };
    if (this.#block !== undefined) return this.#results.unsent(entry, this.#block);
    try {
      const { step } = entry;
      return await (isWaiting(step) ? this.#wait({ ...entry, step }) : this.#send({ ...entry, step }));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof MissingValue) return this.#stopped(entry, { reason: `blocked: ${reason}`, kind: 'blocked' });
      const result = this.#results.unsent(entry, { reason, kind: 'fault' });
      this.#fault = result.problem;
      this.#block = { reason: result.problem ?? reason, kind: 'blocked' };
      return result;
    }
  }

  async #send(entry: Entry<SendingStep>): Promise<StepResult> {
    const { step } = entry;
    const sender = await senderOf(entry, this.#senderContext());
    if ('missing' in sender) return this.#stopped(entry, { reason: sender.missing, kind: 'not applicable' });
    const timed = withExpiration(step, this.#scenario, this.#names, this.#context.installation.lifetime);
    const request = prepare(timed, this.#names, { originator: sender.originator, speech: this.#speech });
    const change = changeOf(step, this.#names);
    const registration = sharedRegistration(step, sender, request);
    const sending = { sender, request, registration };
    const unsent = await whyUnsent({ ...entry, ...this.#context, ...sending });
    if (unsent !== undefined) return this.#stopped(entry, unsent);
    const first = await exchangeOf(request, sender, entry.checks);
    const bare = () => prepare(step, this.#names, { originator: sender.originator, speech: this.#speech });
    const { installation } = this.#context;
    const exchange = timed === step ? first : await withoutExpiration(first, bare, entry, { sender, ...installation });
    for (const one of changesBy(change, exchange, this.#label)) this.#ledger.note(one, sender, exchange);
    return this.#answered(entry, exchange, sending);
  }

  /** The result of an answer, and its consequences for later steps. */
  #answered(entry: Entry<SendingStep>, exchange: Exchange, sending: PreparedRequest): StepResult {
    const { sender, request, registration } = sending;
    const seen = observationOf(exchange);
    for (const [name, value] of capturedBy(entry.step, seen.view)) this.#names.set(name, value);
    const recorded = { ...(sender.on === 'backend' && { on: sender.on }), exchange: recordedExchange(exchange) };
    const inUse = this.#refused(registration, exchange);
    if (inUse !== undefined) return { ...this.#stopped(entry, { reason: inUse, kind: 'blocked' }), ...recorded };
    const checks = this.#results.judge(entry, seen);
    const isKnown = entry.denied !== true || seen.success;
    const sent = { isOrdinary: !isRaw(request), uris: sender.way.certificate?.uris, isKnown };
    const whole = this.#judges.judge({ ...this.#results.describe(entry), ...recorded, exchange, checks }, sent);
    const result = { ...whole, exchange: recorded.exchange };
    const unreachable = this.#unreachableInbox(exchange);
    if (unreachable !== undefined && fallsShort(entry, result, seen))
      return { ...this.#stopped(entry, unreachable), ...recorded };
    if (seen.success) this.#poll(entry, sender);
    const unmet = this.#unmet(entry, seen);
    // Violations of rules still hold.
    const found = result.checks.slice(checks.length);
    if (unmet !== undefined) return { ...unmet, ...recorded, checks: [...unmet.checks, ...found] };
    const problem = `${result.title}${exchange.answer ? ' answered ' : ': '}${seen.summary}`;
    return this.#goOn(entry, result, seen.success ? undefined : problem);
  }

  /** Starts to fetch from the polling channel that a step created, or to receive for the AE that it registered. */
  #poll({ step, polls = '', receives = '' }: Entry<SendingStep>, sender: RequestSender): void {
    const { inboxes } = this.#context.installation;
    const receiver = this.#inboxes?.byName.get(receives);
    if (receiver !== undefined) inboxes?.receiveOver(sender.originator ?? '', receiver);
    const inbox = this.#inboxes?.byName.get(polls);
    if (inboxes === undefined || inbox === undefined || !('create' in step)) return;
    inbox.channel = interpolateToText(`${step.in}/${step.attributes?.rn}`, this.#names);
    this.#poller.poll({ inbox, sender, speech: this.#speech, elapsed: () => inboxes.elapsed() });
  }

  /** Why the answer to a registration shows nothing. */
  #refused(registration: SharedRegistration | undefined, exchange: Exchange): string | undefined {
    const refused = registration && refusalOf(registration, exchange);
    if (refused !== undefined) this.#context.onRefused?.(refused);
    return refused?.inUse;
  }

  /** Why an answer that complains of an inbox shows nothing about the target. */
  #unreachableInbox(exchange: Exchange): Block | undefined {
    const concerned = Object.keys(this.#scenario.inboxes).length > 0 && missesReceiver(exchange);
    return concerned ? neverReached(this.#context.installation) : undefined;
  }

  async #wait(entry: Entry<WaitingStep>): Promise<StepResult> {
    const waited = await this.#waits.await(entry);
    if (waited === 'interrupted') return this.#perform(entry);
    if ('kind' in waited) return this.#stopped(entry, waited);
    const { facts, observation } = waited;
    const { passed } = facts;
    if (passed !== undefined) this.#judges.passTime(passed.ended ?? milliseconds(passed.duration));
    for (const [name, value] of capturedBy(entry.step, observation.view)) this.#names.set(name, value);
    const unmet = this.#unmet(entry, observation);
    if (unmet !== undefined) return { ...unmet, ...facts };
    const result = { ...this.#results.describe(entry), ...facts, checks: this.#results.judge(entry, observation) };
    return this.#goOn(entry, result, observation.noAnswer);
  }

  #unmet(entry: Entry, seen: AnswerObservation): StepResult | undefined {
    const unmet = this.#results.unmet(entry, seen);
    if (unmet !== undefined) this.#block = unmet.block;
    return unmet?.result;
  }

  /** An unexpected failure blocks the rest. */
  #goOn({ step }: Entry, result: StepResult, problem: string | undefined): StepResult {
    if (expectationOf(step) !== 'success' || problem === undefined) return result;
    this.#block = { reason: `blocked: ${problem}`, kind: mayBeRefused(result) ? 'excused' : 'blocked' };
    return { ...result, problem };
  }

  /** The step cannot be sent; later steps depend on it unless it accepts any outcome. */
  #stopped(entry: Entry, block: Block): StepResult {
    if (block.final || expectationOf(entry.step) === 'success') this.#block = block;
    return this.#results.unsent(entry, block);
  }
}
