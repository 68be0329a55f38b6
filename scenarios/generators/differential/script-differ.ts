import fc from 'fast-check';
import type { LoadedScenario } from '../../engine/files/load.ts';
import { labelOf } from '../../engine/running/scenario/scenario-names.ts';
import type { Settings } from '../search/campaign.ts';
import type { Statistics } from '../search/statistics.ts';
import type { Survivor } from '../search/survivor.ts';
import { type Both, both, type DiffEvent, type Difference } from './difference.ts';
import type { RulesUsed } from './left-open.ts';
import type { Deciding } from './parted.ts';
import type { ScenarioPair, Scripts } from './scripts.ts';
import type { Competitor } from './side.ts';
import { aboutText, rowsOf } from './told.ts';
import { type PartedTranscript, partedTranscripts } from './transcripts.ts';

interface ScriptDifferOptions extends Deciding, Settings<DiffEvent>, Both<Competitor> {
  readonly scripts: Scripts;
  readonly statistics: Statistics;
  readonly used: RulesUsed;
  readonly crosses: boolean;
}

/** A scenario that shows something, and what it shows. */
export interface ScriptFinding {
  readonly script: ScenarioPair;
  readonly shown: PartedTranscript;
}

type Shown = ReadonlyMap<string, PartedTranscript>;

/** Runs scenarios at both targets, and takes steps away from those that show a difference. */
export class ScriptDiffer {
  readonly #options: ScriptDifferOptions;
  readonly #survivor: Survivor;

  constructor(options: ScriptDifferOptions, survivor: Survivor) {
    this.#options = options;
    this.#survivor = survivor;
  }

  /** What a part of them shows, so many from this one on; `lost`: why one of the targets is. */
  async search(from: number, count: number) {
    const { scripts, A, B, seed, enough, statistics, tellHowFar } = this.#options;
    const examples = scripts.all.slice(from, from + count);
    const [first] = examples;
    if (first === undefined) return { found: [] };
    const jobs = Math.min(A.arena.jobs, B.arena.jobs);
    const chosen = { examples, made: fc.constant(first), seed, runs: 0, jobs, goesOn: true, enough };
    const { found, lost } = await this.#survivor.search(chosen, async (script) => {
      const shown = await this.shown(script, statistics);
      statistics.scenarios += 1;
      tellHowFar();
      return shown;
    });
    const all = found.flatMap(({ one, shown }) => [...shown].map(([, each]) => ({ script: one, shown: each })));
    return { found: all, lost };
  }

  /** Where the answers to one of them part, by signatures. */
  async shown(script: ScenarioPair, statistics?: Statistics): Promise<Shown> {
    const { scripts, nextNumber } = this.#options;
    const number = nextNumber();
    const names = both((side) => {
      const { arena, run } = this.#options[side];
      return { ...arena.description, label: labelOf(run, number) };
    });
    const compared = ({ about }: { about: Parameters<Statistics['sent']>[0] }) => statistics?.sent(about);
    return partedTranscripts(await scripts.run(script, number), { ...this.#options, names, compared });
  }

  /** With as few steps as show the same. */
  async told(found: ScriptFinding): Promise<Difference> {
    const { tell, requirements } = this.#options;
    const { parted } = found.shown;
    const about = aboutText(found.shown);
    tell({ type: 'difference found', part: parted.part, about, path: found.script.A.id });
    await this.#survivor.ready();
    const { script, shown, attempts, smallest } = await this.#shrunk(found);
    const { signature, right, part, compared } = shown.parted;
    const requirement = parted.requirement === undefined ? undefined : requirements.get(parted.requirement);
    return {
      ...(requirement && { requirement: { id: requirement.id, says: requirement.says, source: requirement.source } }),
      ...{ signature, right, part, compared, about, attempts, smallest, path: script.A.id, after: shown.after },
      ...{ isScenario: true, operations: { found: sizeOf(found.script), left: [] }, steps: shown.steps },
      rows: rowsOf(shown.pair, new Set([part])),
      curl: both((side) => shown.pair[side].exchange.curl),
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
      const shown = (await this.#survivor.run(() => this.shown(script))).get(signature);
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
