/** What breaks the connections of one CSE on purpose: it stands between the service and the sockets, and never in the pipeline. */
import type { ServerResponse } from 'node:http';
import type { RefusedKind } from '../../certs/pki.ts';
import type { Detour, DetourFor, Exchange } from '../bindings/detour.ts';
import { millisecondsOf, type Scheduler } from '../clock.ts';
import type { HttpRequest, HttpResponse } from '../dialects/http-message.ts';
import { breakAnswer } from './broken-answers.ts';
import type { Breakage, GivenRule, RuleInForce, Site } from './contract.ts';
import { type Plan, planFor } from './plan.ts';
import { type BreakageRule, BreakageRuleError, type Duration } from './rule.ts';
import { seededNumbers } from './seeded.ts';
import { StandingRule } from './standing-rule.ts';
import { writeSlowly } from './throttle.ts';
import { Waits } from './waits.ts';

interface Whole {
  readonly dead: 'refuses' | 'silent' | undefined;
  readonly certificate: RefusedKind | undefined;
}

export class WireBreakage implements Breakage {
  readonly #clock: Scheduler;
  readonly #waits: Waits;
  #rules: readonly StandingRule[] = [];
  #seed = 1;
  /** Each rule has a stream of its own. */
  #streams = 0;
  #offset = 0;
  #site: Site | undefined;
  #whole: Whole = { dead: undefined, certificate: undefined };
  /** Exchanges that are never answered. */
  readonly #held = new Set<ServerResponse>();
  #lastChange: Promise<void> = Promise.resolve();

  /** The clock by which everything waits. */
  constructor(clock: Scheduler) {
    this.#clock = clock;
    this.#waits = new Waits(clock);
  }

  get rules(): readonly RuleInForce[] {
    return this.#rules.map(({ rule, requests, broken }) => ({ rule, requests, broken }));
  }

  get seed(): number {
    return this.#seed;
  }

  /** The clock as the CSE sees it. */
  get clockOfCse(): Scheduler {
    return {
      now: () => this.#clock.now() + this.#offset,
      schedule: (milliseconds, task) => this.#clock.schedule(milliseconds, task),
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

  /** What the binding asks for each request. */
  readonly detour: DetourFor = (request) => {
    if (this.#rules.length === 0) return undefined;
    if (this.#whole.dead === 'silent') return this.#silence(request);
    const plan = planFor(request, this.#rules);
    return plan && this.#detourOf(plan);
  };

  /** From now on rules about the whole CSE act there. */
  installAt(site: Site): void {
    this.#site = site;
  }

  /** What waits goes on now, and what is never answered is cut, so that the CSE can be closed. */
  end(): void {
    this.#waits.end();
    this.#cutHeld();
  }

  async #read(rules: readonly GivenRule[]): Promise<BreakageRule[]> {
    if (rules.length === 0) return [];
    const { readRule } = await import('./rule-form.ts');
    const read = rules.map(readRule);
    for (const { do: done } of read) this.#checkPlace(done);
    return read;
  }

  #checkPlace({ effect }: BreakageRule['do']): void {
    if (effect === 'certificate' && this.#site?.present === undefined) {
      throw new BreakageRuleError('the CSE speaks plain HTTP, where it presents no certificate');
    }
    if (effect === 'dead' && this.#site === undefined) throw new BreakageRuleError('the CSE does not listen anyway');
  }

  #standing(rules: readonly BreakageRule[]): StandingRule[] {
    return rules.map((rule) => {
      this.#streams += 1;
      const standing = new StandingRule(rule, seededNumbers(this.#seed, this.#streams));
      if (rule.for !== undefined) this.#clock.schedule(millisecondsOf(rule.for), () => this.#remove(standing));
      return standing;
    });
  }

  #remove(gone: StandingRule): Promise<void> {
    return this.#change(async () => this.#rules.filter((one) => one !== gone));
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
    const effects = this.#rules.map(({ rule }) => rule.do).toReversed();
    this.#offset = offsetIn(this.#rules.map(({ rule }) => rule));
    const death = effects.find((one) => one.effect === 'dead');
    const shown = effects.find((one) => one.effect === 'certificate');
    const former = this.#whole;
    const dead = death && (death.how ?? 'refuses');
    const certificate = shown && (shown.is ?? 'expired');
    this.#whole = { dead, certificate };
    if (former.dead === 'silent' && dead !== 'silent') this.#cutHeld();
    if (former.certificate !== certificate) await this.#site?.present?.(certificate);
    if (dead === 'refuses') this.#site?.suspend();
    else if (former.dead === 'refuses') await this.#site?.resume();
  }

  #detourOf({ milliseconds, rate, breaking }: Plan): Detour {
    const deliver = (answer: HttpResponse | undefined, exchange: Exchange): void => {
      if (exchange.response.destroyed) return;
      if (breaking !== undefined) breakAnswer(breaking, exchange, answer);
      else if (answer !== undefined && rate !== undefined) writeSlowly(answer, rate, this.#waits, exchange);
      else if (answer !== undefined) exchange.write(answer);
    };
    return {
      isServed: breaking === undefined || !('lost' in breaking) || breaking.lost !== 'request',
      take: (answer, exchange) => {
        if (breaking?.effect === 'empty' && breaking.answer === 'nothing') this.#hold(exchange.response);
        this.#waits.after(milliseconds, () => deliver(answer, exchange));
      },
    };
  }

  #silence(request: HttpRequest): Detour {
    this.#rules.findLast(({ rule }) => rule.do.effect === 'dead')?.takes(request);
    return { isServed: false, take: (_, { response }) => this.#hold(response) };
  }

  #hold(response: ServerResponse): void {
    this.#held.add(response);
    response.once('close', () => this.#held.delete(response));
  }

  #cutHeld(): void {
    for (const { req } of this.#held) req.socket.destroy();
  }
}

/** Microseconds by which the last rule about the clock has it ahead. */
function offsetIn(rules: readonly BreakageRule[]): number {
  const effects = rules.map((rule) => rule.do).toReversed();
  const skew = effects.find((one) => one.effect === 'clock');
  return skew === undefined ? 0 : microsecondsOf(skew.by);
}

/** Behind, where there is a minus sign before it. */
function microsecondsOf(by: Duration): number {
  const text = String(by);
  const size = typeof by === 'number' ? Math.abs(by) : text.replace(/^[-+]/, '');
  return (text.startsWith('-') ? -1000 : 1000) * millisecondsOf(size);
}
