import type { CheckResult, RunResult, ScenarioResult } from '../scenarios/index.ts';

/** How a requirement stands in a scenario. */
type Standing = 'failed' | 'known' | 'passed' | 'not judged';

export interface Difference {
  readonly word: 'fixed' | 'broken' | 'known' | 'not judged';
  readonly scenario: string;
  readonly requirement: string;
  /** What the target does, or why it was not judged; empty where it is as it should be. */
  readonly says: string;
}

/** Remembers how each requirement stood in each scenario, over runs of which each may show only some. */
export class Standings {
  readonly #known = new Map<string, Standing>();

  /** Takes in a run, and tells what is otherwise than it was. Nothing is different in the first. */
  take({ scenarios }: Pick<RunResult, 'scenarios'>): Difference[] {
    return scenarios.flatMap((scenario) => this.#takeScenario(scenario));
  }

  #takeScenario(scenario: ScenarioResult): Difference[] {
    const checks = scenario.steps.flatMap((step) => step.checks);
    const requirements = [...new Set(checks.map(({ requirement }) => requirement))];
    return requirements.flatMap((requirement) => {
      const own = checks.filter((check) => check.requirement === requirement && check.level !== 'gap');
      if (own.length === 0) return [];
      const key = `${scenario.id} ${requirement}`;
      const before = this.#known.get(key);
      const now = standingOf(own);
      this.#known.set(key, now);
      const word = wordFor(before, now);
      if (word === undefined) return [];
      return [{ word, scenario: scenario.id, requirement, says: saysOf(own, now) }];
    });
  }
}

function standingOf(checks: readonly CheckResult[]): Standing {
  const failed = checks.filter(({ state }) => state === 'failed');
  if (failed.length > 0) return failed.every(({ known }) => known !== undefined) ? 'known' : 'failed';
  return checks.some(({ state }) => state === 'passed') ? 'passed' : 'not judged';
}

function wordFor(before: Standing | undefined, now: Standing): Difference['word'] | undefined {
  if (before === now) return undefined;
  if (now === 'failed') return 'broken';
  if (before === undefined) return undefined;
  if (now === 'passed') return before === 'not judged' ? undefined : 'fixed';
  return now;
}

function saysOf(checks: readonly CheckResult[], now: Standing): string {
  if (now === 'passed') return '';
  const telling = checks.find(({ state }) => (now === 'not judged' ? state !== 'passed' : state === 'failed'));
  return telling?.reason ?? telling?.actual ?? '';
}
