import type { MemberName } from '../../engine/targets/installation.ts';
import { pathOf } from '../created/address.ts';
import { look } from '../moves/look.ts';
import { type Attempt, type AttemptResponse, absenceCheck, ask, type Move, type Part } from '../moves/move.ts';
import type { DialectModel, MoveContext, MoveSource, OperationBase } from '../moves/move-context.ts';
import type { WayThrough } from './through.ts';
import { directly, directRoute, forwarded, lookAtRegistration, members, otherMember, sentTo } from './through.ts';

type Contexts = Readonly<Record<MemberName, MoveContext>>;

/** Two CSEs that know each other: a request forwarded by one changes only the other. */
export class PairMoves<One extends OperationBase> implements MoveSource<One> {
  readonly #contexts: Contexts;
  readonly #model: DialectModel<One>;

  constructor(contexts: Contexts, model: DialectModel<One>) {
    this.#contexts = contexts;
    this.#model = model;
  }

  *move(operation: One): Move {
    const { moveOf } = this.#model;
    if (operation.does === 'advance time') {
      for (const member of members) yield* sentTo(member, moveOf(operation, this.#contexts[member]));
      return yield* this.#lookAtRegistrations();
    }
    const { at, through } = operation.route ?? directRoute;
    if (through === null) yield* sentTo(at, moveOf(operation, this.#contexts[at]));
    else yield* this.#through(operation, { at, through });
  }

  *look(): Move {
    for (const member of members) {
      yield* sentTo(member, look(this.#contexts[member]));
      yield* this.#lookThrough(member);
    }
    yield* this.#lookAtRegistrations();
  }

  /** Of each CSE, as the other one holds it. */
  *#lookAtRegistrations(): Move {
    if (!this.#model.forwarding.readsBack) return;
    for (const member of members) {
      const { names } = this.#contexts[member].created;
      const retrieve = `/${names.base}/${this.#contexts[otherMember(member)].created.names.cseId}`;
      yield directly(ask({ retrieve }, lookAtRegistration), member);
    }
  }

  /**
   * Forwards the requests of an operation through the other CSE; checks afterwards are sent directly. What is read, and what is gone,
   * is read directly first, so that rules know what both answers have to be.
   */
  *#through(operation: One, way: WayThrough): Move {
    const { moveOf, forwarding } = this.#model;
    const direct = moveOf(forwarding.prepared?.(operation) ?? operation, this.#contexts[way.at]);
    for (let next = direct.next(); !next.done; ) {
      const { about, step } = next.value;
      const isAsked =
        about.operation.startsWith(operation.does) || 'create' in step || about.operation === absenceCheck;
      next = direct.next(isAsked ? yield* this.#carry(next.value, way) : yield directly(next.value, way.at));
    }
  }

  /** What other requests change indirectly is the same through the other CSE. */
  *#lookThrough(at: MemberName): Move {
    const { created, traits } = this.#contexts[at];
    for (const container of created.all('container')) {
      const about = { by: traits.asker(container), type: container.type };
      const read = ask({ retrieve: pathOf(container, created) }, 'look at everything', about);
      yield* this.#carry(read, { at, through: 'SP-relative' });
    }
  }

  *#carry(attempt: Attempt, way: WayThrough): Part<AttemptResponse> {
    const { isForwarded = () => true, readsBack } = this.#model.forwarding;
    const through = isForwarded(attempt) ? forwarded(attempt, way, this.#contexts[way.at].created.names) : undefined;
    if (through === undefined) return yield directly(attempt, way.at);
    const isRead = 'retrieve' in attempt.step || 'discover' in attempt.step;
    const before = isRead ? yield directly(attempt, way.at) : undefined;
    const response = yield through;
    if (before !== undefined) return before;
    // A refusal because the other CSE was not reached, or without a reason, leaves open what became of the request.
    const isOfHost = response.view.rsc !== undefined && response.view.rsc !== 5103;
    if (response.outcome === 'refused' && !isOfHost) return { ...response, outcome: 'lost' };
    const retrieve = readsBack && response.outcome === 'success' ? changed(attempt) : undefined;
    const about = { type: attempt.about.type ?? 'CSE base' };
    if (retrieve !== undefined) yield directly(ask({ retrieve }, 'look at what was forwarded', about), way.at);
    return response;
  }
}

/** The path of what an attempt creates or changes. */
function changed({ step, about }: Attempt): string | undefined {
  if ('update' in step) return step.update;
  const name = 'create' in step && about.operation === 'create' ? step.attributes?.rn : undefined;
  return 'create' in step && typeof name === 'string' ? `${step.in}/${name}` : undefined;
}
