import { labelOf } from '../../engine/running/scenario-names.ts';
import type { Arena } from '../search/arena.ts';
import type { Judging, Settings } from '../search/campaign.ts';
import { firstFind, type Trial } from '../search/first-find.ts';
import { lostBy, type SeededFinding, type Shrunk, TargetLost } from '../search/seeded.ts';
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

  get #isInProcess(): boolean {
    return this.#arena.description.kind === 'in-process';
  }

  async explore(): Promise<TogetherExplored> {
    const { found, small, lost } = await firstFind(this.#options, this.#trial());
    if (found === undefined || small === undefined) return { lost };
    return { counterexample: this.#described(found, small, await this.#repeated(small)) };
  }

  #trial(): Trial<Program, Unexplained, TogetherEvent> {
    const tries = this.#isInProcess ? 1 : triesElsewhere;
    return {
      ...{ made: programsOf(this.#options.originators), times: repetitions, isKnown: true },
      tried: (program) => this.#judged(program),
      again: (program, { verdict }) => this.#once(program, verdict.requirement, tries),
      found: ({ shown, path, one }) => {
        const { requirement } = shown.verdict;
        return { type: 'failure found', requirement, path, requests: actionsIn(one) };
      },
      smaller: (program, attempts) => ({ type: 'shrunk', requests: actionsIn(program), attempts }),
    };
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
