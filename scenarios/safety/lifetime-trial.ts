import type { LoadedScenario } from '../engine/files/load.ts';
import type { Installation } from '../engine/running/installation.ts';
import { runScenario } from '../engine/running/scenario-run.ts';

const place = { file: '', line: 1, column: 1 };

/** An application entity that is registered and removed again. Nothing is judged by it. */
const trial: LoadedScenario = {
  ...{
    id: 'lifetime',
    feature: 'Lifetime',
    title: 'Whether an expiration time is accepted',
    tags: [],
    place,
    file: '',
  },
  ...{ dialects: new Set(['documented', 'onem2m'] as const), needs: new Set(), inboxes: {}, given: [] },
  actors: { app: {} },
  steps: [{ step: { retrieve: '/${base}/${app}', as: 'app', expect: 'either' }, place, checks: [] }],
};

/** Finds out, as a run of scenarios does by its first one, whether the target is to be told when what is created expires. */
export async function tryLifetime(installation: Installation, run: string, signal?: AbortSignal): Promise<void> {
  if (installation.lifetime?.refused === undefined) return;
  const surroundings = { installation, run, levelOf: () => 'documented' as const };
  await runScenario(trial, 0, { ...surroundings, signal: signal ?? new AbortController().signal });
}
