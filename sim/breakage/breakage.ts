/** What breaks the connections of one CSE on purpose: it stands between the service and the sockets, and never in the pipeline. */
import type { ServerResponse } from 'node:http';
import type { RefusedKind } from '../../certs/pki.ts';
import type { Detour, DetourFor, MessageDetourFor } from '../bindings/detour.ts';
import type { HttpRequest } from '../dialects/http-message.ts';
import { millisecondsOf, type Scheduler } from '../environment/clock.ts';
import { type BreakageWaits, detourOf, waitsBy } from './broken-answers.ts';
import { BrokenMessages } from './broken-messages.ts';
import type { Breakage, GivenRule, RuleInForce, ServerControls } from './contract.ts';
import { type BreakageRule, type Duration, offsetIn } from './rule.ts';
import { seededNumbers } from './seeded.ts';
import { checkPlace, planFor, StandingRule } from './standing-rule.ts';

interface Whole {
  readonly dead: 'refuses' | 'silent' | undefined;
  readonly certificate: RefusedKind | undefined;
}

export class WireBreakage implements Breakage {
  readonly #clock: Scheduler;
  readonly #onError: (error: unknown) => void;
  readonly #onDeath: (request: string) => void;
  readonly #waits: BreakageWaits;
  readonly #messages: BrokenMessages;
  /** Those that end rules whose time comes. */
  readonly #endings = new Set<() => void>();
  /** Rules by which some request has ended the life of the CSE, as long as it is dead. */
  readonly #struck = new Set<StandingRule>();
  #rules: readonly StandingRule[] = [];
  #seed = 1;
  /** Each rule has a stream of its own. */
  #streams = 0;
  #offset = 0;
  readonly #sites: ServerControls[] = [];
  #whole: Whole = { dead: undefined, certificate: undefined };
  /** Exchanges that are never answered. */
  readonly #held = new Set<ServerResponse>();
  #lastChange: Promise<void> = Promise.resolve();

  /** The clock by which everything waits, who hears of what fails when nobody waits for it, and of the request that ends its life. */
  constructor(clock: Scheduler, onError: (error: unknown) => void, onDeath: (request: string) => void = () => {}) {
    this.#clock = clock;
    this.#onError = onError;
    this.#onDeath = onDeath;
    this.#waits = waitsBy(clock);
    this.#messages = new BrokenMessages(this.#waits);
  }

  get rules(): readonly RuleInForce[] {
    return this.#rules.map(({ rule, requests, broken }) => ({ rule, requests, broken }));
  }

  get seed(): number {
    return this.#seed;
  }

  /** The clock as the CSE sees it. */
  get clockOfCse(): Scheduler {
    const clock = this.#clock;
    return {
      now: () => clock.now() + this.#offset,
      schedule: (milliseconds, task) => clock.schedule(milliseconds, task),
      get happened() {
        return clock.happened;
      },
    };
  }

  /** The clock of a CSE that is not there yet: later it would not go back before the times that it has given. */
  async setClock(rules: readonly GivenRule[]): Promise<void> {
    if (rules.length === 0) return;
    const { readRule } = await import('./rule-form.ts');
    this.#offset = offsetIn(rules.map(readRule));
  }

