import fc from 'fast-check';
import type { LoadedScenario } from '../../engine/files/load.ts';
import { labelOf } from '../../engine/running/scenario/scenario-names.ts';
import type { Statistics } from '../search/statistics.ts';
import type { Survivor } from '../search/survivor.ts';
import { both, type Difference } from './difference.ts';
import type { Candidates } from './paired-run.ts';
import type { ScenarioPair, Scripts } from './scripts.ts';
import type { Contest } from './side.ts';
import { aboutText, factsOf } from './told.ts';
import { type PartedTranscript, partedTranscripts } from './transcripts.ts';

/** A scenario that shows something, and what it shows. */
interface ScriptFinding {
  readonly script: ScenarioPair;
  readonly shown: PartedTranscript;
}

type Shown = ReadonlyMap<string, PartedTranscript>;

/** Runs scenarios at both targets, and takes steps away from those that show a difference. */
export class ScriptDiffer {
  readonly #scripts: Scripts;
  readonly #options: Contest;
  readonly #survivor: Survivor;

  constructor(scripts: Scripts, options: Contest, survivor: Survivor) {
    this.#scripts = scripts;
    this.#options = options;
    this.#survivor = survivor;
  }

  /** What a part of them shows, so many from this one on; `lost`: why one of the targets is. */
  async search(from: number, count: number): Promise<Candidates> {
    const { A, B, seed, enough, statistics, tellHowFar } = this.#options;
    const examples = this.#scripts.all.slice(from, from + count);
    const [first] = examples;
    if (first === undefined) return { found: [] };
    const jobs = Math.min(A.arena.jobs, B.arena.jobs);
    const chosen = { examples, made: fc.constant(first), seed, runs: 0, jobs, goesOn: true, enough };
    const { found, lost } = await this.#survivor.search(chosen, async (script) => {
      const shown = await this.#shown(script, statistics);
      statistics.scenarios += 1;
      tellHowFar();
      return shown;
    });
    const all = found.flatMap(({ one: script, shown: each }) =>
      [...each.values()].map((shown) => ({
        ...{ shown, size: shown.steps.length },
        told: () => this.#told({ script, shown }),
        again: () => this.#shown(script),
      })),
    );
    return { found: all, lost };
  }

  /** Where the answers to one of them part, by signatures. */
  async #shown(script: ScenarioPair, statistics?: Statistics): Promise<Shown> {
    const { nextNumber } = this.#options;
    const number = nextNumber();
    const names = both((side) => {
      const { arena, run } = this.#options[side];
      return { ...arena.description, label: labelOf(run, number) };
    });
    const compared = ({ about }: { about: Parameters<Statistics['sent']>[0] }) => statistics?.sent(about);
    return partedTranscripts(await this.#scripts.run(script, number), { ...this.#options, names, compared });
  }

  /** With as few steps as show the same. */
  async #told(found: ScriptFinding): Promise<Difference> {
    const { tell, requirements } = this.#options;
    const { part } = found.shown.parted;
    tell({ type: 'difference found', part, about: aboutText(found.shown), path: found.script.A.id });
    await this.#survivor.ready();
    const { script, shown, attempts, smallest } = await this.#shrunk(found);
    return {
      ...factsOf(shown, requirements),
      ...{ path: script.A.id, attempts, smallest, isScenario: true },
      ...{ operations: { found: sizeOf(found.script), left: [] }, steps: shown.steps },
    };
  }

  /** Steps are left out one by one, the last first. */
  async #shrunk(
    found: ScriptFinding,
  ): Promise<ScriptFinding & { readonly attempts: number; readonly smallest: boolean }> {
    const { shrinkAttempts, signal, tell } = this.#options;
    const { signature } = found.shown.parted;
    let best = found;
    let attempts = 0;
    const isOver = () => signal.aborted || attempts >= shrinkAttempts;
    for (let at = sizeOf(found.script) - 1; at >= 0 && !isOver(); at -= 1) {
      const script = both((side) => withoutStep(best.script[side], at));
      attempts += 1;
      const shown = (await this.#survivor.run(() => this.#shown(script))).get(signature);
      if (shown === undefined) continue;
      best = { script, shown };
      tell({ type: 'shrunk', operations: sizeOf(script), attempts });
    }
    return { ...best, attempts, smallest: !isOver() };
  }
}

const sizeOf = ({ A }: ScenarioPair): number => A.given.length + A.steps.length;

function withoutStep(scenario: LoadedScenario, at: number): LoadedScenario {
  const { given, steps } = scenario;
  return {
    ...scenario,
    given: given.toSpliced(at, 1),
    steps: steps.toSpliced(at - given.length, at < given.length ? 0 : 1),
  };
}
