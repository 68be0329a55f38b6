import type { Step } from './grammar.ts';
import type { Named } from './interpolate.ts';
import type { LoadedScenario } from './load.ts';
import type { TargetDescription } from './result.ts';

/** The built-in names and the actors of a scenario. `number` makes its names unique in the run. */
export function namesOf(
  scenario: LoadedScenario,
  number: number,
  run: string,
  { base, cseId, spId, url }: TargetDescription,
): Map<string, Named> {
  const name = `cl-${run}-${number}`;
  const values: Record<string, string> = { run, name, base, cse: cseId, sp: spId, host: new URL(url).host };
  for (const actor of Object.keys(scenario.actors)) values[actor] = `${name}-${actor}`;
  return new Map(Object.entries(values).map(([key, value]) => [key, { value }]));
}

/** An actor is registered like any application (endpoint 1). */
export function registration(actor: string): Step {
  const attributes = { rn: `\${${actor}}`, api: `N.cselab.${actor}`, rr: 'TRUE' };
  return { create: 'ae', in: '/${base}', as: actor, attributes, note: `actor ${actor}` };
}
