/** The trees that both sides leave, resource by resource; that of B, where both are one CSE by two wires, as A shows it as well. */
import { isSuccess, viewOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { ScenarioResult, StepResult } from '../../engine/results/result.ts';
import { byTheOtherWire, type ReadBack } from '../../engine/running/scenario/final-reads.ts';
import type { Installation } from '../../engine/targets/installation.ts';
import type { Attempt } from '../moves/move.ts';
import type { ExplorationSession } from '../search/session.ts';
import { type Both, both, type SideName } from './difference.ts';

/** Resources of a scenario that are read back at the most. */
const mostReadBack = 32;

/** NOT_FOUND (TS-0004 6.6.3.5). */
const notFound = 4004;

/** A, as what B created is read there too. Whether both are one CSE shows in the first of that which is read. */
export class SharedCse {
  readonly #session: ExplorationSession;
  #isOne: boolean | undefined;

  constructor({ A, B }: Both<{ readonly session: ExplorationSession }>, crosses: boolean) {
    this.#session = A.session;
    const names = both((side) => JSON.stringify(namesOf({ A, B }[side].session)));
    if (!crosses || names.A !== names.B) this.#isOne = false;
  }

  /** Undefined where the two are not one CSE. */
  async installation(): Promise<Installation | undefined> {
    return this.#isOne === false ? undefined : this.#session.installation();
  }

  get session(): ExplorationSession {
    return this.#session;
  }

  /** Whether an answer by this wire tells of what was created by the other. */
  isSameCse(exchange: Exchange): boolean {
    this.#isOne ??= isSuccess(exchange) || (viewOf(exchange).rsc === notFound ? false : undefined);
    return this.#isOne ?? false;
  }

  /** How a scenario at B is read back; at A in the same way, but for this wire. */
  async readBack(): Promise<Both<ReadBack>> {
    const { gateway: target } = (await this.installation()) ?? {};
    const over = target && { target, way: this.#session.way };
    return { A: { most: mostReadBack }, B: { most: mostReadBack, over } };
  }
}

const namesOf = ({ description: { base, cseId, spId } }: ExplorationSession) => [base, cseId, spId];

/** What was read before anything was removed; `byOther`: by the other wire. */
export function readsIn({ steps }: ScenarioResult, byOther: boolean): StepResult[] {
  const cleaning = steps.filter(({ phase }) => phase === 'cleanup');
  const removed = cleaning.findIndex(({ exchange }) => exchange?.request.method === 'DELETE');
  return cleaning.slice(0, removed < 0 ? undefined : removed).filter((one) => isReadBack(one) === byOther);
}

/** As what it is a look at what the other wire shows. */
export const asReadBack = ({ about, ...attempt }: Attempt): Attempt => ({
  ...attempt,
  about: { ...about, operation: `look ${byTheOtherWire}` },
});

export const isReadBack = ({ note }: StepResult): boolean => note === byTheOtherWire;

/** Steps that ask the same, by what is known when each is looked at; at last what B has created, by the other wire. */
export function* alignedSteps(
  { A, B }: Both<ScenarioResult>,
  asks: (side: SideName, step?: StepResult) => string | undefined,
): Generator<Both<StepResult>> {
  const own = B.steps.filter((step) => !isReadBack(step));
  for (const [at, step] of A.steps.entries()) {
    const other = own[at];
    if (other === undefined || asks('A', step) !== asks('B', other)) return;
    yield { A: step, B: other };
  }
  const read = readsIn(A, false);
  for (const step of readsIn(B, true)) {
    const text = asks('B', step);
    const [same, ...more] = read.filter((one) => asks('A', one) === text);
    // What a target calls two resources may be the same for who has seen neither name before.
    if (same !== undefined && more.every((one) => one.exchange?.request.path.startsWith('/_/')))
      yield { A: same, B: step };
  }
}
