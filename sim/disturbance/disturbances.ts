/** Disturbs the connections of one CSE, between the service and the sockets, never in the pipeline. */
import type { DefectName } from '../../certs/pki.ts';
import type { Detour, DetourFor, MessageDetourFor } from '../bindings/detour.ts';
import type { HttpRequest } from '../dialects/http-message.ts';
import { millisecondsOf, type Scheduler } from '../environment/clock.ts';
import { ActiveRule, checkSupported, planFor } from './active-rule.ts';
import type { ActiveRuleState, Disturbances, RuleInput, ServerControls } from './contract.ts';
import { type DisturbanceWaits, detourOf, HeldExchanges, waitsOf } from './disturbed-answers.ts';
import { DisturbedMessages } from './disturbed-messages.ts';
import { type DisturbanceRule, type Duration, offsetIn } from './rule.ts';
import { seededNumbers } from './seeded.ts';

interface WholeState {
  readonly dead: 'refuses' | 'silent' | undefined;
  readonly certificate: DefectName | undefined;
}

export class WireDisturbances implements Disturbances {
  readonly #clock: Scheduler;
  readonly #onError: (error: unknown) => void;
  readonly #onDeath: (request: string) => void;
  readonly #waits: DisturbanceWaits;
  readonly #messages: DisturbedMessages;
  /** Cancel the scheduled ends of rules. */
  readonly #endings = new Set<() => void>();
  /** Rules by which a request has killed the CSE, while it is dead. */
  readonly #struck = new Set<ActiveRule>();
  #rules: readonly ActiveRule[] = [];
  #seed = 1;
  /** Each rule has a stream of its own. */
  #streams = 0;
  #offset = 0;
  readonly #servers: ServerControls[] = [];
  #state: WholeState = { dead: undefined, certificate: undefined };
  readonly #held: HeldExchanges;
  #lastChange: Promise<void> = Promise.resolve();

  /** The clock for all delays; `onError` receives failures that nobody awaits, `onDeath` the request that kills the CSE. */
  constructor(clock: Scheduler, onError: (error: unknown) => void, onDeath: (request: string) => void = () => {}) {
    this.#clock = clock;
    this.#onError = onError;
    this.#onDeath = onDeath;
    this.#waits = waitsOf(clock);
    this.#held = new HeldExchanges(clock);
    this.#messages = new DisturbedMessages(this.#waits);
  }

  get rules(): readonly ActiveRuleState[] {
    return this.#rules.map(({ rule, requests, disturbed }) => ({ rule, requests, disturbed }));
  }

  get seed(): number {
    return this.#seed;
  }

  /** The clock as the CSE sees it. */
  get clockOfCse(): Scheduler {
    const clock = this.#clock;
    return {
      now: () => clock.now() + this.#offset,
      schedule: (...task) => clock.schedule(...task),
      get changeCount() {
        return clock.changeCount;
      },
    };
  }

  /** Sets the clock before the CSE starts: later it could not go back behind times it has given. */
  async setClock(rules: readonly RuleInput[]): Promise<void> {
    if (rules.length === 0) return;
    const { readRule } = await import('./rule-form.ts');
    this.#offset = offsetIn(rules.map(readRule));
  }

