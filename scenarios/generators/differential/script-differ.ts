import fc from 'fast-check';
import type { LoadedScenario } from '../../engine/files/load.ts';
import { labelOf } from '../../engine/running/scenario/scenario-context.ts';
import type { CrashRecovery } from '../search/crash-recovery.ts';
import type { Statistics } from '../search/statistics.ts';
import { aboutText, factsOf } from './describe-difference.ts';
import { both, type Difference } from './difference.ts';
import type { Candidates } from './paired-run.ts';
import type { ScenarioPair, Scripts } from './scripts.ts';
import type { DiffContext } from './side.ts';
import { type TranscriptDifference, transcriptDifferences } from './transcripts.ts';

/** A scenario, and the difference that it shows. */
interface ScriptFinding {
  readonly script: ScenarioPair;
  readonly difference: TranscriptDifference;
}

type ScriptDifferences = ReadonlyMap<string, TranscriptDifference>;

/** Runs scenarios at both targets, and shrinks those that show a difference. */
export class ScriptDiffer {
  readonly #scripts: Scripts;
  readonly #options: DiffContext;
  readonly #recovery: CrashRecovery;

  constructor(scripts: Scripts, options: DiffContext, recovery: CrashRecovery) {
    this.#scripts = scripts;
    this.#options = options;
    this.#recovery = recovery;
  }

  /** Runs so many scenarios, from this one on; `lost`: why a target is lost. */
  async search(from: number, count: number): Promise<Candidates> {
    const { A, B, seed, enough, statistics, reportProgress } = this.#options;
    const examples = this.#scripts.all.slice(from, from + count);
    const [first] = examples;
    if (first === undefined) return { found: [] };
    const jobs = Math.min(A.session.jobs, B.session.jobs);
    const chosen = { examples, arbitrary: fc.constant(first), seed, runs: 0, jobs, goesOn: true, enough };
    const { found, lost } = await this.#recovery.search(chosen, async (script) => {
      const differences = await this.#differences(script, statistics);
      statistics.scenarios += 1;
      reportProgress();
      return differences;
    });
    const all = found.flatMap(({ one: script, result: differences }) =>
      [...differences.values()].map((difference) => ({
        ...{ finding: difference, size: difference.steps.length },
        toDifference: () => this.#toDifference({ script, difference }),
        again: () => this.#differences(script),
      })),
    );
    return { found: all, lost };
  }

  /** Differences in the answers to one of them, by signature. */
  async #differences(script: ScenarioPair, statistics?: Statistics): Promise<ScriptDifferences> {
    const { nextNumber } = this.#options;
    const number = nextNumber();
    const names = both((side) => {
      const { session, run } = this.#options[side];
      return { ...session.description, label: labelOf(run, number) };
    });
    const compared = ({ about }: { about: Parameters<Statistics['sent']>[0] }) => statistics?.sent(about);
    return transcriptDifferences(await this.#scripts.run(script, number), { ...this.#options, names, compared });
  }

  /** With as few steps as show the same. */
  async #toDifference(found: ScriptFinding): Promise<Difference> {
    const { emit, requirements } = this.#options;
    const { part } = found.difference.difference;
    emit({ type: 'difference found', part, about: aboutText(found.difference), path: found.script.A.id });
    await this.#recovery.ready();
    const { script, difference, attempts, smallest } = await this.#shrunk(found);
    return {
      ...factsOf(difference, requirements),
      ...{ path: script.A.id, attempts, smallest, isScenario: true },
      ...{ operations: { found: sizeOf(found.script), left: [] }, steps: difference.steps },
    };
  }

  /** Steps are left out one by one, the last first. */
  async #shrunk(found: ScriptFinding) {
    const { shrinkAttempts, signal, emit } = this.#options;
    const { signature } = found.difference.difference;
    let best = found;
    let attempts = 0;
    const isOver = () => signal.aborted || attempts >= shrinkAttempts;
    for (let at = sizeOf(found.script) - 1; at >= 0 && !isOver(); at -= 1) {
      const script = both((side) => withoutStep(best.script[side], at));
      attempts += 1;
      const difference = (await this.#recovery.run(() => this.#differences(script))).get(signature);
      if (difference === undefined) continue;
      best = { script, difference };
      emit({ type: 'shrunk', operations: sizeOf(script), attempts });
    }
    return { ...best, attempts, smallest: !isOver() };
  }
}

const sizeOf = ({ A }: ScenarioPair): number => A.given.length + A.steps.length;

function withoutStep(scenario: LoadedScenario, at: number): LoadedScenario {
  const { given, steps } = scenario;
  const isGiven = at < given.length;
  return isGiven
    ? { ...scenario, given: given.toSpliced(at, 1) }
    : { ...scenario, steps: steps.toSpliced(at - given.length, 1) };
}
