import { pathOf } from '../../model/address.ts';
import { isDoubtful } from '../../model/resource.ts';
import { ask, pick } from '../../moves/move.ts';
import { mistakes, type Wrong } from '../mistakes.ts';
import { answered, oneOfCodes } from '../model/answers.ts';
import type { StandardDoing } from '../operations/operation.ts';
import type { StandardGround, StandardMove } from './move.ts';

/** A request that is wrong in one way, and that a requirement says how to refuse. It changes nothing. */
export function* wrongly({ mistake, what }: StandardDoing<'wrong'>, ground: StandardGround): StandardMove {
  const { model, events } = ground;
  const { among, step, requirement, codes }: Wrong = mistakes[mistake];
  const resource = pick(
    model.all().filter((one) => one.known && !isDoubtful(one) && among(one)),
    what,
  );
  if (resource === undefined) return;
  const { kind, owner: by, shown } = resource;
  const refused = typeof codes === 'number' ? answered(requirement, codes) : [oneOfCodes(requirement, codes)];
  const request = step(pathOf(resource, model), resource, ground);
  const { outcome } = yield ask(request, `wrong: ${mistake}`, refused, { by, kind });
  if (outcome === 'refused') return;
  // Whatever it did, nothing near it is certain any more.
  resource.known = false;
  shown.st = undefined;
  events.lose();
}
