import { isDoubtful } from '../../model/tree.ts';
import { pick } from '../../moves/move.ts';
import { mistakes, type Wrong } from '../mistakes.ts';
import { pathOf } from '../model/address.ts';
import { answered, oneOfCodes } from '../model/answers.ts';
import type { StandardDoing } from '../operations/operation.ts';
import type { StandardGround, StandardMove } from './move.ts';

/** A request that is wrong in one way, and that a requirement says how to refuse. It changes nothing. */
export function* wrongly({ mistake, what }: StandardDoing<'wrong'>, ground: StandardGround): StandardMove {
  const { model, events } = ground;
  const { among, step, requirement, codes }: Wrong = mistakes[mistake];
  const known = model.all().filter((one) => one.known && !isDoubtful(one) && among(one));
  const resource = pick(known, what);
  if (resource === undefined) return;
  const { kind, owner, shown } = resource;
  const { outcome } = yield {
    step: step(pathOf(resource, model), resource, ground),
    by: owner,
    expect: 'either',
    expectations: typeof codes === 'number' ? answered(requirement, codes) : [oneOfCodes(requirement, codes)],
    about: { operation: `wrong: ${mistake}`, kind, form: 'structured' },
  };
  if (outcome === 'refused') return;
  // Whatever it did, nothing near it is certain any more.
  resource.known = false;
  shown.st = undefined;
  events.lose();
}
