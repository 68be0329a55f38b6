import type { Requirement } from '../../engine/files/catalogue.ts';
import { labelOf } from '../../engine/running/scenario-names.ts';
import { now, since } from '../../engine/targets/target.ts';
import { unclaimed } from '../../statement/statement.ts';
import { featuresOfStep } from '../../statement/step-features.ts';
import type { Arena } from '../arena.ts';
import { TargetLost } from '../sequence-run.ts';
import type { Statistics } from '../statistics.ts';
import { actionsIn, type Program } from './action.ts';
import type { Judges } from './changes.ts';
import { dataOf } from './data.ts';
import { explain } from './explain.ts';
import { type History, overlapsIn } from './history.ts';
import { lessened, type Unexplained, unexplained } from './lessen.ts';
import { ProgramRun } from './program-run.ts';
import { rowsOf } from './rows.ts';
import {
  type FoundProgram,
  lostTarget,
  programAt,
  type ShrunkProgram,
  searchPrograms,
  shrinkProgram,
} from './search-programs.ts';
import type { TogetherEvent, UnexplainedHistory } from './together-exploration.ts';

export interface TogetherExplorerOptions {
  readonly seed: number;
  readonly originators: number;
  readonly runs: number;
  readonly path?: string | undefined;
  /** Milliseconds after which no new program begins, and those for shrinking. */
  readonly maxTime?: number | undefined;
  readonly shrinkAttempts: number;
  readonly run: string;
  /** What explores as this does, for who wants to see a history again. */
  readonly command: string;
  readonly judges: Judges;
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly statistics: Statistics;
  readonly signal: AbortSignal;
  readonly tell: (event: TogetherEvent) => void;
}

/** How often a program is repeated before it is told. */
const repetitions = 10;
/** How often one is tried while shrinking, where what happens at the same time is not the same each time. */
const triesElsewhere = 4;
/** Milliseconds between two events that only say how far it is. */
const tellEvery = 100;

/** Searches, shrinks and repeats what is found. */
export class TogetherExplorer {
  readonly #arena: Arena;
  readonly #options: TogetherExplorerOptions;
  readonly tried = { explained: 0, undecided: 0, overlaps: 0, unanswered: 0 };
  /** Programs of every kind; each has names of its own. */
  #labels = 0;
  #told = 0;

  constructor(arena: Arena, options: TogetherExplorerOptions) {
    this.#arena = arena;
    this.#options = options;
  }

