import type { Installation } from '../../engine/running/installation.ts';
import type { Site } from '../../engine/running/site.ts';
import { lifeAtBase } from '../../safety/lifetime.ts';
import { StandardModel } from './model/model.ts';
import { Events } from './moves/events.ts';
import type { StandardGround } from './moves/move.ts';

/** What a sequence knows of one CSE before it begins. Throws a TypeError for one that is not there. */
export function groundAt(site: Site, installation: Installation, label: string): StandardGround {
  const { [site]: target, has, lifetime, release, clock } = installation;
  if (target === undefined) throw new TypeError(`there is no ${site}`);
  const { base, cseId, spId } = target.description;
  const model = new StandardModel({ base, cseId, spId, label });
  return {
    model,
    anyOriginator: has.has('any originator'),
    standing: clock?.virtual === true,
    guards: has.has('access control'),
    release,
    events: new Events(model),
    atBase: () => lifeAtBase(lifetime),
  };
}
