import type { CreateStep } from './grammar.ts';
import type { Installation } from './installation.ts';
import type { Named } from './interpolate.ts';
import type { LoadedScenario } from './load.ts';
import type { TargetDescription } from './result.ts';

/** The built-in names and the actors of a scenario. `number` makes its names unique in the run. */
export function namesOf(
  scenario: LoadedScenario,
  number: number,
  run: string,
  { gateway, backend, played }: Pick<Installation, 'gateway' | 'backend' | 'played'>,
): Map<string, Named> {
  const { base, cseId, spId, url } = gateway.description;
  const name = `cl-${run}-${number}`;
  const values: Record<string, string> = { run, name, base, cse: cseId, sp: spId, host: new URL(url).host };
  for (const actor of Object.keys(scenario.actors)) values[actor] = `${name}-${actor}`;
  const named = Object.entries(values).map(([key, value]): [string, Named] => [key, { value }]);
  return new Map([...named, ...backendNames((backend ?? played)?.description)]);
}

function backendNames(backend: TargetDescription | undefined): Array<[string, Named]> {
  const values = { 'backend-base': backend?.base, 'backend-cse': backend?.cseId, 'backend-sp': backend?.spId };
  const missing = { missing: 'this target was given without a backend' };
  return Object.entries(values).map(([name, value]) => [name, value === undefined ? missing : { value }]);
}

/** An actor is registered like any application (endpoint 1). */
export function registration(actor: string): CreateStep {
  const attributes = { rn: `\${${actor}}`, api: `N.cselab.${actor}`, rr: 'TRUE' };
  return { create: 'ae', in: '/${base}', as: actor, attributes, note: `actor ${actor}` };
}