  get #isInProcess(): boolean {
    return this.#arena.description.kind === 'in-process';
  }

  async explore(): Promise<{ readonly counterexample?: UnexplainedHistory; readonly lost?: string }> {
    try {
      const found = await this.#search();
      const { statistics, tell } = this.#options;
      tell({ type: 'searched', histories: statistics.sequences, steps: statistics.steps });
      const counterexample = found && (await this.#counterexample(found));
      return counterexample === undefined ? {} : { counterexample };
    } catch (error) {
      if (!(error instanceof TargetLost)) throw error;
      return { lost: error.message };
    }
  }

  async #search(): Promise<FoundProgram | undefined> {
    const { seed, originators, path, runs, maxTime = Number.POSITIVE_INFINITY, signal } = this.#options;
    const began = now();
    const enough = () => signal.aborted || since(began) > maxTime;
    if (path === undefined) return searchPrograms({ seed, originators, runs, enough }, (one) => this.#judged(one));
    const program = programAt({ seed, originators }, path);
    for (let time = 0; program !== undefined && time < repetitions && !enough(); time += 1) {
      const found = await this.#judged(program);
      if (found !== undefined) return { ...found, path, program };
    }
    return undefined;
  }

  /** A program of the search: what it shows is counted. */
  async #judged(program: Program): Promise<Unexplained | undefined> {
    const { statistics, judges, signal } = this.#options;
    const history = await this.#run(program, { counted: true });
    // What was broken off says nothing about what would have come.
    if (signal.aborted) return undefined;
    this.tried.overlaps += overlapsIn(history);
    this.tried.unanswered += history.calls.filter(({ outcome }) => outcome === 'unknown').length;
    statistics.sequences += 1;
    this.#tellHowFar();
    const verdict = explain(history, judges);
    if (verdict.kind === 'unexplained') return { history, verdict };
    this.tried[verdict.kind] += 1;
    if (verdict.kind === 'explained') for (const requirement of verdict.judged) statistics.judged(requirement);
    return undefined;
  }

  async #run(program: Program, { counted = false } = {}): Promise<History> {
    const { run, signal, statistics } = this.#options;
    const { way, cleans, statement } = this.#arena;
    const one = new ProgramRun({
      ...{ way, cleans, signal, inProcess: this.#isInProcess, label: labelOf(run, ++this.#labels) },
      installation: await this.#arena.installation(),
      ...(counted && { statistics }),
      ...(statement && { refrains: (step) => unclaimed(statement, featuresOfStep(step)) !== undefined }),
    });
    return one.run(program);
  }

  #tellHowFar(): void {
    if (now() - this.#told < tellEvery) return;
    this.#told = now();
    const { statistics, tell } = this.#options;
    tell({ type: 'searched', histories: statistics.sequences, steps: statistics.steps });
  }

  async #counterexample(found: FoundProgram): Promise<UnexplainedHistory> {
    const { tell, path } = this.#options;
    const { requirement } = found.verdict;
    tell({ type: 'failure found', requirement, path: found.path, requests: actionsIn(found.program) });
    const small = path === undefined ? await this.#shrunk(found) : { ...found, attempts: 0, complete: false };
    return this.#described(found, small, await this.#repeated(small));
  }

  #shrunk(found: FoundProgram): Promise<ShrunkProgram> {
    const { seed, originators, shrinkAttempts, signal, tell } = this.#options;
    const tries = this.#isInProcess ? 1 : triesElsewhere;
    return shrinkProgram(found, (program) => this.#once(program, found.verdict.requirement, tries), {
      ...{ seed, originators, most: shrinkAttempts, signal },
      onSmaller: (requests, attempts) => tell({ type: 'shrunk', requests, attempts }),
    });
  }

  /** The first of so many repetitions that breaks the requirement. */
  async #once(program: Program, requirement: string, times: number): Promise<Unexplained | undefined> {
    const { judges, signal } = this.#options;
    for (let time = 0; time < times && !signal.aborted; time += 1) {
      const shown = unexplained(await this.#run(program), judges);
      if (!signal.aborted && shown?.verdict.requirement === requirement) return shown;
    }
    return undefined;
  }

  async #repeated({ program, verdict }: FoundProgram): Promise<UnexplainedHistory['seen']> {
    const { signal } = this.#options;
    let times = 0;
    let of = 0;
    for (; of < repetitions && !signal.aborted; of += 1) {
      const shown = await this.#once(program, verdict.requirement, 1).catch(lostTarget);
      if (shown === 'lost') break;
      if (shown !== undefined) times += 1;
    }
    return { times, of };
  }

  #described(found: FoundProgram, small: ShrunkProgram, seen: UnexplainedHistory['seen']): UnexplainedHistory {
    const { judges, requirements, seed, command } = this.#options;
    const { history, verdict } = lessened(small, judges);
    const { requirement } = verdict;
    const facts = {
      requirement,
      says: requirements.get(requirement)?.says ?? '',
      rows: rowsOf(history),
      leftOver: verdict.call,
      order: verdict.order.filter((at) => at !== verdict.call),
      path: small.path,
      command,
      program: small.program,
      size: { found: sizeOf(found.program), left: sizeOf(small.program) },
      seen,
      attempts: small.attempts,
      smallest: small.complete,
    };
    return { ...facts, data: dataOf({ ...facts, seed }) };
  }
}

function sizeOf(program: Program): UnexplainedHistory['size']['found'] {
  return { originators: program.originators.length, requests: actionsIn(program) };
}
