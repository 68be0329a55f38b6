import type { LoadedScenario } from '../files/load.ts';
import type { ScenarioResult } from '../result.ts';
import type { Installation } from './installation.ts';
import { ownScenario, unjudged } from './own-scenario.ts';
import { Registrar } from './registrar.ts';
import { runScenario } from './scenario-run.ts';
import type { RefusedRegistration } from './sending.ts';
import type { Surroundings } from './surroundings.ts';

/** So often a scenario begins whose registration is refused. */
const mostTries = 4;
/** A request identifier is never used again. */
const requestsEach = 1000;

export interface Registering {
  readonly registrar: Registrar;
  /** `number` makes its names unique in the run. */
  readonly number: number;
  readonly around: (installation: Installation) => Surroundings;
}

/** Runs a scenario from its start again where a registration was refused, and something could be done about that. */
export async function runRegistering(
  scenario: LoadedScenario,
  { registrar, number, around }: Registering,
): Promise<ScenarioResult> {
  for (let tries = 1; ; tries += 1) {
    const refused: RefusedRegistration[] = [];
    const surroundings = around(registrar.installation);
    const result = await runScenario(scenario, number, {
      ...surroundings,
      taken: registrar.taken,
      onRefused: (registration) => refused.push(registration),
      sent: (tries - 1) * requestsEach,
    });
    const over = tries === mostTries || surroundings.signal.aborted || surroundings.notSent?.() !== undefined;
    if (over || !(await registrar.settle(refused[0]))) return result;
  }
}

/**
 * Registers once before anything rests on that: where one originator stands for all, who may be registered already, and to find out
 * whether the target is to be told when what is created expires. Gives what the target is used as from then on.
 */
export async function registeredOnce(
  installation: Installation,
  { run, signal = new AbortController().signal }: { readonly run: string; readonly signal?: AbortSignal | undefined },
): Promise<Registrar> {
  const registrar = new Registrar(installation, () => {});
  const isShared = installation.originator !== undefined && installation.vacate !== undefined;
  if (!isShared && installation.lifetime?.refused === undefined) return registrar;
  const around = (one: Installation): Surroundings => ({ installation: one, run, signal, levelOf: () => 'gap' });
  await runRegistering(registration(installation), { registrar, number: 0, around });
  return registrar;
}

/** An application entity is registered, and removed again. */
function registration({ dialect }: Installation): LoadedScenario {
  const steps = [unjudged({ retrieve: '/${base}/${app}', as: 'app', expect: 'either' })];
  const said = { id: 'registration', feature: 'Registration', title: 'Whether one can register' };
  return ownScenario({ ...said, dialect, actors: { app: {} }, steps });
}
