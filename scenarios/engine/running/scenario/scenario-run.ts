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
import { sitesOf } from '../../targets/installation.ts';
import { withExpiration } from '../../targets/lifetime.ts';
import { type Acting, actingOf, originatorNames } from './acting.ts';
import { cleanedUp } from './cleanup.ts';
import { Ledger } from './ledger.ts';
import { Poller } from './poller.ts';
import type { ScenarioContext } from './scenario-context.ts';
import { labelOf, namesOf, namesTold } from './scenario-names.ts';
import {
  changeOf,
  changesBy,
  exchangeOf,
  fallsShort,
  missesReceiver,
  refusalOf,
  type SharedRegistration,
  sharedRegistration,
  type ToSend,
  whyUnsent,
  withoutExpiration,
} from './sending.ts';
import { SiteJudges, StepResults } from './step-results.ts';
import { isWaiting, neverReached, type WaitingStep, Waits } from './waits.ts';

/** Runs one scenario on an installation; never rejects. `number` makes its names unique in the run. */
export function runScenario(
  scenario: LoadedScenario,
  number: number,
  surroundings: ScenarioContext,
): Promise<ScenarioResult> {
  const started = now();
  return new ScenarioRun(scenario, number, surroundings)
    .run()
    .catch((error: unknown) => ({ ...faultOf(scenario, error), took: since(started) }));
}

class ScenarioRun {
  readonly #scenario: LoadedScenario;
  readonly #around: ScenarioContext;
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
  readonly #judges: SiteJudges;

  constructor(scenario: LoadedScenario, number: number, around: ScenarioContext) {
    this.#scenario = scenario;
    this.#around = around;
    const { installation, signal } = around;
    this.#label = labelOf(around.run, number);
    this.#speech = numberedSpeech(installation, `${this.#label}-r`, around.sent);
    this.#names = namesOf(scenario, number, around.run, installation);
    this.#results = new StepResults(this.#names, around.levelOf);
    this.#ledger = new Ledger(installation);
    this.#judges = new SiteJudges(sitesOf(installation), around.judge);
    const inbox = (name: string) => this.#inboxes?.byName.get(name);
    const { ask } = around;
    this.#waits = new Waits({ installation, names: this.#names, inbox, signal, ask, scenario: scenario.id });
  }

