/** The trees that both sides leave, resource by resource; if both are one CSE over two wires, that of B also as A shows it. */
import { isSuccess, viewOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { ScenarioResult, StepResult } from '../../engine/results/result.ts';
import { byTheOtherWire, type ReadBack } from '../../engine/running/scenario/cleanup.ts';
import type { Installation } from '../../engine/targets/installation.ts';
import type { Attempt } from '../moves/move.ts';
import type { ExplorationSession } from '../search/session.ts';
import { type Both, both, type SideName } from './difference.ts';

/** Most resources of a scenario to read back. */
const mostReadBack = 32;

/** NOT_FOUND (TS-0004 6.6.3.5). */
const notFound = 4004;

/** A, where what B created is read too. The first such read shows whether both are one CSE. */
export class SharedCse {
  readonly session: ExplorationSession;
  #isOne: boolean | undefined;

  constructor({ A, B }: Both<{ readonly session: ExplorationSession }>, crosses: boolean) {
    this.session = A.session;
    const names = both((side) => JSON.stringify(namesOf({ A, B }[side].session)));
    if (!crosses || names.A !== names.B) this.#isOne = false;
  }

  /** Undefined if the two are not one CSE. */
  async installation(): Promise<Installation | undefined> {
    return this.#isOne === false ? undefined : this.session.installation();
  }

  get isOne(): boolean {
    return this.#isOne ?? false;
  }

  /** Whether this wire shows what was created over the other. */
  isSameCse(exchange: Exchange): boolean {
    this.#isOne ??= isSuccess(exchange) || (viewOf(exchange).rsc === notFound ? false : undefined);
    return this.isOne;
  }

  /** How a scenario is read back at each side; at B also over the wire of A. */
  async readBack(): Promise<Both<ReadBack>> {
    const { gateway: target } = (await this.installation()) ?? {};
    const over = target && { target, way: this.session.way };
    return { A: { most: mostReadBack }, B: { most: mostReadBack, over } };
  }
}

const namesOf = ({ description: { base, cseId, spId } }: ExplorationSession) => [base, cseId, spId];

/** Reads before the first removal; `byOther`: over the other wire. */
export function readsIn({ steps }: ScenarioResult, byOther: boolean): StepResult[] {
  const cleaning = steps.filter(({ phase }) => phase === 'cleanup');
  const removed = cleaning.findIndex(({ exchange }) => exchange?.request.method === 'DELETE');
  return cleaning.slice(0, removed < 0 ? undefined : removed).filter((one) => isReadBack(one) === byOther);
}

/** Marked as a read over the other wire. */
export const asReadBack = ({ about, ...attempt }: Attempt): Attempt => ({
  ...attempt,
  about: { ...about, operation: `look ${byTheOtherWire}` },
});

export const isReadBack = ({ note }: StepResult): boolean => note === byTheOtherWire;

/** Steps with equal requests, by what is known at each; finally what B created, over the other wire. */
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
    // Two resources may look the same as long as neither name has been seen.
    if (same !== undefined && more.every((one) => one.exchange?.request.path.startsWith('/_/')))
      yield { A: same, B: step };
  }
}
