import type { Site } from '../../engine/running/installation.ts';
import type { Family, ForwardingWords, Play, Speaking } from '../family.ts';
import { isDoubtful } from '../model/resource.ts';
import { look, watch } from '../moves/look.ts';
import { type Action, type Attempt, ask, type Came, isGone, type Move, type Part } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';
import { directly, handedOn, plainRoute, sentTo, sites, type WayThrough } from './through.ts';

type Grounds = Readonly<Record<Site, Ground>>;

/** Two CSEs that know each other, with a model of each: whatever goes through one of them changes the other alone. */
export class PairPlay<One extends Speaking> implements Play<One> {
  readonly watch?: NonNullable<Play<One>['watch']>;
  readonly #grounds: Grounds;
  readonly #family: Family<One>;
  readonly #hooks: ForwardingWords<One>;

  constructor(grounds: Grounds, family: Family<One>) {
    this.#grounds = grounds;
    this.#family = family;
    this.#hooks = family.forwarding(grounds);
    if (family.notifies) this.watch = (all) => this.#everywhere((ground) => watch(ground, all));
  }

  *move(operation: One): Move {
    const { moveOf } = this.#family;
    if (operation.does === 'advance time') {
      yield* this.#everywhere((ground) => moveOf(operation, ground));
      return yield* this.#lookAtRegistrations();
    }
    const { at, through } = operation.route ?? plainRoute;
    if (through === null) yield* sentTo(at, moveOf(operation, this.#grounds[at]));
    else yield* this.#through(operation, { at, through });
  }

  *look(): Move {
    for (const site of sites) {
      yield* sentTo(site, look(this.#grounds[site]));
      yield* this.#lookThrough(site);
    }
    yield* this.#lookAtRegistrations();
  }

  *#everywhere<Asked extends Action>(partAt: (ground: Ground) => Part<void, Asked>): Part<void, Asked> {
    for (const site of sites) yield* sentTo(site, partAt(this.#grounds[site]));
  }

  /** What the two know of each other. */
  *#lookAtRegistrations(): Move {
    if (this.#hooks.lookAtRegistrations) yield* this.#hooks.lookAtRegistrations();
  }

  /**
   * What an operation asks for through the other CSE; what is only looked at afterwards is looked at directly. What is read, and what is
   * gone, is read directly first: both answers are the same.
   */
  *#through(operation: One, way: WayThrough): Move {
    const direct = this.#family.moveOf(this.#hooks.prepared?.(operation) ?? operation, this.#grounds[way.at]);
    for (let next = direct.next(); !next.done; ) {
      const { about, step } = next.value;
      const isAsked = about.operation.startsWith(operation.does) || 'create' in step || about.operation === isGone;
      next = direct.next(isAsked ? yield* this.#carry(next.value, way) : yield directly(next.value, way.at));
    }
  }

  /** All that other requests change without naming it is the same through the other CSE. */
  *#lookThrough(at: Site): Move {
    const { model, words } = this.#grounds[at];
    for (const container of model.all('container').filter((one) => !isDoubtful(one))) {
      const { kind, path } = container;
      const step = { retrieve: `/${model.names.base}/${path}` };
      const read = ask(step, 'look at everything', [], { by: words.asker(container), kind });
      yield* this.#carry(read, { at, through: 'SP-relative' });
    }
  }

  *#carry(attempt: Attempt, way: WayThrough): Part<Came> {
    const { answered, confirm, takes = () => true } = this.#hooks;
    const through = takes(attempt) ? handedOn(attempt, way, this.#grounds[way.at].model.names) : undefined;
    if (through === undefined) return yield directly(attempt, way.at);
    const isRead = 'retrieve' in attempt.step || 'discover' in attempt.step;
    const before = isRead ? yield directly(attempt, way.at) : undefined;
    const came = yield { ...through, ...answered(attempt, way, before) };
    if (before !== undefined) return before;
    // A refusal that says that the other CSE was not reached, or does not say why, leaves open what became of the request.
    const isOfHost = came.view.rsc !== undefined && came.view.rsc !== 5103;
    if (came.outcome === 'refused' && !isOfHost) return { ...came, outcome: 'lost' };
    if (came.outcome === 'success' && confirm) yield* confirm(attempt, came, way);
    return came;
  }
}
