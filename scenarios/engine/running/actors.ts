import { administrator } from '../files/implied-needs.ts';
import type { LoadedScenario } from '../files/load.ts';
import type { Dialect } from '../grammar/dialects.ts';
import type { Actor } from '../grammar/grammar.ts';
import { isSending, type SendingStep } from '../grammar/grammar-step.ts';
import { checkTexts, namesIn, originatorName, requestTexts } from '../grammar/names.ts';

/** The actors of a scenario that are registered before it: those that it speaks of. */
export function registeredActors(scenario: LoadedScenario, dialect: Dialect): string[] {
  const spokenOf = namesSpokenOf(scenario, dialect);
  return Object.entries(scenario.actors)
    .filter(([name, { registered }]) => registered !== false && spokenOf.has(name))
    .map(([name]) => name);
}

/**
 * Who acts in a step. In the onem2m dialect every request has an originator, so that a step that names nobody is that of
 * the first actor, one that is registered before one that is not; without actors, of the administrator.
 */
export function actorOf(
  { as: named }: Pick<SendingStep, 'as'>,
  actors: Readonly<Record<string, Actor>>,
  dialect: Dialect,
): string | undefined {
  if (named !== undefined || dialect === 'documented') return named;
  const [first] = Object.entries(actors).sort(([, a], [, b]) => Number(isStranger(a)) - Number(isStranger(b)));
  return first?.[0] ?? administrator;
}

function isStranger(actor: Actor): boolean {
  return actor.registered === false;
}

/** Names in the steps and their checks, and the actors of the steps. */
function namesSpokenOf({ given, steps, actors }: LoadedScenario, dialect: Dialect): Set<string> {
  const names = [...given, ...steps].flatMap(({ step, checks }) => {
    const texts = [...requestTexts(step), ...checks.flatMap(({ check }) => checkTexts(check))];
    const acting = isSending(step) ? [actorOf(step, actors, dialect) ?? []].flat() : [];
    return [...acting, ...texts.flatMap(({ text }) => namesIn(text))];
  });
  const registered = Object.keys(actors).filter((name) => names.includes(originatorName(name)));
  return new Set(dialect === 'documented' ? names : [...names, ...registered]);
}
