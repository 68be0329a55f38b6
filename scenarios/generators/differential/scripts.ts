/** The scenarios of the dialect as sequences for a comparison, and where they run. */
import { setMaxListeners } from 'node:events';
import { plannedAt } from '../../checking/check.ts';
import type { LoadedScenario } from '../../engine/files/load.ts';
import type { Plan } from '../../engine/files/plan.ts';
import { timeOf } from '../../engine/files/scenario-entries.ts';
import { shippedDurations } from '../../engine/files/shard.ts';
import type { ScenarioResult } from '../../engine/results/result.ts';
import { notSent } from '../../engine/running/recovery.ts';
import type { ReadBack } from '../../engine/running/scenario/cleanup.ts';
import { isOnTheWire, type RunnerOptions, ScenarioRunner } from '../../engine/running/scenario/scenario-runner.ts';
import { isSuspicious } from '../../engine/targets/liveness.ts';
import { bindingOf } from '../../engine/targets/wires/route.ts';
import { applyIcs } from '../../ics/apply-ics.ts';
import { overWire } from '../../ics/over-wire.ts';
import { TargetLost } from '../search/seeded.ts';
import { lostRequest } from '../sequences/death.ts';
import { type Both, both, bothDone, type SideName, sides } from './difference.ts';
import type { ComparedTarget, DiffContext } from './side.ts';
import { isReadBack, readsIn, type SharedCse } from './trees.ts';

/** A scenario as planned for each. */
export type ScenarioPair = Both<LoadedScenario>;

/** What both can run, and where. */
export class Scripts {
  /** Those of each file spread evenly, for early variety. */
  readonly all: readonly ScenarioPair[];
  readonly #competitors: Both<ComparedTarget>;
  readonly #runners: Both<ScenarioRunner>;
  readonly #shared: SharedCse;
  #readBack: Both<ReadBack> | undefined;

  /** `choices`: of scenarios for each; `crosses`: the two use different wires. */
  constructor(
    competitors: Both<ComparedTarget>,
    choices: Both<Parameters<typeof plannedAt>[0]>,
    { signal, crosses, shared }: Pick<DiffContext, 'signal' | 'crosses' | 'shared'>,
  ) {
    const plans = both((side) => plannedFor(competitors[side], choices[side]));
    this.all = scriptsIn(plans).filter(({ A }) => !crosses || !awaitsNobody(A));
    this.#competitors = competitors;
    this.#shared = shared;
    // Each scenario that waits listens to it, and many may wait at once.
    setMaxListeners(0, signal);
    const readBack = (side: SideName) => () => this.#readBack?.[side];
    this.#runners = both((side) => runnerAt(competitors[side], plans[side], { signal, readBack: readBack(side) }));
  }

  /** `number` makes its names unique. Rejects with TargetLost when one of them dies of it. */
  async run(script: ScenarioPair, number: number): Promise<Both<ScenarioResult>> {
    this.#readBack = await this.#shared.readBack();
    const results = await bothDone((side) => this.#runners[side].run(script[side], number));
    for (const side of sides) {
      const { session, underWay } = this.#competitors[side];
      if (session.liveness?.down === undefined) continue;
      const exchanges = results[side].steps.flatMap(({ exchange }) => exchange ?? []);
      const at = exchanges.findIndex(isSuspicious);
      const [last] = exchanges.slice(at);
      if (last !== undefined) underWay.push({ ...lostRequest(last, '', at + 1), scenario: script[side].id });
      throw new TargetLost(`${side}: it died in ${script[side].id}`);
    }
    const isShared = readsIn(results.B, true).every(({ exchange }) => exchange && this.#shared.isSameCse(exchange));
    return isShared ? results : { A: results.A, B: withoutOther(results.B) };
  }
}

function plannedFor({ session }: ComparedTarget, choice: Parameters<typeof plannedAt>[0]): Plan {
  const plan = plannedAt(choice);
  const claimed = session.ics === undefined ? plan : applyIcs(plan, session.ics);
  return overWire(claimed, bindingOf(session.description.url)?.wire ?? 'HTTP');
}

const withoutOther = (result: ScenarioResult): ScenarioResult => ({
  ...result,
  steps: result.steps.filter((step) => !isReadBack(step)),
});

type RunnerContext = Pick<RunnerOptions, 'signal' | 'readBack'>;

function runnerAt({ side, session, run }: ComparedTarget, plan: Plan, running: RunnerContext): ScenarioRunner {
  const { installations, liveness, tidy } = session;
  if (installations === undefined) throw new TypeError(`${side} has a CSE for each sequence`);
  return new ScenarioRunner({
    ...{ ...running, plan, installations, run, isRuled: true, notify: () => {} },
    notSent: () => (liveness?.down === undefined ? undefined : notSent),
    ...(liveness && { survival: { liveness, tidy } }),
  });
}

/** Whether it notifies where nobody listens, which a broker between hides from a CSE. */
function awaitsNobody({ inboxes, given, steps }: LoadedScenario): boolean {
  const closed = Object.entries(inboxes).flatMap(([name, { answers }]) => (answers === 'closed' ? [name] : []));
  const text = JSON.stringify([given, steps]);
  return closed.some((name) => text.includes(`\${${name}.`));
}

/** Milliseconds from which a scenario runs after the others. */
const slowFrom = 1000;

function scriptsIn(plans: Both<Plan>): ScenarioPair[] {
  const { took, usual } = shippedDurations();
  const others = new Map(plans.B.scenarios.map((one) => [one.id, one]));
  const isApplicable = ({ inapplicable, leftOut }: LoadedScenario) => (inapplicable ?? leftOut) === undefined;
  // Time never passes equally at two targets.
  const isOne = (one: LoadedScenario) => isApplicable(one) && !isOnTheWire(one) && timeOf(one) === 0;
  const scripts = plans.A.scenarios.flatMap((A): ScenarioPair[] => {
    const B = others.get(A.id);
    return B !== undefined && isOne(A) && isApplicable(B) ? [{ A, B }] : [];
  });
  const turns = new Map<string, number>();
  const ranked = scripts.map((script) => {
    const { id, file } = script.A;
    const turn = (turns.get(file) ?? 0) + 1;
    turns.set(file, turn);
    return { script, turn, isSlow: (took.get(id) ?? usual) >= slowFrom };
  });
  const rankOf = ({ script, turn, isSlow }: (typeof ranked)[number]) =>
    Number(isSlow) + (turn - 0.5) / (turns.get(script.A.file) ?? turn);
  return ranked.sort((a, b) => rankOf(a) - rankOf(b)).map(({ script }) => script);
}
