import type { Expected } from '../../model/expected.ts';
import type { AttemptStep } from '../../moves/move.ts';
import type { StandardResource } from '../model/resource.ts';
import type { StandardGround } from '../moves/move.ts';
import type { StandardMistake } from '../operations/operation.ts';

interface Made {
  readonly step: AttemptStep;
  readonly expectations: readonly Expected[];
}

/** One way to be wrong. */
export interface Wrong {
  /** What the mistake can be made with. */
  readonly among: (resource: StandardResource) => boolean;
  /** Undefined where it lacks something. */
  readonly wrong: (resource: StandardResource, ground: StandardGround) => Made | undefined;
}

export type Mistakes = Readonly<Partial<Record<StandardMistake, Wrong>>>;

export function holdsContainers({ kind }: StandardResource): boolean {
  return kind === 'container' || kind === 'ae';
}

export function isContainer({ kind }: StandardResource): boolean {
  return kind === 'container';
}
