import type { LostRequest } from '../../engine/results/run-context.ts';
import { Deaths, type DeathsOptions } from '../../engine/running/losses.ts';
import { byPath, lostBy, type SearchOptions, type SeededFinding, search, TargetLost, type TrialRun } from './seeded.ts';
import type { ExplorationSession } from './session.ts';

/** A target that may die during a campaign. */
export interface MonitoredTarget {
  /** Prefix of sentences about it. */
  readonly name: string;
  readonly deaths: Deaths;
  /** Requests under way when it died. */
  readonly underWay: LostRequest[];
}

/** The target of a session; none if it cannot die without the harness. */
export function monitoredIn(
  { liveness, tidy }: ExplorationSession,
  options: Omit<DeathsOptions, 'liveness' | 'tidy'>,
  { name = '', underWay = [] }: Partial<MonitoredTarget> = {},
): MonitoredTarget[] {
  return liveness === undefined ? [] : [{ name, underWay, deaths: new Deaths({ ...options, liveness, tidy }) }];
}

/** Most deaths of a target in a campaign, and while shrinking. */
const most = { deaths: 10, afterwards: 6 };

/** Times that a request may not reach a target that is alive right after, before it counts as lost. */
const mostUnexplained = 2;

type Findings<One, Shown> = ReadonlyArray<SeededFinding<One, Shown>>;

export interface SearchEnd<One, Shown> {
  /** In order. */
  readonly found: Findings<One, Shown>;
  /** Why a target is lost. */
  readonly lost?: string | undefined;
}

/** Brings a campaign over the deaths of its targets: waits for them, and finds what kills them. */
export class CrashRecovery {
  readonly #monitored: readonly MonitoredTarget[];
  /** Killing again is nothing new. */
  #isKillerKnown = false;
  #unexplained = 0;
  #afterwards = 0;
  /** Why nothing is sent to the targets any more, if so. */
  over: string | undefined;

  constructor(monitored: readonly MonitoredTarget[] = []) {
    this.#monitored = monitored;
  }

  get isDown(): boolean {
    return this.#monitored.some(({ deaths }) => deaths.isDown);
  }

  /** Whether a killer has killed more than once. */
  get isSure(): boolean {
    return this.#monitored.some(({ deaths }) => deaths.all.some(({ culprit }) => culprit?.seen === 'again'));
  }

  /** Goes on after each death that no single try causes. `isDeath`: whether a result is a death, or may be. */
  async search<One, Shown>(
    options: SearchOptions<One>,
    run: TrialRun<One, Shown>,
    isDeath: (shown: Shown) => boolean = () => false,
  ): Promise<SearchEnd<One, Shown>> {
    const { from: first = 0, examples = [], goesOn = false, enough } = options;
    const end = first + options.runs;
    const found: Array<SeededFinding<One, Shown>> = [];
    for (let from = first; from < end + examples.length && !enough() && (goesOn || found.length === 0); ) {
      const { all, cut, next } = await search({ ...options, from, runs: end - from }, run);
      const suspects = all.filter(({ result }) => isDeath(result));
      found.push(...all.filter((one) => !suspects.includes(one)));
      if (suspects.length + cut.length > 0) found.push(...(await this.#sentAgain(suspects, cut, run, isDeath)));
      if (this.over !== undefined) break;
      from = next;
    }
    return { found: found.sort(byPath), lost: this.over };
  }

  /** Sends those cut short again, each alone: the one under which a target dies again is the culprit, the last one sent. */
  async #sentAgain<One, Shown>(
    suspects: Findings<One, Shown>,
    cut: Findings<One, TargetLost>,
    run: TrialRun<One, Shown>,
    isDeath: (shown: Shown) => boolean,
  ): Promise<Findings<One, Shown>> {
    const wasDown = this.isDown;
    if (wasDown) await this.#recover();
    else if (++this.#unexplained > mostUnexplained) this.over ??= cut[0]?.result.message;
    if (this.over !== undefined) return this.#isKillerKnown ? suspects : [];
    const found: Array<SeededFinding<One, Shown>> = [];
    for (const { path, one } of [...suspects, ...cut].sort(byPath)) {
      const result = await run(one, path).catch(lostBy);
      if (this.isDown) await this.#recover(wasDown);
      if (result !== undefined && !(result instanceof TargetLost)) found.push({ path, one, result });
      this.#isKillerKnown ||= found.some((one) => isDeath(one.result));
      if (this.#isKillerKnown || this.over !== undefined) break;
    }
    return found;
  }

  /** Call it when nothing runs any more. `again`: what was under way at the last death was sent again, alone. */
  async #recover(again = false): Promise<void> {
    for (const { name, deaths, underWay } of this.#monitored) {
      const lost = underWay.splice(0);
      if (!deaths.isDown) continue;
      const isAgain = again && deaths.all.length > 0 && deaths.last.culprit === undefined;
      if (isAgain) deaths.diedAgain(lost[0]);
      else deaths.record(lost);
      if (await deaths.comeBack()) {
        if (deaths.all.length >= most.deaths) this.over ??= `${name}the target died ${most.deaths} times`;
        continue;
      }
      this.over ??= name + deaths.why();
      if (!isAgain && lost.length === 1) this.#isKillerKnown = deaths.diedAlone(lost[0]) !== undefined;
    }
  }

  /** Runs work alone, at targets that are alive. Rejects with TargetLost if they do not come back, or died too often. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#afterwards >= most.afterwards) throw new TargetLost(`the target died ${this.#afterwards} more times`);
    await this.ready();
    return work().finally(() => {
      if (this.isDown) this.#afterwards += 1;
      for (const { deaths, underWay } of this.#monitored) {
        const lost = underWay.splice(0);
        if (deaths.isDown && !this.#isKillerKnown) deaths.record(lost);
      }
    });
  }

  /** Waits for those that are dead. Rejects with TargetLost if they do not come back. */
  async ready(): Promise<void> {
    for (const { name, deaths } of this.#monitored) {
      if (this.over === undefined && deaths.isDown && !(await deaths.comeBack())) this.over = name + deaths.why();
    }
    if (this.over !== undefined) throw new TargetLost(this.over);
  }
}
