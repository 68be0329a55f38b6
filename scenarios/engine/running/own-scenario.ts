import type { LoadedScenario, LoadedStep } from '../files/load.ts';
import type { Dialect } from '../grammar/dialects.ts';
import type { Step } from '../grammar/grammar-step.ts';

/** Of what stands in no file. */
export const nowhere = { file: '', line: 1, column: 1 };

type Said = Pick<LoadedScenario, 'id' | 'feature' | 'title' | 'actors'> &
  Partial<Pick<LoadedScenario, 'needs' | 'inboxes'>> & {
    readonly dialect: Dialect;
    readonly steps: readonly LoadedStep[];
  };

/** A scenario of the harness's own, for what it wants to find out or sends again. */
export function ownScenario({ dialect, needs = new Set(), inboxes = {}, ...said }: Said): LoadedScenario {
  const dialects = new Set([dialect]);
  return { ...said, dialects, needs, inboxes, tags: [], given: [], place: nowhere, file: '' };
}

/** A step of it by which nothing is judged. */
export function unjudged(step: Step): LoadedStep {
  return { step, place: nowhere, checks: [] };
}
