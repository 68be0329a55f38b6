/** Explores a target by concurrent originators: some order of their requests must explain the answers. */
import { defined } from '../../engine/basics/defined.ts';
import { UsageError } from '../../engine/basics/diagnostics.ts';
import { labelOf } from '../../engine/running/scenario/scenario-context.ts';
import { maskedRun } from '../../safety/masked.ts';
import type { CampaignEnd, CheckCriteria, Finish, Settings } from '../search/campaign.ts';
import { campaign, criteriaOf, defaultEvents, exitOf, violation } from '../search/campaign.ts';
import { type ExploreOptions, usual } from '../search/explore-options.ts';
import { firstFind, type Trial } from '../search/first-find.ts';
import { lostBy, type Shrunk, TargetLost } from '../search/seeded.ts';
import { type ExplorationSession, openSession } from '../search/session.ts';
import { actionsIn, type Program, programsOf } from './action.ts';
import type { ConcurrentEvent, ConcurrentResult, UnexplainedHistory } from './concurrent-exploration.ts';
import { ConcurrentStatistics } from './concurrent-exploration.ts';
import { explain, shrinkHistory, type Unexplained, unexplained } from './explain.ts';
import { type History, overlapsIn } from './history.ts';
import { ProgramRun } from './program-run.ts';
import { dataOf, rowsOf } from './rows.ts';

/** As for an exploration by one originator; `runs` are programs. */
export interface ConcurrentOptions extends Omit<ExploreOptions, 'jobs' | 'pair'> {
  /** Concurrent originators, each on its own connection. */
  readonly concurrency: number;
}

const originatorsAtMost = 16;

/**
 * Yields events; the last one carries the result, which is also the return value.
 * Throws UsageError before the first event for unusable options.
 */
export const exploreConcurrent = (options: ConcurrentOptions) => maskedRun(runExploration, options);

/** Throws a UsageError if there cannot be so many concurrent originators. */
function refuseTooMany({ concurrency, target }: ConcurrentOptions): void {
  if (!Number.isInteger(concurrency) || concurrency < 2 || concurrency > originatorsAtMost) {
    throw new UsageError(`--concurrency is a number of originators from 2 to ${originatorsAtMost}`);
  }
  const most = target.kind === 'url' ? target.connections : undefined;
  if (most === undefined || most >= concurrency) return;
  const limit = most === 1 ? 'one connection at a time' : `${most} connections at the same time`;
  throw new UsageError(`--concurrency ${concurrency} needs as many connections; this target allows ${limit}`);
}

async function* runExploration(options: ConcurrentOptions): AsyncGenerator<ConcurrentEvent, ConcurrentResult> {
  refuseTooMany(options);
  const { target, safety, concurrency: originators } = options;
  const statistics = new ConcurrentStatistics();
  return yield* campaign<ExplorationSession, ConcurrentEvent, ConcurrentOutcome, ConcurrentResult>(options, {
    ...{ ...defaultEvents, usual, started: (started) => ({ ...started, originators }) },
    open: (opening) => openSession({ ...opening, target, safety, jobs: originators }),
    work: async (session, settings) => {
      const criteria = criteriaOf(options, settings, session);
      return new ConcurrentExplorer(session, { ...settings, ...criteria, originators, statistics }).explore();
    },
    searched: () => ({ type: 'searched', histories: statistics.sequences, steps: statistics.steps }),
    unreached: (lost) => ({ lost }),
    finish: finishing(originators, statistics),
  });
}

function finishing(originators: number, statistics: ConcurrentStatistics): Finish<ConcurrentOutcome, ConcurrentResult> {
  return ({ counterexample, lost }, common, interrupted) => {
    const { sequences: tried, explained, undecided, overlaps, unanswered, steps } = statistics;
    const histories = { tried, explained, undecided };
    return {
      ...{ ...common, ...defined({ counterexample }), originators, histories, overlaps, unanswered, steps },
      exercised: statistics.exercised(),
      exit: exitOf({
        ...{ interrupted, lost, ...decidedBy({ histories, overlaps }) },
        found: counterexample && violation(counterexample.requirement, counterexample.seen.times > 0),
      }),
    };
  };
}

/** What histories without contradiction show. */
export function decidedBy({
  histories: { tried, explained, undecided },
  overlaps,
}: Pick<ConcurrentResult, 'histories' | 'overlaps'>): Pick<CampaignEnd, 'nothing' | 'sound'> {
  const sound = `some order explains each of ${explained} histories`;
  if (overlaps === 0) return { sound, nothing: 'no two requests were ever under way at the same moment' };
  if (explained === 0) return { sound, nothing: `none of ${tried} histories could be decided` };
  return { sound: undecided === 0 ? sound : `${sound}; ${undecided} had too many orders to try them all` };
}

