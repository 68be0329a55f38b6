import { now, type RequestLimits } from '../messages/target.ts';
import type { Death, DeathKind, LostRequest } from '../results/run-context.ts';
import type { Survival } from './scenario/installations.ts';

/** That the target died, or answers again. */
export interface DeathEvent {
  readonly type: 'target died' | 'target back';
  readonly death: Death;
}

export interface DeathsOptions extends Survival, Pick<RequestLimits, 'startedAt'> {
  /** Brings a target back that stays dead. */
  readonly restart?: (() => Promise<void>) | undefined;
  readonly emit: (event: DeathEvent) => void;
  readonly signal: AbortSignal;
}

const deathVerbs: Readonly<Record<DeathKind, string>> = {
  died: 'died',
  hangs: 'hung',
  closes: 'closed every connection',
  unavailable: 'was unavailable',
  drops: 'dropped connections',
};

/** Paths of what is not to be removed again, since the target died of that; `isOpen`: or may have. */
export function deadlyIn(deaths: readonly Death[], isOpen = false): string[] {
  const suspects = deaths.flatMap(({ culprit, inFlight }, at) => {
    if (culprit === undefined) return isOpen && at === deaths.length - 1 ? inFlight : [];
    return [culprit, ...inFlight.filter(({ scenario }) => scenario === culprit.scenario)];
  });
  return suspects.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
}

/** The deaths of a target in the course of a run; waits for it each time. */
export class Deaths {
  readonly #options: DeathsOptions;
  readonly all: Death[] = [];

  constructor(options: DeathsOptions) {
    this.#options = options;
  }

  get last(): Death {
    return this.all.at(-1) ?? { kind: 'died', at: 0, inFlight: [] };
  }

  /** Whether the target is dead, as far as is known. */
  get isDown(): boolean {
    return this.#options.liveness.down !== undefined;
  }

  /** Takes note of a death that has just been seen. */
  record(inFlight: readonly LostRequest[]): void {
    const { liveness, startedAt, emit } = this.#options;
    const { kind, since } = liveness.down ?? { kind: 'died' as const, since: startedAt };
    this.all.push({ kind, at: Math.max(0, since - startedAt), inFlight });
    emit({ type: 'target died', death: this.last });
  }

  /** A target that is alive whenever it is looked at drops requests: perhaps it dies, and something brings it back at once. */
  recordDropped(inFlight: readonly LostRequest[], culprit: LostRequest | undefined): void {
    const at = Math.max(0, now() - this.#options.startedAt);
    const proved = culprit && ({ ...culprit, seen: 'again' } as const);
    this.all.push({ kind: 'drops', at, inFlight, backAfter: 0, ...(proved && { culprit: proved }) });
  }

  /** Of the last death: it died again, of this. */
  diedAgain(culprit: LostRequest | undefined): void {
    const { backAfter: _, ...death } = this.last;
    const { kind = death.kind } = this.#options.liveness.down ?? {};
    this.all[this.all.length - 1] = { ...death, kind, ...(culprit && { culprit: { ...culprit, seen: 'again' } }) };
  }

  /** Of the last death: what alone was under way, where that accuses it. */
  diedAlone(only: LostRequest | undefined): LostRequest | undefined {
    if (only === undefined || this.last.kind !== 'died') return undefined;
    this.#add({ culprit: { ...only, seen: 'alone' } });
    return only;
  }

  /** Whether the target answers again. What the run left there before is removed; where nothing is left of it, that is no loss. */
  async comeBack(): Promise<boolean> {
    const { liveness, restart, signal, emit, tidy } = this.#options;
    let backAfter = await liveness.back(signal);
    if (backAfter === undefined && restart !== undefined && !signal.aborted) {
      await restart();
      this.#add({ restarted: true });
      backAfter = await liveness.back(signal);
    }
    if (backAfter === undefined) return false;
    this.#add({ backAfter });
    emit({ type: 'target back', death: this.last });
    await tidy?.(deadlyIn(this.all, true));
    return true;
  }

  /** What became of the target, for what is lost by that. */
  why(): string {
    const { kind, backAfter, restarted } = this.last;
    if (backAfter !== undefined) return `the target ${deathVerbs[kind]}, more than once while this ran`;
    const seconds = this.#options.liveness.waitFor / 1000;
    const after = restarted === true ? ', not after it was restarted either' : '';
    return `the target ${deathVerbs[kind]} and has not come back within ${seconds} s${after}`;
  }

  #add(facts: Partial<Death>): void {
    this.all[this.all.length - 1] = { ...this.last, ...facts };
  }
}
