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
  /** Seconds between two checks that the other CSE still has the registration, since it may have been restarted empty; 5 unless given. */
  readonly checkEvery?: number;
  /** One line for each change of the state. */
  readonly log?: (line: string) => void;
}

/** Seconds. */
const firstPause = 1;
const longestPause = 60;
/** Seconds. */
const usualCheckEvery = 5;

type State = 'starting' | 'registered' | 'waiting' | 'ended';

export class Registration {
  readonly #options: RegistrationOptions;
  #state: State = 'starting';
  /** Whether the other CSE has a registration of this one, as far as is known. */
  #held = false;
  #pause = firstPause;
  /** Microseconds since 1970 UTC. */
  #renewAt = 0;
  #cancel: () => void = () => {};
  #underWay: Promise<void> = Promise.resolve();
  #onRegistered: (() => void)[] = [];
  #lastProblem: string | undefined;
  /** The change count of the clock at the last successful check. */
  #changesAtCheck: number | undefined;

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

  /** The first attempt; resolves when it has ended, registered or not. */
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

  /** Checks or retries at once, not when it is due; resolves when that has ended, registered or not. */
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
    else return this.#unchanged();
    this.#held = true;
    if (this.#state === 'ended') return;
    this.#renewAt = clock.now() + interval * 1_000_000;
    this.#pause = firstPause;
    if (!this.registered) this.#options.log?.(`registered at ${this.remote}`);
    this.#state = 'registered';
    this.#lastProblem = undefined;
    for (const resolve of this.#onRegistered.splice(0)) resolve();
    this.#planCheck();
  }

  #unchanged(): void {
    this.#changesAtCheck = this.#options.clock.changeCount;
    this.#planCheck();
  }

  /** Whether nothing can have changed since the last check, as in most of a day by which a manual clock is advanced. */
  get #isAsBefore(): boolean {
    const { clock } = this.#options;
    return clock.changeCount !== undefined && clock.changeCount === this.#changesAtCheck && clock.now() < this.#renewAt;
  }

  readonly #check: Task = async () => {
    if (this.#isAsBefore) {
      this.#planCheck();
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

  #planCheck(): void {
    const { clock, checkEvery = usualCheckEvery } = this.#options;
    const untilRenewal = (this.#renewAt - clock.now()) / 1_000_000;
    this.#next(Math.min(checkEvery, untilRenewal), this.#check);
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