interface ConcurrentExplorerOptions extends Settings<ConcurrentEvent>, CheckCriteria {
  readonly originators: number;
  readonly statistics: ConcurrentStatistics;
}

type SmallProgram = Shrunk<Program, Unexplained>;

interface ConcurrentOutcome {
  readonly counterexample?: UnexplainedHistory | undefined;
  readonly lost?: string | undefined;
}

/** Repetitions of a program before it is reported. */
const repetitions = 10;
/** Tries of each program while shrinking, where concurrency is not deterministic. */
const triesElsewhere = 4;

/** Searches, shrinks and repeats what is found. */
class ConcurrentExplorer {
  readonly #session: ExplorationSession;
  readonly #options: ConcurrentExplorerOptions;

  constructor(session: ExplorationSession, options: ConcurrentExplorerOptions) {
    this.#session = session;
    this.#options = options;
  }

  get #isInProcess(): boolean {
    return this.#session.description.kind === 'in-process';
  }

  async explore(): Promise<ConcurrentOutcome> {
    const { small, lost } = await firstFind(this.#options, this.#trial());
    return { lost, counterexample: small && this.#describe(small, await this.#repeated(small)) };
  }

  #trial(): Trial<Program, Unexplained, ConcurrentEvent> {
    const tries = this.#isInProcess ? 1 : triesElsewhere;
    return {
      ...{ arbitrary: programsOf(this.#options.originators), times: repetitions, isKnown: true },
      tried: (program) => this.#check(program),
      again: (program, { verdict }) => this.#once(program, verdict.requirement, tries),
      found: ({ result, path, one }) => {
        const { requirement } = result.verdict;
        return { type: 'failure found', requirement, path, requests: actionsIn(one) };
      },
      smaller: (program, attempts) => ({ type: 'shrunk', requests: actionsIn(program), attempts }),
    };
  }

  /** Runs a program of the search and counts it. */
  async #check(program: Program): Promise<Unexplained | undefined> {
    const { statistics, isChecked, signal, reportProgress } = this.#options;
    const history = await this.#run(program, { counted: true });
    // An aborted run says nothing about what would have come.
    if (signal.aborted) return undefined;
    statistics.overlaps += overlapsIn(history);
    statistics.unanswered += history.calls.filter(({ outcome }) => outcome === 'unknown').length;
    statistics.sequences += 1;
    reportProgress();
    const verdict = explain(history, isChecked);
    if (verdict.kind === 'unexplained') return { history, verdict };
    statistics[verdict.kind] += 1;
    if (verdict.kind === 'explained') for (const requirement of verdict.checked) statistics.checked(requirement);
    return undefined;
  }

  async #run(program: Program, { counted = false } = {}): Promise<History> {
    const { run, nextNumber, signal, statistics } = this.#options;
    const one = new ProgramRun({
      ...{ session: this.#session, signal, inProcess: this.#isInProcess, label: labelOf(run, nextNumber()) },
      installation: await this.#session.installation(),
      ...(counted && { statistics }),
    });
    return one.run(program);
  }

  /** The first of so many repetitions that breaks the requirement. */
  async #once(program: Program, requirement: string, times: number): Promise<Unexplained | undefined> {
    const { isChecked, signal } = this.#options;
    for (let time = 0; time < times && !signal.aborted; time += 1) {
      const result = unexplained(await this.#run(program), isChecked);
      if (!signal.aborted && result?.verdict.requirement === requirement) return result;
    }
    return undefined;
  }

  async #repeated({ one, result: { verdict } }: SmallProgram): Promise<UnexplainedHistory['seen']> {
    const { signal } = this.#options;
    let times = 0;
    let of = 0;
    for (; of < repetitions && !signal.aborted; of += 1) {
      const result = await this.#once(one, verdict.requirement, 1).catch(lostBy);
      // What has been found stays found.
      if (result instanceof TargetLost) break;
      if (result !== undefined) times += 1;
    }
    return { times, of };
  }

  #describe(small: SmallProgram, seen: UnexplainedHistory['seen']): UnexplainedHistory {
    const { path, result, atFirst, one: program, attempts, smallest } = small;
    const { isChecked, requirements, seed, command } = this.#options;
    const { history, verdict } = shrinkHistory(result, isChecked);
    const { requirement } = verdict;
    const facts = {
      requirement,
      says: requirements.get(requirement)?.says ?? '',
      rows: rowsOf(history),
      leftOver: verdict.call,
      order: verdict.order.filter((at) => at !== verdict.call),
      ...{ path, command, program, seen, attempts, smallest },
      size: { found: sizeOf(atFirst), left: sizeOf(program) },
    };
    return { ...facts, data: dataOf({ ...facts, seed }) };
  }
}

function sizeOf(program: Program): UnexplainedHistory['size']['found'] {
  return { originators: program.originators.length, requests: actionsIn(program) };
}
