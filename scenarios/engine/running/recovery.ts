import { requestText } from '../judging/death-words.ts';
import type { Death, DeathKind, LostRequest, RunEvent, ScenarioResult } from '../result.ts';
import type { Liveness } from '../targets/liveness.ts';
import { isTouched, lostRequestOf, notSent, type Ran, withLost } from './dead-target.ts';

export interface RecoveryOptions {
  readonly liveness: Liveness;
  /** `now()` at the start of the run. */
  readonly startedAt: number;
  /** Brings a target back that stays dead. */
  readonly restart?: (() => Promise<void>) | undefined;
  /** Removes what the run has left at the target; nothing else runs meanwhile. */
  readonly tidy?: (() => Promise<void>) | undefined;
  /** Runs a scenario from its start. */
  readonly run: (ran: Ran) => Promise<ScenarioResult>;
  readonly tell: (event: RunEvent) => void;
  readonly signal: AbortSignal;
  /** After so many deaths the run is given up. */
  readonly mostDeaths?: number | undefined;
}

/** What is to be done with the scenarios that a death has touched. */
export interface Recovered {
  readonly settled: readonly Ran[];
  /** To be run from their start. */
  readonly again: readonly Ran[];
  /** Why the run is given up. */
  readonly stop?: string;
}

/** A run survives so many deaths of its target, unless it is told otherwise. */
const usualMost = 100;
/** So often a scenario is run from its start because of a death; then it is lost. */
const mostStarts = 3;

const gone: Readonly<Record<DeathKind, string>> = {
  died: 'died',
  hangs: 'hung',
  closes: 'closed every connection',
  unavailable: 'was unavailable',
};

/** Waits for a target that died, finds out which request killed it, and says what has to be run from its start. */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #deaths: Death[] = [];
  readonly #starts = new Map<string, number>();
  #touched: Ran[] = [];

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  get deaths(): readonly Death[] {
    return this.#deaths;
  }

  /** Why nothing is to be sent now. */
  get notSent(): string | undefined {
    return this.#options.liveness.down && notSent;
  }

  /** Takes a scenario that ended while the target was dead; false for one that is to be judged as it is. */
  takes(ran: Ran): boolean {
    if (this.notSent === undefined || !isTouched(ran.result)) return false;
    this.#touched.push(ran);
    return true;
  }

  /** To be called when nothing runs any more. `over`: the run has ended for another reason. */
  async recover(over: boolean): Promise<Recovered> {
    const touched = this.#touched.toSorted((a, b) => a.number - b.number);
    this.#touched = [];
    const suspects = touched.filter(({ result }) => lostRequestOf(result) !== undefined);
    this.#record(suspects);
    if (over || !(await this.#comeBack())) return this.#givenUp(touched, suspects);
    if (this.#deaths.length >= (this.#options.mostDeaths ?? usualMost)) return this.#enough(touched);
    return this.#tryAlone(touched, suspects);
  }

  #record(suspects: readonly Ran[]): void {
    const { liveness, startedAt, tell } = this.#options;
    const { kind, since } = liveness.down ?? { kind: 'died' as const, since: startedAt };
    const inFlight = suspects.flatMap(({ result }) => lostRequestOf(result) ?? []);
    this.#deaths.push({ kind, at: Math.max(0, since - startedAt), inFlight });
    tell({ type: 'target died', death: this.#last });
  }

  get #last(): Death {
    return this.#deaths.at(-1) ?? { kind: 'died', at: 0, inFlight: [] };
  }

  #add(facts: Partial<Death>): void {
    this.#deaths[this.#deaths.length - 1] = { ...this.#last, ...facts };
  }

  /** Whether the target answers again. What the run left there before is removed; where nothing is left of it, that is no loss. */
  async #comeBack(): Promise<boolean> {
    const { liveness, restart, signal, tell, tidy } = this.#options;
    let backAfter = await liveness.back(signal);
    if (backAfter === undefined && restart !== undefined && !signal.aborted) {
      await restart();
      this.#add({ restarted: true });
      backAfter = await liveness.back(signal);
    }
    if (backAfter === undefined) return false;
    this.#add({ backAfter });
    tell({ type: 'target back', death: this.#last });
    await tidy?.();
    return true;
  }

  /** The scenarios whose requests were under way, one at a time: the one under which it dies again holds the culprit. */
  async #tryAlone(touched: readonly Ran[], suspects: readonly Ran[]): Promise<Recovered> {
    const settled: Ran[] = [];
    for (const suspect of suspects) {
      const result = await this.#options.run(suspect);
      if (this.notSent === undefined) {
        settled.push({ ...suspect, result });
        continue;
      }
      const culprit = lostRequestOf(result);
      settled.push({ ...suspect, result: this.#killed(result, culprit) });
      const rest = touched.filter((one) => !settled.some(({ number }) => number === one.number));
      this.#diedAgain(culprit);
      if (await this.#comeBack()) return this.#sorted(settled, rest);
      return { settled: [...settled, ...rest.map((one) => this.#lost(one))], again: [], stop: this.#why() };
    }
    const rest = touched.filter((one) => !suspects.includes(one));
    return this.#sorted(settled, rest);
  }

  #diedAgain(culprit: LostRequest | undefined): void {
    const { backAfter: _, ...death } = this.#last;
    const { kind = death.kind } = this.#options.liveness.down ?? {};
    this.#deaths[this.#deaths.length - 1] = {
      ...death,
      kind,
      ...(culprit && { culprit: { ...culprit, seen: 'again' } }),
    };
  }

  #killed(result: ScenarioResult, culprit: LostRequest | undefined): ScenarioResult {
    const reason = culprit === undefined ? 'the target died' : `the target died of ${requestText(culprit)}`;
    return { ...withLost(result, reason, culprit?.step ?? -1), again: 'failed' };
  }

  /** What has been started too often is lost. */
  #sorted(settled: readonly Ran[], rest: readonly Ran[]): Recovered {
    const again: Ran[] = [];
    const lost: Ran[] = [];
    for (const one of rest) {
      const starts = (this.#starts.get(one.result.id) ?? 1) + 1;
      this.#starts.set(one.result.id, starts);
      if (starts > mostStarts) lost.push(this.#lost(one));
      else again.push(one);
    }
    return { settled: [...settled, ...lost], again };
  }

  #givenUp(touched: readonly Ran[], suspects: readonly Ran[]): Recovered {
    const [only, another] = suspects;
    const culprit =
      only && another === undefined && this.#last.kind === 'died' ? lostRequestOf(only.result) : undefined;
    if (culprit !== undefined) this.#add({ culprit: { ...culprit, seen: 'alone' } });
    const settled = touched.map((one) =>
      one === only && culprit ? { ...one, result: this.#killed(one.result, culprit) } : this.#lost(one),
    );
    return { settled, again: [], stop: this.#why() };
  }

  #enough(touched: readonly Ran[]): Recovered {
    const stop = `the run was given up: the target died ${this.#deaths.length} times`;
    return { settled: touched.map((one) => this.#lost(one, stop)), again: [], stop };
  }

  #lost(ran: Ran, reason = this.#why()): Ran {
    return { ...ran, result: withLost(ran.result, reason) };
  }

  #why(): string {
    const { kind, backAfter, restarted } = this.#last;
    if (backAfter !== undefined) return `the target ${gone[kind]}, more than once while this ran`;
    const seconds = this.#options.liveness.waitFor / 1000;
    const after = restarted === true ? ', not after it was restarted either' : '';
    return `the target ${gone[kind]} and has not come back within ${seconds} s${after}`;
  }
}
