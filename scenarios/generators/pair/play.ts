import type { Site } from '../../engine/targets/installation.ts';
import { pathOf } from '../created/address.ts';
import { look } from '../moves/look.ts';
import { type Attempt, ask, type Came, isGone, type Move, type Part } from '../moves/move.ts';
import type { Family, MoveContext, Play, Speaking } from '../moves/move-context.ts';
import {
  directly,
  handedOn,
  lookAtRegistration,
  otherSite,
  plainRoute,
  sentTo,
  sites,
  type WayThrough,
} from './through.ts';

type Contexts = Readonly<Record<Site, MoveContext>>;

/** Two CSEs that know each other: whatever goes through one of them changes the other alone. */
export class PairPlay<One extends Speaking> implements Play<One> {
  readonly #contexts: Contexts;
  readonly #family: Family<One>;

  constructor(contexts: Contexts, family: Family<One>) {
    this.#contexts = contexts;
    this.#family = family;
  }

  *move(operation: One): Move {
    const { moveOf } = this.#family;
    if (operation.does === 'advance time') {
      for (const site of sites) yield* sentTo(site, moveOf(operation, this.#contexts[site]));
      return yield* this.#lookAtRegistrations();
    }
    const { at, through } = operation.route ?? plainRoute;
    if (through === null) yield* sentTo(at, moveOf(operation, this.#contexts[at]));
    else yield* this.#through(operation, { at, through });
  }

  *look(): Move {
    for (const site of sites) {
      yield* sentTo(site, look(this.#contexts[site]));
      yield* this.#lookThrough(site);
    }
    yield* this.#lookAtRegistrations();
  }

  /** Of each CSE, as the other one holds it. */
  *#lookAtRegistrations(): Move {
    if (!this.#family.forwarding.looks) return;
    for (const site of sites) {
      const { names } = this.#contexts[site].created;
      const retrieve = `/${names.base}/${this.#contexts[otherSite(site)].created.names.cseId}`;
      yield directly(ask({ retrieve }, lookAtRegistration), site);
    }
  }

  /**
   * What an operation asks for through the other CSE; what is only looked at afterwards is looked at directly. What is read, and what is
   * gone, is read directly first, so that rules know what both answers have to be.
   */
  *#through(operation: One, way: WayThrough): Move {
    const { moveOf, forwarding } = this.#family;
    const direct = moveOf(forwarding.prepared?.(operation) ?? operation, this.#contexts[way.at]);
    for (let next = direct.next(); !next.done; ) {
      const { about, step } = next.value;
      const isAsked = about.operation.startsWith(operation.does) || 'create' in step || about.operation === isGone;
      next = direct.next(isAsked ? yield* this.#carry(next.value, way) : yield directly(next.value, way.at));
    }
  }

  /** All that other requests change without naming it is the same through the other CSE. */
  *#lookThrough(at: Site): Move {
    const { created, words } = this.#contexts[at];
    for (const container of created.all('container')) {
      const about = { by: words.asker(container), kind: container.kind };
      const read = ask({ retrieve: pathOf(container, created) }, 'look at everything', about);
      yield* this.#carry(read, { at, through: 'SP-relative' });
    }
  }

  *#carry(attempt: Attempt, way: WayThrough): Part<Came> {
    const { takes = () => true, looks } = this.#family.forwarding;
    const through = takes(attempt) ? handedOn(attempt, way, this.#contexts[way.at].created.names) : undefined;
    if (through === undefined) return yield directly(attempt, way.at);
    const isRead = 'retrieve' in attempt.step || 'discover' in attempt.step;
    const before = isRead ? yield directly(attempt, way.at) : undefined;
    const came = yield through;
    if (before !== undefined) return before;
    // A refusal that says that the other CSE was not reached, or does not say why, leaves open what became of the request.
    const isOfHost = came.view.rsc !== undefined && came.view.rsc !== 5103;
    if (came.outcome === 'refused' && !isOfHost) return { ...came, outcome: 'lost' };
    const retrieve = looks && came.outcome === 'success' ? changed(attempt) : undefined;
    const about = { kind: attempt.about.kind ?? 'CSE base' };
    if (retrieve !== undefined)
      yield directly(ask({ retrieve }, 'look at what was asked through the other CSE', about), way.at);
    return came;
  }
}

/** The path of what an attempt creates or changes. */
function changed({ step, about }: Attempt): string | undefined {
  if ('update' in step) return step.update;
  const name = 'create' in step && about.operation === 'create' ? step.attributes?.rn : undefined;
  return 'create' in step && typeof name === 'string' ? `${step.in}/${name}` : undefined;
}
