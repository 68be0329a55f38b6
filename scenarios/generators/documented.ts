import type { Installation } from '../engine/running/installation.ts';
import type { Site } from '../engine/running/site.ts';
import { lifeAtBase } from '../safety/lifetime.ts';
import type { Language } from './language.ts';
import { Model } from './model/model.ts';
import type { Ground } from './moves/move.ts';
import { plainly } from './moves/play.ts';
import { sequences } from './operations/operation.ts';
import { pairSequences } from './pair/arbitrary.ts';
import { pairPlay } from './pair/play.ts';

/** Sequences of the documented dialect. */
export const documented: Language = {
  dialect: 'documented',
  sequences,
  play: (installation, label) => plainly(groundAt('gateway', installation, label)),
};

/** The same on a pair. */
export const documentedPair: Language = {
  dialect: 'documented',
  sequences: pairSequences,
  play: (...at) => pairPlay({ gateway: groundAt('gateway', ...at), backend: groundAt('backend', ...at) }),
};

/** What a sequence knows of one CSE before it begins. */
function groundAt(site: Site, { [site]: target, has, lifetime, originator }: Installation, label: string): Ground {
  if (target === undefined) throw new TypeError(`there is no ${site}`);
  const { base, cseId, spId } = target.description;
  return {
    model: new Model({ base, cseId, spId, label }),
    anyOriginator: has.has('any originator'),
    originator,
    plain: has.has('plain HTTP'),
    atBase: () => lifeAtBase(lifetime),
  };
}
