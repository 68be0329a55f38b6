import { didYouMean } from '../engine/basics/diagnostics.ts';
import type { Catalogue } from '../engine/files/catalogue.ts';
import type { LoadedScenario } from '../engine/files/load.ts';
import { requirementsOf } from '../engine/files/plan.ts';
import type { ExcusedDeviation } from './grammar.ts';
import { anywhere } from './observe.ts';

/** Requirements and scenarios that entries can refer to. */
export interface Knowledge {
  readonly requirements: ReadonlySet<string>;
  /** The requirements that each scenario checks. */
  readonly scenarios: ReadonlyMap<string, ReadonlySet<string>>;
}

export function knowledgeOf(scenarios: readonly LoadedScenario[], catalogue: Catalogue): Knowledge {
  const checked = scenarios.map((one) => [one.id, new Set(requirementsOf(one))] as const);
  return { requirements: new Set(catalogue.requirements.keys()), scenarios: new Map(checked) };
}

interface UnknownName {
  readonly key: 'scenario' | 'requirement';
  readonly message: string;
}

/** The unknown name in an entry. Scenario files that were not read are not checked. */
export function unknownIn(
  { scenario, requirement }: Pick<ExcusedDeviation, 'scenario' | 'requirement'>,
  { requirements, scenarios }: Knowledge,
): UnknownName | undefined {
  if (!requirements.has(requirement)) {
    const message = `there is no requirement "${requirement}"${didYouMean(requirement, requirements)}`;
    return { key: 'requirement', message };
  }
  if (scenario === anywhere) return undefined;
  const checked = scenarios.get(scenario);
  if (checked?.has(requirement)) return undefined;
  if (checked !== undefined) {
    const message = `the scenario "${scenario}" does not check ${requirement}${didYouMean(requirement, checked)}`;
    return { key: 'requirement', message };
  }
  if (isElsewhere(scenario, scenarios)) return undefined;
  return { key: 'scenario', message: `there is no scenario "${scenario}"${didYouMean(scenario, scenarios.keys())}` };
}

/** Ids of the project's scenarios have folder, file and key; those of other files have file name and key. */
function isElsewhere(id: string, scenarios: Knowledge['scenarios']): boolean {
  const stem = id.slice(0, id.lastIndexOf('/'));
  if (stem === '' || stem.includes('/')) return false;
  return ![...scenarios.keys()].some((one) => one.startsWith(`${stem}/`));
}
