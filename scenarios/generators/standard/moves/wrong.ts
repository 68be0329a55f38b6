import { pick } from '../../moves/move.ts';
import { wrongChanges } from '../mistakes/changes.ts';
import { wrongCreations } from '../mistakes/creations.ts';
import type { Wrong } from '../mistakes/mistake.ts';
import { wrongReads } from '../mistakes/reads.ts';
import { isDoubtful } from '../model/resource.ts';
import type { StandardDoing, StandardMistake } from '../operations/operation.ts';
import type { StandardGround, StandardMove } from './move.ts';

const wrongs: Readonly<Record<StandardMistake, Wrong>> = { ...wrongCreations, ...wrongReads, ...wrongChanges };

/** A request that is wrong in one way, and that a requirement says how to refuse. It changes nothing. */
export function* wrongly({ mistake, what }: StandardDoing<'wrong'>, ground: StandardGround): StandardMove {
  const { model } = ground;
  const { among, wrong } = wrongs[mistake];
  const resource = pick(
    model.all().filter((one) => one.known && !isDoubtful(one) && among(one)),
    what,
  );
  const made = resource && wrong(resource, ground);
  if (resource === undefined || made === undefined) return;
  const { outcome } = yield {
    step: made.step,
    by: resource.owner,
    expect: 'either',
    expectations: made.expectations,
    about: { operation: `wrong: ${mistake}`, kind: resource.kind, form: 'structured' },
  };
  if (outcome === 'refused') return;
  // Whatever it did, nothing near it is certain any more.
  resource.known = false;
  resource.since.perhaps += 1;
  ground.events.lose();
}
