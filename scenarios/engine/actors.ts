import type { LoadedScenario } from './load.ts';
import { checkTexts, namesIn, requestTexts } from './names.ts';

/** The actors of a scenario that are registered before it: those that it speaks of. */
export function registeredActors(scenario: LoadedScenario): string[] {
  const spokenOf = namesSpokenOf(scenario);
  return Object.entries(scenario.actors)
    .filter(([name, { registered }]) => registered !== false && spokenOf.has(name))
    .map(([name]) => name);
}

/** Names in the steps and their checks, and the actors of the steps. */
function namesSpokenOf({ given, steps }: LoadedScenario): Set<string> {
  const names = [...given, ...steps].flatMap(({ step, checks }) => {
    const texts = [...requestTexts(step), ...checks.flatMap(({ check }) => checkTexts(check))];
    const acting = 'as' in step && step.as !== undefined ? [step.as] : [];
    return [...acting, ...texts.flatMap(({ text }) => namesIn(text))];
  });
  return new Set(names);
}
