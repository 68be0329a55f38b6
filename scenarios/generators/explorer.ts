import type { Requirement } from '../engine/files/catalogue.ts';
import { labelOf } from '../engine/running/scenario-names.ts';
import { titleOf } from '../engine/running/step-title.ts';
import { now, since } from '../engine/targets/target.ts';
import { unclaimed } from '../statement/statement.ts';
import { featuresOfStep } from '../statement/step-features.ts';
import type { Arena } from './arena.ts';
import { confirm } from './counterexample/confirm.ts';
import { scenarioOf } from './counterexample/scenario.ts';
import { counterexampleText } from './counterexample/text.ts';
import type { Counterexample, ExploreEvent } from './exploration.ts';
import { type AnyOperation, documented, type Language } from './language.ts';
import { type FoundSequence, search } from './search.ts';
import type { SequenceOutcome } from './sequence-run.ts';
import { type Shrunk, sequenceAt, shrink } from './shrink.ts';
import type { Statistics } from './statistics.ts';

export interface ExplorerOptions {
  readonly seed: number;
  readonly runs: number;
  readonly path?: string;
  /** Milliseconds after which no new sequence begins, and those for shrinking. */
  readonly maxTime?: number;
  readonly shrinkTime: number;
  readonly run: string;
  /** What explores as this does, for who wants to see a counterexample again. */
  readonly command: string;
  readonly judges: (requirement: string) => boolean;
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly statistics: Statistics;
  readonly signal: AbortSignal;
  readonly tell: (event: ExploreEvent) => void;
}

export interface Explored {
  readonly counterexample?: Counterexample;
  readonly lost?: string;
  /** Milliseconds of searching. */
  readonly searched: number;
}

/** Milliseconds between two events that only say how far it is. */
const tellEvery = 100;

/** Searches, shrinks and writes down what is found. */
export class Explorer {
  readonly #arena: Arena;
  readonly #language: Language;
  readonly #options: ExplorerOptions;
  /** Sequences of every kind; each has names of its own. */
  #labels = 0;
  #told = 0;

  constructor(arena: Arena, options: ExplorerOptions) {
    this.#arena = arena;
    this.#language = arena.language ?? documented(arena.sequences);
    this.#options = options;
  }

  async explore(): Promise<Explored> {
    const { signal, maxTime = Number.POSITIVE_INFINITY } = this.#options;
    const began = now();
    const enough = () => signal.aborted || since(began) > maxTime;
    const { found, lost } = await this.#search(enough);
    const searched = since(began);
    const { statistics, tell } = this.#options;
    tell({ type: 'searched', sequences: statistics.sequences, steps: statistics.steps });
    const counterexample = found && (await this.#counterexample(found));
    return { searched, ...(counterexample && { counterexample }), ...(lost !== undefined && { lost }) };
  }

  async #search(enough: () => boolean): Promise<{ readonly found?: FoundSequence; readonly lost?: string }> {
    const { seed, path, runs, statistics } = this.#options;
    if (path === undefined) {
      const { jobs } = this.#arena;
      return search({ sequences: this.#language.sequences, seed, runs, jobs, enough }, (operations) =>
        this.#run(operations, statistics),
      );
    }
    const operations = await sequenceAt(this.#language.sequences, seed, path);
    if (operations === undefined) return {};
    const outcome = await this.#run(operations, statistics);
    return outcome.failure === undefined ? {} : { found: { path, operations, outcome } };
  }

  async #run(operations: readonly AnyOperation[], statistics?: Statistics): Promise<SequenceOutcome> {
    const { run, judges, signal } = this.#options;
    const { way, cleans, statement, play } = this.#arena;
    const label = labelOf(run, ++this.#labels);
    const installation = await this.#arena.installation();
    const outcome = await this.#language.run(operations, {
      ...{ installation, label, way, judges, statistics, signal, cleans, play },
      ...(statement && { refrains: (step) => unclaimed(statement, featuresOfStep(step)) !== undefined }),
    });
    if (statistics !== undefined) this.#tellHowFar(statistics);
    return outcome;
  }

  #tellHowFar(statistics: Statistics): void {
    statistics.sequences += 1;
    if (now() - this.#told < tellEvery) return;
    this.#told = now();
    this.#options.tell({ type: 'searched', sequences: statistics.sequences, steps: statistics.steps });
  }

  async #counterexample(found: FoundSequence): Promise<Counterexample | undefined> {
    const { failure } = found.outcome;
    if (failure === undefined) return undefined;
    const { tell, path } = this.#options;
    const { requirement } = failure.expected;
    tell({ type: 'failure found', requirement, path: found.path, operations: found.operations.length });
    if (path !== undefined) return this.#described(found, { ...found, attempts: 0, complete: false });
    return this.#described(found, await this.#shrunk(found));
  }

  #shrunk(found: FoundSequence): Promise<Shrunk> {
    const { seed, shrinkTime, signal, tell } = this.#options;
    return shrink(found, (operations) => this.#run(operations), {
      ...{ sequences: this.#language.sequences, seed, within: shrinkTime, signal },
      onSmaller: (operations, attempts) => tell({ type: 'shrunk', operations: operations.length, attempts }),
    });
  }

  async #described(found: FoundSequence, small: Shrunk): Promise<Counterexample | undefined> {
    const { failure, performed, label } = small.outcome;
    if (failure === undefined) return undefined;
    const { seed, run, signal, requirements, shrinkTime, command } = this.#options;
    const { requirement: id } = failure.expected;
    const began = now();
    const drawn = small.outcome.scenario?.() ?? scenarioOf(performed, failure.expected, { ...this.#arena, label });
    const confirmed = await confirm(drawn, id, {
      ...{ run, signal: signal.aborted ? new AbortController().signal : signal },
      use: async () => ({ installation: await this.#arena.installation(), number: ++this.#labels }),
      enough: () => signal.aborted || since(began) > shrinkTime,
    });
    const { failed, scenario } = confirmed;
    const actual = failed?.actual ?? 'another answer';
    const requirement = requirements.get(id);
    if (requirement === undefined) return undefined;
    return {
      requirement: id,
      says: requirement.says,
      path: small.path,
      command,
      operations: { found: found.operations.length, left: small.operations },
      steps: scenario.steps.map((step) => titleOf(step, new Map())),
      expected: (failed?.expected ?? []).join('; or '),
      actual,
      curl: failure.exchange.curl,
      scenario: counterexampleText(scenario, { requirement, seed, path: small.path, actual, command }),
      confirmed: failed !== undefined,
      attempts: small.attempts,
      smallest: small.complete,
    };
  }
}