  async run(): Promise<ScenarioResult> {
    const { id, feature, title, tags, place } = this.#scenario;
    const { installation } = this.#around;
    const started = now();
    await this.#prepare();
    for (const entry of entriesOf(this.#scenario, installation.dialect, installation.release))
      this.#steps.push(await this.#perform(entry));
    if (this.#around.notSent?.() === undefined) await this.#cleanUp();
    await this.#poller.stop();
    this.#inboxes?.close();
    const outcome = stateOf(this.#steps, { block: this.#block, fault: this.#fault, interrupted: this.#interrupted });
    const described = { id, feature, title, tags, place, installation: installation.name };
    return {
      ...described,
      ...outcome,
      ...namesTold(this.#scenario, this.#names),
      ...{ steps: this.#steps, leftBehind: this.#ledger.leftBehind(), took: since(started) },
    };
  }

  async #cleanUp(): Promise<void> {
    const { installation, signal, readBack } = this.#around;
    const wording = { speech: this.#speech, admin: installation.admin };
    // The turn is the same whenever the scenario runs.
    const turn = this.#judges.areThere ? this.#scenario.id.length : undefined;
    for await (const step of cleanedUp(this.#ledger, { ...installation, wording, signal, readBack, turn }))
      this.#steps.push(recordedStep(this.#judges.judged(step)));
  }

  /** Opens the inboxes, sets time aside, and finds out who the actors are. */
  async #prepare(): Promise<void> {
    const { inboxes, clock } = this.#around.installation;
    this.#inboxes = await inboxes?.open(this.#label, this.#scenario.inboxes);
    for (const [name, { url }] of this.#inboxes?.byName ?? [])
      for (const one of inboxNames(name)) this.#names.set(one, { value: url });
    for (const [name, value] of await originatorNames(this.#stage())) this.#names.set(name, value);
    const total = timeOf(this.#scenario);
    // A clock that is moved is not the one of the Date header.
    if (total > 0) this.#judges.passTime(0);
    const refusal = total === 0 ? undefined : clock?.reserve(total);
    if (refusal !== undefined) this.#block = { reason: refusal, kind: 'excused' };
  }

  #stage() {
    return { installation: this.#around.installation, actors: this.#scenario.actors, names: this.#names };
  }

  async #perform(entry: Entry): Promise<StepResult> {
    if (this.#around.signal.aborted) this.#interrupted = true;
    if (this.#interrupted) return this.#results.unsent(entry, { reason: 'the run was interrupted', kind: 'blocked' });
    const dead = this.#around.notSent?.();
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
    const acting = await actingOf(entry, this.#stage());
    if ('missing' in acting) return this.#stopped(entry, { reason: acting.missing, kind: 'not applicable' });
    const living = withExpiration(step, this.#scenario, this.#names, this.#around.installation.lifetime);
    const request = prepare(living, this.#names, { originator: acting.originator, speech: this.#speech });
    const change = changeOf(step, this.#names);
    const registration = sharedRegistration(step, acting, request);
    const sending = { acting, request, registration };
    const unsent = await whyUnsent({ ...entry, ...this.#around, ...sending });
    if (unsent !== undefined) return this.#stopped(entry, unsent);
    const first = await exchangeOf(request, acting, entry.checks);
    const bare = () => prepare(step, this.#names, { originator: acting.originator, speech: this.#speech });
    const { installation } = this.#around;
    const exchange = living === step ? first : await withoutExpiration(first, bare, entry, { acting, ...installation });
    for (const one of changesBy(change, exchange, this.#label)) this.#ledger.note(one, acting, exchange);
    return this.#answered(entry, exchange, sending);
  }

  /** What the answer shows, and what that means for the steps to come. */
  #answered(entry: Entry<SendingStep>, exchange: Exchange, { acting, request, registration }: ToSend): StepResult {
    const seen = observationOf(exchange);
    for (const [name, value] of capturedBy(entry.step, seen.view)) this.#names.set(name, value);
    const shown = { ...(acting.on === 'backend' && { on: acting.on }), exchange: recordedExchange(exchange) };
    const taken = this.#refused(registration, exchange);
    if (taken !== undefined) return { ...this.#stopped(entry, { reason: taken, kind: 'blocked' }), ...shown };
    const checks = this.#results.judged(entry, seen);
    const told = { isOrdinary: !isRaw(request), uris: acting.way.certificate?.uris };
    const whole = this.#judges.judged({ ...this.#results.described(entry), ...shown, exchange, checks }, told);
    const described = { ...whole, exchange: shown.exchange };
    const unheard = this.#unheard(exchange);
    if (unheard !== undefined && fallsShort(entry, described, seen))
      return { ...this.#stopped(entry, unheard), ...shown };
    if (seen.success) this.#poll(entry, acting);
    const unmet = this.#unmet(entry, seen);
    // What rules found of it is no less true for that.
    const found = described.checks.slice(checks.length);
    if (unmet !== undefined) return { ...unmet, ...shown, checks: [...unmet.checks, ...found] };
    const problem = `${described.title}${exchange.answer ? ' answered ' : ': '}${seen.summary}`;
    return this.#goOn(entry, described, seen.success ? undefined : problem);
  }

  /** Fetches, from now on, what waits in the polling channel that a step created, or hears what comes for who has registered. */
  #poll({ step, polls = '', hears = '' }: Entry<SendingStep>, acting: Acting): void {
    const { inboxes } = this.#around.installation;
    const heard = this.#inboxes?.byName.get(hears);
    if (heard !== undefined) inboxes?.hearOver(acting.originator ?? '', heard);
    const inbox = this.#inboxes?.byName.get(polls);
    if (inboxes === undefined || inbox === undefined || !('create' in step)) return;
    inbox.channel = interpolateToText(`${step.in}/${step.attributes?.rn}`, this.#names);
    this.#poller.poll({ inbox, acting, speech: this.#speech, elapsed: () => inboxes.elapsed() });
  }

  /** Why the answer to a registration says nothing. */
  #refused(registration: SharedRegistration | undefined, exchange: Exchange): string | undefined {
    const refused = registration && refusalOf(registration, exchange);
    if (refused !== undefined) this.#around.onRefused?.(refused);
    return refused?.taken;
  }

  /** Why an answer that complains of an inbox says nothing about the target. */
  #unheard(exchange: Exchange): Block | undefined {
    const concerned = Object.keys(this.#scenario.inboxes).length > 0 && missesReceiver(exchange);
    return concerned ? neverReached(this.#around.installation) : undefined;
  }

  async #wait(entry: Entry<WaitingStep>): Promise<StepResult> {
    const waited = await this.#waits.await(entry);
    if (waited === 'interrupted') return this.#perform(entry);
    if ('kind' in waited) return this.#stopped(entry, waited);
    const { shown, observation } = waited;
    const { passed } = shown;
    if (passed !== undefined) this.#judges.passTime(passed.ended ?? milliseconds(passed.duration));
    for (const [name, value] of capturedBy(entry.step, observation.view)) this.#names.set(name, value);
    const unmet = this.#unmet(entry, observation);
    if (unmet !== undefined) return { ...unmet, ...shown };
    const described = { ...this.#results.described(entry), ...shown, checks: this.#results.judged(entry, observation) };
    return this.#goOn(entry, described, observation.nothing);
  }

  #unmet(entry: Entry, seen: AnswerObservation): StepResult | undefined {
    const unmet = this.#results.unmet(entry, seen);
    if (unmet !== undefined) this.#block = unmet.block;
    return unmet?.result;
  }

  /** What was expected to succeed and did not blocks the rest. */
  #goOn({ step }: Entry, result: StepResult, problem: string | undefined): StepResult {
    if (expectationOf(step) !== 'success' || problem === undefined) return result;
    this.#block = { reason: `blocked: ${problem}`, kind: mayBeRefused(result) ? 'excused' : 'blocked' };
    return { ...result, problem };
  }

  /** The step cannot be sent; what follows depends on it unless it says that any outcome will do. */
  #stopped(entry: Entry, block: Block): StepResult {
    if (block.final || expectationOf(entry.step) === 'success') this.#block = block;
    return this.#results.unsent(entry, block);
  }
}
