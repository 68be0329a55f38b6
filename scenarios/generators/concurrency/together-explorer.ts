import { labelOf } from '../../engine/running/scenario-names.ts';
import type { Arena } from '../search/arena.ts';
import type { Judging, Settings } from '../search/campaign.ts';
import { lostBy, type SeededFinding, type Shrunk, search, shrink, TargetLost } from '../search/seeded.ts';
import { actionsIn, type Program } from './action.ts';
import { explain, lessened, type Unexplained, unexplained } from './explain.ts';
import { type History, overlapsIn } from './history.ts';
import { ProgramRun } from './program-run.ts';
import { programsOf } from './programs.ts';
import { dataOf, rowsOf } from './rows.ts';
import type { TogetherEvent, TogetherStatistics, UnexplainedHistory } from './together-exploration.ts';

interface TogetherExplorerOptions extends Settings<TogetherEvent>, Judging {
  readonly originators: number;
  readonly statistics: TogetherStatistics;
}

type FoundProgram = SeededFinding<Program, Unexplained>;
type SmallProgram = Shrunk<Program, Unexplained>;

export interface TogetherExplored {
  readonly counterexample?: UnexplainedHistory | undefined;
  readonly lost?: string | undefined;
}

/** How often a program is repeated before it is told. */
const repetitions = 10;
/** How often one is tried while shrinking, where what happens at the same time is not the same each time. */
const triesElsewhere = 4;

/** Searches, shrinks and repeats what is found. */
export class TogetherExplorer {
  readonly #arena: Arena;
  readonly #options: TogetherExplorerOptions;

  constructor(arena: Arena, options: TogetherExplorerOptions) {
    this.#arena = arena;
    this.#options = options;
  }

  get #chosen() {
    return { ...this.#options, made: programsOf(this.#options.originators) };
  }

  get #isInProcess(): boolean {
    return this.#arena.description.kind === 'in-process';
  }

  async explore(): Promise<TogetherExplored> {
    const { all, lost } = await search({ ...this.#chosen, times: repetitions }, (one) => this.#judged(one));
    this.#options.tellHowFar('in any case');
    const [found] = all;
    if (found === undefined) return { lost: lost?.says };
    return { counterexample: await this.#counterexample(found) };
  }

  /** A program of the search: what it shows is counted. */
  async #judged(program: Program): Promise<Unexplained | undefined> {
    const { statistics, judges, signal, tellHowFar } = this.#options;
    const history = await this.#run(program, { counted: true });
    // What was broken off says nothing about what would have come.
    if (signal.aborted) return undefined;
    statistics.overlaps += overlapsIn(history);
    statistics.unanswered += history.calls.filter(({ outcome }) => outcome === 'unknown').length;
    statistics.sequences += 1;
    tellHowFar();
    const verdict = explain(history, judges);
    if (verdict.kind === 'unexplained') return { history, verdict };
    statistics[verdict.kind] += 1;
    if (verdict.kind === 'explained') for (const requirement of verdict.judged) statistics.judged(requirement);
    return undefined;
  }

  async #run(program: Program, { counted = false } = {}): Promise<History> {
    const { run, nextNumber, signal, statistics } = this.#options;
    const one = new ProgramRun({
      ...{ arena: this.#arena, signal, inProcess: this.#isInProcess, label: labelOf(run, nextNumber()) },
      installation: await this.#arena.installation(),
      ...(counted && { statistics }),
    });
    return one.run(program);
  }

  async #counterexample(found: FoundProgram): Promise<UnexplainedHistory> {
    const { tell } = this.#options;
    const { requirement } = found.shown.verdict;
    tell({ type: 'failure found', requirement, path: found.path, requests: actionsIn(found.one) });
    const tries = this.#isInProcess ? 1 : triesElsewhere;
    const small = await shrink(found, {
      ...{ ...this.#chosen, isKnown: true },
      run: (tried) => this.#once(tried, requirement, tries),
      onSmaller: (smaller, attempts) => tell({ type: 'shrunk', requests: actionsIn(smaller), attempts }),
    });
    return this.#described(found, small, await this.#repeated(small));
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

  async #repeated({ one, shown: { verdict } }: FoundProgram): Promise<UnexplainedHistory['seen']> {
    const { signal } = this.#options;
    let times = 0;
    let of = 0;
    for (; of < repetitions && !signal.aborted; of += 1) {
      const shown = await this.#once(one, verdict.requirement, 1).catch(lostBy);
      // What has been found stays found.
      if (shown instanceof TargetLost) break;
      if (shown !== undefined) times += 1;
    }
    return { times, of };
  }

  #described(found: FoundProgram, small: SmallProgram, seen: UnexplainedHistory['seen']): UnexplainedHistory {
    const { judges, requirements, seed, command } = this.#options;
    const { history, verdict } = lessened(small.shown, judges);
    const { requirement } = verdict;
    const facts = {
      requirement,
      says: requirements.get(requirement)?.says ?? '',
      rows: rowsOf(history),
      leftOver: verdict.call,
      order: verdict.order.filter((at) => at !== verdict.call),
      path: small.path,
      command,
      program: small.one,
      size: { found: sizeOf(found.one), left: sizeOf(small.one) },
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
