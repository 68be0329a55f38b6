import { now, type RequestLimits } from '../messages/target.ts';
import type { Death, DeathKind, LostRequest } from '../results/run-context.ts';
import type { Survival } from './scenario/installations.ts';

/** The target died, or answers again. */
export interface DeathEvent {
  readonly type: 'target died' | 'target back';
  readonly death: Death;
}

export interface DeathsOptions extends Survival, Pick<RequestLimits, 'startedAt'> {
  /** Restarts a target that stays dead. */
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

/** Paths not to delete again, since the target died of it; `isOpen`: or may have. */
export function deadlyIn(deaths: readonly Death[], isOpen = false): string[] {
  const suspects = deaths.flatMap(({ culprit, inFlight }, at) => {
    if (culprit === undefined) return isOpen && at === deaths.length - 1 ? inFlight : [];
    return [culprit, ...inFlight.filter(({ scenario }) => scenario === culprit.scenario)];
  });
  return suspects.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
}

/** The deaths of a target during a run; waits for its return each time. */
export class Deaths {
  readonly #options: DeathsOptions;
  readonly all: Death[] = [];

  constructor(options: DeathsOptions) {
    this.#options = options;
  }

  get last(): Death {
    return this.all.at(-1) ?? { kind: 'died', at: 0, inFlight: [] };
  }

  /** Whether the target is known to be dead. */
  get isDown(): boolean {
    return this.#options.liveness.down !== undefined;
  }

  /** Records a death that was just noticed. */
  record(inFlight: readonly LostRequest[]): void {
    const { liveness, startedAt, emit } = this.#options;
    const { kind, since } = liveness.down ?? { kind: 'died' as const, since: startedAt };
    this.all.push({ kind, at: Math.max(0, since - startedAt), inFlight });
    emit({ type: 'target died', death: this.last });
  }

  /** A target that is always alive when probed drops requests: perhaps something restarts it at once. */
  recordDropped(inFlight: readonly LostRequest[], culprit: LostRequest | undefined): void {
    const at = Math.max(0, now() - this.#options.startedAt);
    const proved = culprit && ({ ...culprit, seen: 'again' } as const);
    this.all.push({ kind: 'drops', at, inFlight, backAfter: 0, ...(proved && { culprit: proved }) });
  }

  /** The target died again, of this request. */
  diedAgain(culprit: LostRequest | undefined): void {
    const { backAfter: _, ...death } = this.last;
    const { kind = death.kind } = this.#options.liveness.down ?? {};
    this.all[this.all.length - 1] = { ...death, kind, ...(culprit && { culprit: { ...culprit, seen: 'again' } }) };
  }

  /** Names the only request under way as the culprit of the last death, where that proves it. */
  diedAlone(only: LostRequest | undefined): LostRequest | undefined {
    if (only === undefined || this.last.kind !== 'died') return undefined;
    this.#add({ culprit: { ...only, seen: 'alone' } });
    return only;
  }

  /** Whether the target answers again. Leftovers of the run are removed; if the target forgot them, that is no loss. */
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

  /** The reason for lost results. */
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
