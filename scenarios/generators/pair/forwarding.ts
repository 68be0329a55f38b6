import type { Site } from '../../engine/running/installation.ts';
import type { Family, Speaking } from '../family.ts';
import { isDoubtful } from '../model/resource.ts';
import { type Attempt, ask, type Came, isGone, type Move, type Part } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';
import type { WayThrough } from './route.ts';
import { directly, handedOn } from './through.ts';

/**
 * What an operation asks for through the other CSE; what is only looked at afterwards is looked at directly. What is read, and what is
 * gone, is read directly first: both answers are the same.
 */
export class Forwarding<One extends Speaking> {
  readonly #grounds: Readonly<Record<Site, Ground>>;
  readonly #family: Family<One>;
  readonly #hooks: ReturnType<Family<One>['forwarding']>;

  constructor(grounds: Readonly<Record<Site, Ground>>, family: Family<One>) {
    this.#grounds = grounds;
    this.#family = family;
    this.#hooks = family.forwarding(grounds);
  }

  *move(operation: One, way: WayThrough): Move {
    const direct = this.#family.moveOf(this.#hooks.prepared?.(operation) ?? operation, this.#grounds[way.at]);
    for (let next = direct.next(); !next.done; ) {
      const { about, step } = next.value;
      const isAsked = about.operation.startsWith(operation.does) || 'create' in step || about.operation === isGone;
      next = direct.next(isAsked ? yield* this.#carry(next.value, way) : yield directly(next.value, way.at));
    }
  }

  /** All that other requests change without naming it is the same through the other CSE. */
  *look(at: Site): Move {
    const { model, words } = this.#grounds[at];
    for (const container of model.all('container').filter((one) => !isDoubtful(one))) {
      const { kind, path } = container;
      const step = { retrieve: `/${model.names.base}/${path}` };
      yield* this.#carry(ask(step, 'look at everything', [], { by: words.asker(container), kind }), way(at));
    }
  }

  /** What the two know of each other. */
  *lookAtRegistrations(): Move {
    if (this.#hooks.lookAtRegistrations) yield* this.#hooks.lookAtRegistrations();
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

function way(at: Site): WayThrough {
  return { at, through: 'SP-relative' };
}
