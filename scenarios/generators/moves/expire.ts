import { type Expected, expected } from '../model/expected.ts';
import type { Model } from '../model/model.ts';
import type { Resource } from '../model/resource.ts';
import type { Ground, Move } from './move.ts';
import { isThere } from './read.ts';
import { tolerance } from './take.ts';

/**
 * Milliseconds pass. What becomes of that which expires is a gap, and a look decides: what is gone is held no more, and what is still
 * there is held as before, so that everything else has to agree with that.
 */
export function* letTimePass(milliseconds: number, { model }: Ground): Move {
  model.passed += milliseconds;
  for (const one of model.mayHaveExpired()) {
    // It went with what stood above it.
    if (model.at(one.parent, one.name) !== one) continue;
    const outcome = yield* isThere(one, model, { expectations: certainly(one, model) });
    if (outcome === 'success') continue;
    if (outcome === 'lost' && one.parent !== undefined) one.parent.known = false;
    model.remove(one);
  }
}

function certainly({ kind, expires = 0, parent }: Resource, { passed }: Model): Expected[] {
  if (passed < expires + 2 * tolerance) return [];
  const byAge = kind === 'content instance' && parent?.held.mia !== undefined;
  return [expected(byAge ? 'retention.mia.old-ones-go' : 'common.et.expired', { status: 404 })];
}