  set(rules: readonly GivenRule[], { seed }: { readonly seed?: number } = {}): Promise<void> {
    return this.#change(async () => {
      const read = await this.#read(rules);
      this.#streams = 0;
      this.#seed = seed ?? this.#seed;
      return this.#standing(read);
    });
  }

  add(...rules: readonly GivenRule[]): Promise<void> {
    return this.#change(async () => [...this.#rules, ...this.#standing(await this.#read(rules))]);
  }

  dead({ how, for: lasting }: { readonly for?: Duration; readonly how?: 'refuses' | 'silent' } = {}): Promise<void> {
    return this.add({ do: { effect: 'dead', ...(how && { how }) }, ...(lasting !== undefined && { for: lasting }) });
  }

  clear(): Promise<void> {
    return this.#change(async () => []);
  }

  readonly detour: DetourFor = (request) => {
    if (this.#rules.length === 0) return undefined;
    if (this.#whole.dead === 'silent') return this.#silence(request);
    const deadly = this.#deadlyFor(request);
    if (deadly !== undefined) return this.#strike(deadly, request);
    const plan = planFor(request, this.#rules);
    return plan && detourOf(plan, this.#waits, (response) => this.#hold(response));
  };

  /** What a binding asks for each request whose answer is a message of its own. */
  readonly messageDetour: MessageDetourFor = (request) => {
    if (this.#rules.length === 0) return undefined;
    const deadly = this.#deadlyFor(request);
    if (deadly !== undefined) this.#kill(deadly, request);
    if (deadly === undefined && this.#whole.dead === 'silent') this.#countSilence(request);
    if (deadly !== undefined || this.#whole.dead === 'silent') return this.#messages.silence;
    const plan = planFor(request, this.#rules);
    return plan ? this.#messages.detourOf(plan) : this.#messages.straight;
  };

  /** From now on rules about the whole CSE act there, too. */
  installAt(site: ServerControls): void {
    this.#sites.push(site);
  }

  /** What waits goes on now, and what is never answered is cut, so that the CSE can be closed. */
  end(): void {
    for (const cancel of this.#endings) cancel();
    this.#waits.end();
    this.#messages.passed();
    this.#cutHeld();
  }

  async #read(rules: readonly GivenRule[]): Promise<BreakageRule[]> {
    if (rules.length === 0) return [];
    const { readRule } = await import('./rule-form.ts');
    const read = rules.map(readRule);
    for (const { do: done } of read) checkPlace(done, this.#sites);
    return read;
  }

  #standing(rules: readonly BreakageRule[]): StandingRule[] {
    return rules.map((rule) => {
      this.#streams += 1;
      const standing = new StandingRule(rule, seededNumbers(this.#seed, this.#streams));
      if (rule.for !== undefined && !isDeadly(standing)) this.#endAfter(rule.for, () => this.#without(standing));
      return standing;
    });
  }

  #endAfter(time: Duration, rulesAfter: () => readonly StandingRule[]): void {
    const cancel = this.#clock.schedule(millisecondsOf(time), () => {
      this.#endings.delete(cancel);
      return this.#change(async () => rulesAfter()).catch(this.#onError);
    });
    this.#endings.add(cancel);
  }

  #without(gone: StandingRule): readonly StandingRule[] {
    return this.#rules.filter((one) => one !== gone);
  }

  /** The CSE dies with the request, which is not carried out. */
  #strike(deadly: StandingRule, request: HttpRequest): Detour {
    this.#kill(deadly, request);
    return { isServed: false, take: (_, { response }) => this.#hold(response) };
  }

  #deadlyFor = (request: HttpRequest): StandingRule | undefined =>
    this.#rules.find((one) => this.#struck.has(one) || (isDeadly(one) && one.takes(request)));

  #kill(deadly: StandingRule, { method, target }: HttpRequest): void {
    if (this.#struck.has(deadly)) return;
    this.#die(deadly);
    this.#onDeath(`${method} ${target}`);
  }

  #die(deadly: StandingRule): void {
    this.#struck.add(deadly);
    this.#change(async () => this.#rules).catch(this.#onError);
    const { for: lasting } = deadly.rule;
    const reviving = (): readonly StandingRule[] => {
      this.#struck.delete(deadly);
      return this.#rules;
    };
    if (lasting !== undefined) this.#endAfter(lasting, reviving);
  }

  /** One after the other: listening again takes its time. */
  #change(rulesAfter: () => Promise<readonly StandingRule[]>): Promise<void> {
    const changed = this.#lastChange.then(async () => {
      this.#rules = await rulesAfter();
      await this.#settle();
    });
    this.#lastChange = changed.catch(() => {});
    return changed;
  }

  /** Brings the CSE as a whole into the state that the rules want. */
  async #settle(): Promise<void> {
    for (const deadly of this.#struck) if (!this.#rules.includes(deadly)) this.#struck.delete(deadly);
    const holding = this.#rules.filter((standing) => !isDeadly(standing) || this.#struck.has(standing));
    const effects = holding.map(({ rule }) => rule.do).toReversed();
    this.#offset = offsetIn(holding.map(({ rule }) => rule));
    const death = effects.find((one) => one.effect === 'dead');
    const shown = effects.find((one) => one.effect === 'certificate');
    const former = this.#whole;
    const dead = death && (death.how ?? 'refuses');
    const certificate = shown && (shown.is ?? 'expired');
    this.#whole = { dead, certificate };
    if (former.dead === 'silent' && dead !== 'silent') this.#cutHeld();
    if (former.certificate !== certificate) await Promise.all(this.#sites.map((site) => site.present?.(certificate)));
    if (dead === 'refuses') this.#sites.map((site) => site.suspend());
    else if (former.dead === 'refuses') await this.#resume();
  }

  async #resume(): Promise<void> {
    try {
      for (const site of this.#sites) await site.resume();
    } catch (error) {
      // The next change is another attempt.
      this.#whole = { ...this.#whole, dead: 'refuses' };
      throw error;
    }
  }

  #silence(request: HttpRequest): Detour {
    this.#countSilence(request);
    return { isServed: false, take: (_, { response }) => this.#hold(response) };
  }

  #countSilence(request: HttpRequest): void {
    this.#rules.findLast(({ rule }) => rule.do.effect === 'dead' && rule.match === undefined)?.takes(request);
  }

  #hold(response: ServerResponse): void {
    this.#held.add(response);
    response.once('close', () => this.#held.delete(response));
  }

  #cutHeld(): void {
    for (const { req } of this.#held) req.socket.destroy();
  }
}

/** Whether the CSE is to die with certain requests, and not at once. */
function isDeadly({ rule }: StandingRule): boolean {
  return rule.do.effect === 'dead' && rule.match !== undefined;
}
