import { labelOf } from '../../engine/running/scenario-names.ts';
import { unclaimed } from '../../statement/statement.ts';
import { featuresOfStep } from '../../statement/step-features.ts';
import type { Arena } from '../arena.ts';
import { enoughOf, type Settings, seldom } from '../campaign.ts';
import { numbered, oneAt, type Seeded, shrink } from '../seeded.ts';
import { TargetLost } from '../sequence-run.ts';
import type { Statistics } from '../statistics.ts';
import { actionsIn, type Program } from './action.ts';
import { explain, lessened, type Unexplained, unexplained } from './explain.ts';
import { type History, overlapsIn } from './history.ts';
import { ProgramRun } from './program-run.ts';
import { programsOf } from './programs.ts';
import { dataOf, rowsOf } from './rows.ts';
import type { TogetherEvent, UnexplainedHistory } from './together-exploration.ts';

interface TogetherExplorerOptions extends Settings<TogetherEvent> {
  readonly originators: number;
  readonly statistics: Statistics;
}

interface FoundProgram extends Unexplained {
  /** Its path among those of the seed. */
  readonly path: string;
  readonly program: Program;
}

interface SmallProgram extends FoundProgram {
  readonly attempts: number;
  readonly complete: boolean;
}

export interface TogetherExplored {
  readonly tried: typeof nothingTried;
  readonly counterexample?: UnexplainedHistory | undefined;
  readonly lost?: string | undefined;
  readonly dead?: undefined;
}

export const nothingTried = { explained: 0, undecided: 0, overlaps: 0, unanswered: 0 };

/** How often a program is repeated before it is told. */
const repetitions = 10;
/** How often one is tried while shrinking, where what happens at the same time is not the same each time. */
const triesElsewhere = 4;

/** Searches, shrinks and repeats what is found. */
export class TogetherExplorer {
  readonly #arena: Arena;
  readonly #options: TogetherExplorerOptions;
  readonly #tried = { ...nothingTried };
  readonly #tellHowFar: () => void;
  /** Programs of every kind; each has names of its own. */
  #labels = 0;

  constructor(arena: Arena, options: TogetherExplorerOptions) {
    this.#arena = arena;
    this.#options = options;
    const { statistics, tell } = options;
    this.#tellHowFar = seldom(() =>
      tell({ type: 'searched', histories: statistics.sequences, steps: statistics.steps }),
    );
  }

  get #seeded(): Seeded<Program> {
    return { made: programsOf(this.#options.originators), seed: this.#options.seed };
  }

  get #isInProcess(): boolean {
    return this.#arena.description.kind === 'in-process';
  }

  async explore(): Promise<TogetherExplored> {
    try {
      const found = await this.#search();
      const { statistics, tell } = this.#options;
      tell({ type: 'searched', histories: statistics.sequences, steps: statistics.steps });
      return { tried: this.#tried, counterexample: found && (await this.#counterexample(found)) };
    } catch (error) {
      if (!(error instanceof TargetLost)) throw error;
      return { tried: this.#tried, lost: error.message };
    }
  }

  async #search(): Promise<FoundProgram | undefined> {
    const enough = enoughOf(this.#options);
    for (const [path, program] of this.#programs()) {
      if (enough()) return undefined;
      const found = await this.#judged(program);
      if (found !== undefined) return { ...found, path: String(path), program };
    }
    return undefined;
  }

  *#programs(): Generator<readonly [path: string | number, program: Program]> {
    const { path, runs } = this.#options;
    if (path === undefined) return yield* numbered(this.#seeded, { runs });
    const program = oneAt(this.#seeded, path);
    for (let time = 0; program !== undefined && time < repetitions; time += 1) yield [path, program];
  }

  /** A program of the search: what it shows is counted. */
  async #judged(program: Program): Promise<Unexplained | undefined> {
    const { statistics, judges, signal } = this.#options;
    const history = await this.#run(program, { counted: true });
    // What was broken off says nothing about what would have come.
    if (signal.aborted) return undefined;
    this.#tried.overlaps += overlapsIn(history);
    this.#tried.unanswered += history.calls.filter(({ outcome }) => outcome === 'unknown').length;
    statistics.sequences += 1;
    this.#tellHowFar();
    const verdict = explain(history, judges);
    if (verdict.kind === 'unexplained') return { history, verdict };
    this.#tried[verdict.kind] += 1;
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

  async #counterexample(found: FoundProgram): Promise<UnexplainedHistory> {
    const { tell, path } = this.#options;
    const { requirement } = found.verdict;
    tell({ type: 'failure found', requirement, path: found.path, requests: actionsIn(found.program) });
    const small = path === undefined ? await this.#shrunk(found) : { ...found, attempts: 0, complete: false };
    return this.#described(found, small, await this.#repeated(small));
  }

  async #shrunk({ path, program, ...shown }: FoundProgram): Promise<SmallProgram> {
    const { shrinkAttempts, signal, tell } = this.#options;
    const tries = this.#isInProcess ? 1 : triesElsewhere;
    const small = await shrink<Program, Unexplained>(
      { path, one: program, shown },
      {
        ...{ ...this.#seeded, most: shrinkAttempts, signal, isKnown: true },
        run: (tried) => this.#once(tried, shown.verdict.requirement, tries),
        onSmaller: (smaller, attempts) => tell({ type: 'shrunk', requests: actionsIn(smaller), attempts }),
      },
    );
    return { ...small.shown, ...small, program: small.one };
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
      const shown = await this.#once(program, verdict.requirement, 1).catch(unlessLost);
      if (shown === 'lost') break;
      if (shown !== undefined) times += 1;
    }
    return { times, of };
  }

  #described(found: FoundProgram, small: SmallProgram, seen: UnexplainedHistory['seen']): UnexplainedHistory {
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

/** What has been found stays found when the target is lost. */
function unlessLost(error: unknown): 'lost' {
  if (!(error instanceof TargetLost)) throw error;
  return 'lost';
}