  set(rules: readonly RuleInput[], { seed }: { readonly seed?: number } = {}): Promise<void> {
    return this.#change(async () => {
      const read = await this.#read(rules);
      this.#streams = 0;
      this.#seed = seed ?? this.#seed;
      return this.#activate(read);
    });
  }

  add(...rules: readonly RuleInput[]): Promise<void> {
    return this.#change(async () => [...this.#rules, ...this.#activate(await this.#read(rules))]);
  }

  dead({ how, for: lasting }: { readonly for?: Duration; readonly how?: 'refuses' | 'silent' } = {}): Promise<void> {
    return this.add({ do: { effect: 'dead', ...(how && { how }) }, ...(lasting !== undefined && { for: lasting }) });
  }

  clear(): Promise<void> {
    return this.#change(async () => []);
  }

  readonly detour: DetourFor = (request) => {
    if (this.#rules.length === 0) return undefined;
    if (this.#state.dead === 'silent') return this.#silence(request);
    const deadly = this.#deadlyFor(request);
    if (deadly !== undefined) return this.#strike(deadly, request);
    const plan = planFor(request, this.#rules);
    return plan && detourOf(plan, this.#waits, (response) => this.#held.add(response));
  };

  /** Called by bindings for each request whose answer is a message of its own. */
  readonly messageDetour: MessageDetourFor = (request) => {
    if (this.#rules.length === 0) return undefined;
    const deadly = this.#deadlyFor(request);
    if (deadly !== undefined) this.#kill(deadly, request);
    if (deadly === undefined && this.#state.dead === 'silent') this.#countSilence(request);
    if (deadly !== undefined || this.#state.dead === 'silent') return this.#messages.silence;
    const plan = planFor(request, this.#rules);
    return plan ? this.#messages.detourOf(plan) : this.#messages.passThrough;
  };

  /** From now on rules about the whole CSE apply to this server, too. */
  installAt(server: ServerControls): void {
    this.#servers.push(server);
  }

  /** Ends all delays, and cuts exchanges that are never answered, so that the CSE can be closed. */
  end(): void {
    for (const cancel of this.#endings) cancel();
    this.#waits.end();
    this.#messages.releaseOvertaken();
    this.#held.cut();
  }

  async #read(rules: readonly RuleInput[]): Promise<DisturbanceRule[]> {
    if (rules.length === 0) return [];
    const { readRule } = await import('./rule-form.ts');
    const read = rules.map(readRule);
    for (const { do: effect } of read) checkSupported(effect, this.#servers);
    return read;
  }

  #activate(rules: readonly DisturbanceRule[]): ActiveRule[] {
    return rules.map((rule) => {
      this.#streams += 1;
      const active = new ActiveRule(rule, seededNumbers(this.#seed, this.#streams));
      if (rule.for !== undefined && !isDeadly(active)) this.#endAfter(rule.for, () => this.#without(active));
      return active;
    });
  }

  #endAfter(time: Duration, rulesAfter: () => readonly ActiveRule[]): void {
    const cancel = this.#clock.schedule(millisecondsOf(time), () => {
      this.#endings.delete(cancel);
      return this.#change(async () => rulesAfter()).catch(this.#onError);
    });
    this.#endings.add(cancel);
  }

  #without(gone: ActiveRule): readonly ActiveRule[] {
    return this.#rules.filter((one) => one !== gone);
  }

  /** The CSE dies with the request, which is not executed. */
  #strike(deadly: ActiveRule, request: HttpRequest): Detour {
    this.#kill(deadly, request);
    return { isServed: false, take: (_, { response }) => this.#held.add(response) };
  }

  #deadlyFor = (request: HttpRequest): ActiveRule | undefined =>
    this.#rules.find((one) => this.#struck.has(one) || (isDeadly(one) && one.applies(request)));

  #kill(deadly: ActiveRule, { method, target }: HttpRequest): void {
    if (this.#struck.has(deadly)) return;
    this.#die(deadly);
    this.#onDeath(`${method} ${target}`);
  }

  #die(deadly: ActiveRule): void {
    this.#struck.add(deadly);
    this.#change(async () => this.#rules).catch(this.#onError);
    const { for: lasting } = deadly.rule;
    const reviving = (): readonly ActiveRule[] => {
      this.#struck.delete(deadly);
      return this.#rules;
    };
    if (lasting !== undefined) this.#endAfter(lasting, reviving);
  }

  /** Applies changes one after the other, since listening again takes time. */
  #change(rulesAfter: () => Promise<readonly ActiveRule[]>): Promise<void> {
    const changed = this.#lastChange.then(async () => {
      this.#rules = await rulesAfter();
      await this.#apply();
    });
    this.#lastChange = changed.catch(() => {});
    return changed;
  }

  /** Brings the whole CSE into the state of the rules. */
  async #apply(): Promise<void> {
    for (const deadly of this.#struck) if (!this.#rules.includes(deadly)) this.#struck.delete(deadly);
    const holding = this.#rules.filter((active) => !isDeadly(active) || this.#struck.has(active));
    const effects = holding.map(({ rule }) => rule.do).toReversed();
    this.#offset = offsetIn(holding.map(({ rule }) => rule));
    const death = effects.find((one) => one.effect === 'dead');
    const presented = effects.find((one) => one.effect === 'certificate');
    const former = this.#state;
    const dead = death && (death.how ?? 'refuses');
    const certificate = presented && (presented.is ?? 'expired');
    this.#state = { dead, certificate };
    if (former.dead === 'silent' && dead !== 'silent') this.#held.cut();
    if (former.certificate !== certificate)
      await Promise.all(this.#servers.map((server) => server.present?.(certificate)));
    if (dead === 'refuses') this.#servers.map((server) => server.suspend());
    else if (former.dead === 'refuses') await this.#resume();
  }

  async #resume(): Promise<void> {
    try {
      for (const server of this.#servers) await server.resume();
    } catch (error) {
      // The next change is another attempt.
      this.#state = { ...this.#state, dead: 'refuses' };
      throw error;
    }
  }

  #silence(request: HttpRequest): Detour {
    this.#countSilence(request);
    return { isServed: false, take: (_, { response }) => this.#held.add(response) };
  }

  #countSilence(request: HttpRequest): void {
    this.#rules.findLast(({ rule }) => rule.do.effect === 'dead' && rule.match === undefined)?.applies(request);
  }
}

/** Whether the CSE dies with matching requests, rather than at once. */
function isDeadly({ rule }: ActiveRule): boolean {
  return rule.do.effect === 'dead' && rule.match !== undefined;
}
