import { loadRequirements } from '../../engine/files/catalogue.ts';
import { milliseconds } from '../../engine/grammar/duration.ts';
import type { Site } from '../../engine/running/installation.ts';
import type { Play } from '../language.ts';
import { type Expected, expected, whenPresent } from '../model/expected.ts';
import { type Attempt, ask, type Ground, type Move } from '../moves/move.ts';
import { letTimePass, look, moveOf } from '../moves/moves.ts';
import type { Operation } from '../operations/operation.ts';
import { Forwarding } from './forwarding.ts';
import { otherSite, plainRoute } from './route.ts';
import { directly, sentTo, sites } from './through.ts';

/** Two CSEs that know each other, with a model of each: whatever goes through one of them changes the other alone. */
export function pairPlay(grounds: Readonly<Record<Site, Ground>>): Play<Operation, Attempt> {
  const { requirements } = loadRequirements();
  const isDocumented = (id: string) => requirements.get(id)?.level === 'documented';
  const forwarding = new Forwarding(grounds, isDocumented);

  function* move(operation: Operation): Move {
    if (operation.does === 'advance time') return yield* letPass(milliseconds(operation.time));
    if (forwarding.isOpen) return;
    const { at, through } = operation.route ?? plainRoute;
    if (through !== null) yield* forwarding.move(operation, { at, through });
    else yield* sentTo(at, moveOf(operation, grounds[at]));
  }

  function* lookAtAll(): Move {
    if (forwarding.isOpen) return;
    for (const site of sites) {
      yield* sentTo(site, look(grounds[site]));
      yield* forwarding.look(site);
    }
    yield* lookAtRegistrations(grounds);
  }

  function* letPass(milliseconds: number): Move {
    for (const site of sites) yield* sentTo(site, letTimePass(milliseconds, grounds[site]));
    yield* lookAtRegistrations(grounds);
  }

  return { move, look: lookAtAll };
}

/** Each CSE shows the other; where and how is a gap, but what is shown there is documented. */
function* lookAtRegistrations(grounds: Readonly<Record<Site, Ground>>): Move {
  for (const site of sites) {
    const { base } = grounds[site].model.names;
    const { cseId } = grounds[otherSite(site)].model.names;
    const shown = registrationOf(cseId, site, grounds[site].plain);
    yield directly(ask({ retrieve: `/${base}/${cseId}` }, 'look at the registration', shown), site);
  }
}

function registrationOf(cseId: string, site: Site, plain: boolean): Expected[] {
  const shown = { status: 200, root: 'm2m:csr', attributes: { csi: `/${cseId}` } };
  const labels = whenPresent('registration.labels', 'lbl', { every: { is: 'text' } });
  return [
    expected(`registration.exchange.at-${site}`, shown),
    ...(site === 'backend' ? [labels] : []),
    ...(plain ? [] : [whenPresent('registration.https-scheme', 'poa', { every: { 'starts with': 'https://' } })]),
  ];
}
