/**
 * The RegistrationHandler: keeps this CSE registered at another one (`gaps`, rows 37 and 38). Whatever goes wrong, another
 * attempt follows after a pause that grows from 1 s to 60 s, so that the two always find each other again.
 */
import { noEffect, type Task } from '../core/configuration.ts';
import type { Scheduler } from '../environment/clock.ts';
import { deregister, isKnown, type RegistrationContext, register, renew } from './registration-requests.ts';

export interface RegistrationOptions extends RegistrationContext {
  readonly clock: Scheduler;
  /** Seconds between two renewals. */
  readonly interval: number;
  /** Seconds that a registration lives beyond the interval. */
  readonly offset: number;
  /** Seconds between two looks whether the other CSE still knows of the registration, which may have been restarted empty; 5 unless given. */
  readonly lookEvery?: number;
  /** One line for each change of the state. */
  readonly log?: (line: string) => void;
}

/** Seconds. */
const firstPause = 1;
const longestPause = 60;
/** Seconds. */
const usualLookEvery = 5;

type State = 'starting' | 'registered' | 'waiting' | 'ended';

export class Registration {
  readonly #options: RegistrationOptions;
  #state: State = 'starting';
  /** Whether the other CSE holds a registration of this one, as far as is known. */
  #held = false;
  #pause = firstPause;
  /** Microseconds since 1970 UTC. */
  #renewAt = 0;
  #cancel: () => void = () => {};
  #underWay: Promise<void> = Promise.resolve();
  #onRegistered: (() => void)[] = [];
  #lastProblem: string | undefined;
  /** What the clock had counted at the last look that found all well. */
  #happenedAtLook: number | undefined;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /** CSE identifier of the other CSE. */
  get remote(): string {
    return this.#options.remoteCse.cseId;
  }

  get registered(): boolean {
    return this.#state === 'registered';
  }

  /** Why it is not registered, in one sentence. */
  get problem(): string | undefined {
    return this.registered ? undefined : this.#lastProblem;
  }

  /** The first attempt; resolves when it has come to its end, registered or not. */
  start(): Promise<void> {
    return this.#attempt();
  }

  /** Resolves as soon as the CSE is registered, at once when it is. Never, when that never happens. */
  whenRegistered(): Promise<void> {
    if (this.registered) return Promise.resolve();
    return new Promise((resolve) => this.#onRegistered.push(resolve));
  }

  /** Resolves when no attempt is under way. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  /** Looks or tries at once, instead of when it would; resolves when that has come to its end, registered or not. */
  async tryNow(): Promise<void> {
    await this.#underWay;
    if (this.#state === 'ended') return;
    this.#cancel();
    await this.#attempt();
  }

  /** Ends renewals and attempts, and deregisters if it is registered. Resolves whether that succeeds or not. */
  async end(): Promise<void> {
    this.#state = 'ended';
    this.#cancel();
    await this.#underWay;
    if (this.#held) await deregister(this.#options).catch((error: unknown) => this.#note(error));
  }

  #attempt(): Promise<void> {
    this.#underWay = this.#once().catch((error: unknown) => {
      if (this.#state === 'ended') return;
      this.#state = 'waiting';
      this.#note(error);
      this.#next(this.#pause);
      this.#pause = Math.min(2 * this.#pause, longestPause);
    });
    return this.#underWay;
  }

  async #once(): Promise<void> {
    const { clock, interval } = this.#options;
    if (!this.registered || !(await this.#stillKnown())) await register(this.#options, this.#expiration());
    else if (clock.now() >= this.#renewAt) await renew(this.#options, this.#expiration());
    else return this.#allWell();
    this.#held = true;
    if (this.#state === 'ended') return;
    this.#renewAt = clock.now() + interval * 1_000_000;
    this.#pause = firstPause;
    if (!this.registered) this.#options.log?.(`registered at ${this.remote}`);
    this.#state = 'registered';
    this.#lastProblem = undefined;
    for (const resolve of this.#onRegistered.splice(0)) resolve();
    this.#nextLook();
  }

  #allWell(): void {
    this.#happenedAtLook = this.#options.clock.changeCount;
    this.#nextLook();
  }

  /** Whether nothing can have changed since the last look, as in most of a day by which a manual clock is moved. */
  get #isAsBefore(): boolean {
    const { clock } = this.#options;
    return clock.changeCount !== undefined && clock.changeCount === this.#happenedAtLook && clock.now() < this.#renewAt;
  }

  readonly #look: Task = async () => {
    if (this.#isAsBefore) {
      this.#nextLook();
      return noEffect;
    }
    const renewAt = this.#renewAt;
    await this.#attempt();
    return this.registered && renewAt === this.#renewAt ? noEffect : undefined;
  };

  async #stillKnown(): Promise<boolean> {
    if (await isKnown(this.#options)) return true;
    this.#options.log?.(`${this.remote} has lost the registration`);
    this.#held = false;
    if (this.#state !== 'ended') this.#state = 'starting';
    return false;
  }

  #note(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    if (this.#lastProblem !== problem) this.#options.log?.(`not registered at ${this.remote}: ${problem}`);
    this.#lastProblem = problem;
  }

  #nextLook(): void {
    const { clock, lookEvery = usualLookEvery } = this.#options;
    const untilRenewal = (this.#renewAt - clock.now()) / 1_000_000;
    this.#next(Math.min(lookEvery, untilRenewal), this.#look);
  }

  #next(seconds: number, task: Task = () => this.#attempt()): void {
    if (this.#state === 'ended') return;
    this.#cancel = this.#options.clock.schedule(seconds * 1000, task);
  }

  #expiration(): number {
    const { clock, interval, offset } = this.#options;
    return clock.now() + (interval + offset) * 1_000_000;
  }
}
