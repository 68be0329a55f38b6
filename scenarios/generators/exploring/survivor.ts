import type { Death } from '../../engine/results/result.ts';
import { Deaths, type DeathsOptions } from '../../engine/running/deaths.ts';
import type { Arena } from '../search/arena.ts';
import { lostBy, type SeededFinding, search, TargetLost } from '../search/seeded.ts';
import { isDeath, lostIn } from '../sequences/death.ts';
import type { AnyOperation } from '../sequences/language.ts';
import { type FailedOutcome, failedIn, type SequenceOutcome } from '../sequences/sequence-run.ts';
import type { RunSequence } from '../sequences/sequence-runner.ts';

type SurvivorOptions = Omit<DeathsOptions, 'liveness' | 'tidy'> & { readonly run: RunSequence };

export type FoundSequence = SeededFinding<AnyOperation[], FailedOutcome>;

/** An exploration survives so many deaths of its target, and so many more while what was found is made small. */
const most = { searching: 10, afterwards: 6 };

/** So often a request may fail to reach a target that is alive right after, before it counts as lost. */
const mostUnexplained = 2;

/** What a search comes to. */
export interface SearchEnd {
  readonly found?: FoundSequence | undefined;
  /** Why the target is lost. */
  readonly lost?: string | undefined;
}

/** Takes an exploration over the deaths of its target: waits for it, and finds out which sequence kills it. */
export class Survivor {
  readonly #deaths: Deaths | undefined;
  readonly #run: SurvivorOptions['run'];
  /** The killer, once it is known: that it kills again is nothing new. */
  #killer: FoundSequence | undefined;
  #afterwards = 0;
  #over: string | undefined;

  constructor({ liveness, tidy }: Arena, options: SurvivorOptions) {
    this.#deaths = liveness && new Deaths({ ...options, liveness, tidy });
    this.#run = options.run;
  }

  get deaths(): readonly Death[] {
    return this.#deaths?.all ?? [];
  }

  get isDown(): boolean {
    return this.#deaths?.isDown === true;
  }

  /** Why the target is not asked any more; undefined where it is. */
  get over(): string | undefined {
    return this.#over;
  }

  /** Searches on after each death of the target that no sequence causes by itself. */
  async search(
    options: Omit<Parameters<typeof search<AnyOperation[], never>>[0], 'from'>,
    run: RunSequence,
  ): Promise<SearchEnd> {
    let unexplained = 0;
    for (let from = 0; from < options.runs && !options.enough(); ) {
      const rest = { ...options, from, runs: options.runs - from };
      const { all, lost, next } = await search(rest, async (operations) => failedIn(await run(operations)));
      if (lost !== undefined && !this.isDown) unexplained += 1;
      const suspects = all.filter(({ shown }) => isDeath(shown.failure));
      const found = (await this.#killerAmong(suspects)) ?? all.find((one) => !suspects.includes(one));
      if (found !== undefined) return { found };
      const over = this.over ?? (unexplained > mostUnexplained ? lost?.says : undefined);
      if (over !== undefined) return { lost: over };
      from = lost?.at ?? next;
    }
    return {};
  }

  /** To be called when nothing runs any more: the sequence that kills a dead target by itself, the first in order. */
  async #killerAmong(suspects: readonly FoundSequence[]): Promise<FoundSequence | undefined> {
    const deaths = this.#deaths;
    if (deaths?.isDown !== true) return undefined;
    const underWay = suspects.flatMap(({ path, shown }) => lostIn(path, shown));
    deaths.record(underWay);
    if (await this.#comesBack(deaths)) this.#killer = await this.#killsAgain(suspects, deaths);
    else if (suspects.length === 1 && deaths.diedAlone(underWay[0])) [this.#killer] = suspects;
    const { length } = deaths.all;
    if (length >= most.searching) this.#over ??= `the target died ${length} times`;
    return this.#killer;
  }

  /** Whether the killer has killed it more than once. */
  get isSure(): boolean {
    return this.deaths.some(({ culprit }) => culprit?.seen === 'again');
  }

  /** A sequence by itself, at a target that is alive. Rejects with TargetLost where that is not to be had, or has been had often enough. */
  async run(operations: readonly AnyOperation[]): Promise<SequenceOutcome> {
    if (this.#afterwards >= most.afterwards) throw new TargetLost(`the target died ${this.#afterwards} times more`);
    await this.ready();
    const outcome = await this.#run(operations);
    if (this.isDown) this.#afterwards += 1;
    if (this.isDown && this.#killer === undefined) this.#deaths?.record(lostIn('made small', outcome));
    return outcome;
  }

  /** Waits for a target that is dead. Rejects with TargetLost where it does not come back. */
  async ready(): Promise<void> {
    if (this.#over === undefined && this.#deaths?.isDown === true) await this.#comesBack(this.#deaths);
    if (this.#over !== undefined) throw new TargetLost(this.#over);
  }

  async #killsAgain(suspects: readonly FoundSequence[], deaths: Deaths): Promise<FoundSequence | undefined> {
    for (const { path, one } of suspects) {
      // Undefined where the target was gone before anything came to it.
      const shown = await this.#run(one).catch((error) => void lostBy(error));
      if (!deaths.isDown) continue;
      const [culprit] = shown === undefined ? [] : lostIn(path, shown);
      deaths.diedAgain(culprit);
      const isBack = await this.#comesBack(deaths);
      const failed = shown && failedIn(shown);
      if (culprit !== undefined && failed !== undefined) return { path, one, shown: failed };
      if (!isBack) return undefined;
    }
    return undefined;
  }

  async #comesBack(deaths: Deaths): Promise<boolean> {
    const isBack = await deaths.comeBack();
    if (!isBack) this.#over = deaths.why();
    return isBack;
  }
}
