import { Evidence } from '../../../oracle/evidence.ts';
import { Judge, type JudgeOptions } from '../../../oracle/judge.ts';
import { type LoadedRule, rulesFor } from '../../../oracle/rules.ts';
import { defined } from '../../basics/defined.ts';
import { getOrAdd } from '../../basics/memoize.ts';
import { levelsOf } from '../../files/levels.ts';
import type { LoadedCheck, LoadedScenario } from '../../files/load.ts';
import type { Plan } from '../../files/plan.ts';
import { permittedBy } from '../../grammar/vocabulary.ts';
import { faultOf, notRun } from '../../judging/scenario-state.ts';
import type { CheckLevel, ScenarioResult } from '../../results/result.ts';
import { ConnectionSlots } from '../../targets/exchanging/load-limits.ts';
import { keptText } from '../../targets/exchanging/record.ts';
import { type Installation, withTargets } from '../../targets/installation.ts';
import { deliveredBy, deliveryOf, deliveryTrials, dependsOnDelivery, type NotificationWay } from './delivery.ts';
import type { Installations, Survival } from './installations.ts';
import { Registrant, runRegistering } from './registrant.ts';
import { byOneOriginator, registrationsOf } from './registrations.ts';
import type { ScenarioContext } from './scenario-context.ts';
import { runScenario } from './scenario-run.ts';
import { StepResults } from './step-results.ts';

export interface RunnerOptions
  extends Required<Pick<ScenarioContext, 'run' | 'signal' | 'notSent'>>,
    Pick<ScenarioContext, 'ask'> {
  readonly plan: Plan;
  readonly installations: Installations;
  /** Absent for a target in the process of the harness. */
  readonly survival?: Survival | undefined;
  /** Whether rules check each exchange. */
  readonly isRuled: boolean;
  /** Present where the remaining trees are compared. */
  readonly readBack?: () => ScenarioContext['readBack'];
  /** Reports to the user at once. */
  readonly notify: (notice: string) => void;
}

/** Runs a scenario on an installation that meets its needs; never rejects. */
export class ScenarioRunner {
  readonly #options: RunnerOptions;
  /** For scenarios that register with a shared identity. */
  readonly #turns = new Map<Installation, ConnectionSlots>();
  /** A person is asked one question at a time. */
  readonly #asking = new ConnectionSlots(1);
  readonly #registrants = new Map<Installation, Registrant>();
  readonly #deliveries = new Map<Installation, Promise<NotificationWay>>();
  readonly #kept = keptText();
  #rules: readonly LoadedRule[] | undefined;
  /** Exchanges that rules checked. */
  readonly evidence = new Evidence();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#levelOf = levelsOf(options.plan.catalogue, options.plan);
  }

  /** `number` makes its names unique in the run. */
  run(scenario: LoadedScenario, number: number): Promise<ScenarioResult> {
    return this.#chooseAndRun(scenario, number)
      .catch((error: unknown) => faultOf(scenario, error))
      .then(this.#kept);
  }

  /** Findings about the targets that are no deviations. */
  async notes(): Promise<string[]> {
    const found = await Promise.all(this.#deliveries.values());
    const notices = [...this.#registrants.values()].flatMap((registrant) => registrant.notices);
    return [...notices, ...[...new Set(found)].flatMap((delivery) => deliveryNotes.get(delivery) ?? [])];
  }

  /** Why nobody could register with the shared originator. */
  get inUse(): string | undefined {
    const [first] = [...this.#registrants.values()].flatMap((registrant) => [...registrant.inUse.values()]);
    return first;
  }

  async #chooseAndRun(scenario: LoadedScenario, number: number): Promise<ScenarioResult> {
    if (scenario.inapplicable !== undefined) return notApplicable(scenario, scenario.inapplicable, this.#levelOf);
    if (scenario.leftOut !== undefined) return notApplicable(scenario, scenario.leftOut, this.#levelOf, 'left out');
    const { installations } = this.#options;
    const offer = installations.choose(scenario.needs, isOnTheWire(scenario));
    if ('lacking' in offer) return notApplicable(scenario, offer.lacking, this.#levelOf);
    const { installation, end } = await installations.use(offer);
    return this.#runDelivered(installation, scenario, number).finally(end);
  }

  async #runDelivered(installation: Installation, scenario: LoadedScenario, number: number): Promise<ScenarioResult> {
    if (!dependsOnDelivery(scenario, installation)) return this.#runOn(installation, scenario, number);
    const delivery = await getOrAdd(this.#deliveries, installation, () => this.#tryDelivery(installation));
    const delivered = deliveredBy(scenario, delivery, installation);
    const isUnreachable = installation.inboxes?.listens === false && delivered === scenario;
    if (isUnreachable) return notApplicable(scenario, unreachableHarness, this.#levelOf);
    return this.#runOn(installation, delivered, number);
  }

  async #runOn(
    installation: Installation,
    written: LoadedScenario,
    number: number,
    isRuled = this.#options.isRuled,
  ): Promise<ScenarioResult> {
    const { originator } = installation;
    const scenario = byOneOriginator(written, installation);
    const { atOnce, withCertificate } = registrationsOf(scenario, installation.dialect);
    const shared = originator === undefined ? 0 : atOnce;
    const several = `needs several application entities at the same time; here all requests carry the originator ${originator}, with which only one can register`;
    if (shared > 1) return notApplicable(scenario, several, this.#levelOf);
    if (shared === 0 && !withCertificate) return runScenario(scenario, number, this.#contextFor(installation, isRuled));
    const { notify } = this.#options;
    const registrant = getOrAdd(this.#registrants, installation, () => new Registrant(installation, notify));
    return getOrAdd(this.#turns, installation, () => new ConnectionSlots(1)).use(() =>
      runRegistering(scenario, number, registrant, (one) => this.#contextFor(one, isRuled)),
    );
  }

  /**
   * How the target delivers notifications; tried once, for the first scenario that depends on it, and again if it died meanwhile.
   * Violations in it are not reported, so that rules do not count its exchanges.
   */
  async #tryDelivery(installation: Installation): Promise<NotificationWay> {
    for (const trial of deliveryTrials(installation)) {
      const delivery = deliveryOf(await this.#runOn(installation, trial, 0, false));
      if (this.#options.notSent() !== undefined) this.#deliveries.delete(installation);
      if (delivery !== 'nothing') return delivery;
    }
    return 'nothing';
  }

  /** Watches every request for the death of the target. */
  #contextFor(installation: Installation, isRuled: boolean): ScenarioContext {
    const { run, signal, notSent, survival, ask: askPerson } = this.#options;
    const ask: ScenarioContext['ask'] = askPerson && ((...all) => this.#asking.use(() => askPerson(...all)));
    const readBack = this.#options.readBack?.();
    const shared = { run, levelOf: this.#levelOf, signal, judge: this.#judgeOf(installation, isRuled), readBack, ask };
    if (survival === undefined) return { ...shared, installation };
    const watched = withTargets(installation, (target) => survival.liveness.watch(target));
    return { ...shared, installation: watched, notSent };
  }

  #judgeOf({ dialect, has }: Installation, isRuled: boolean): (names: JudgeOptions['names']) => Judge | undefined {
    const { plan } = this.#options;
    if (isRuled) this.#rules ??= rulesFor(dialect, plan);
    const rules = (isRuled && this.#rules) || [];
    const demandsCertificate = has.has('certificate required');
    const looksAtPolicies = has.has('access control');
    const about = { demandsCertificate, looksAtPolicies, levelOf: this.#levelOf, onRule: this.evidence.note };
    return (names) => (rules.length === 0 ? undefined : new Judge({ rules, dialect, names, ...about }));
  }

  readonly #levelOf: (requirement: string) => CheckLevel;
}

const unreachableHarness =
  'needs a target that can send to this harness, since it does not deliver this otherwise. Give --inbox-host HOST, the name by which it finds it';

const deliveryNote = 'notifications are checked as this target delivers them:';
const deliveryNotes: ReadonlyMap<NotificationWay, string> = new Map([
  ['point of access', `${deliveryNote} to an application entity with a point of access (poa), not to a URL in nu`],
  ['connection', `${deliveryNote} over the connections of application entities, which have no point of access`],
  ['polling channel', `${deliveryNote} through polling channels, since nothing has come over HTTP`],
]);

/**
 * The result of a scenario that is not run: the target lacks one of its needs, or it is known to damage a deployed
 * CSE.
 */
function notApplicable(
  scenario: LoadedScenario,
  reason: string,
  levelOf: (requirement: string) => CheckLevel,
  kind: 'not applicable' | 'left out' = 'not applicable',
): ScenarioResult {
  const { byChoice, denied } = scenario;
  const results = new StepResults(new Map(), levelOf);
  const steps = scenario.steps.map((loaded) => {
    const { problem: _, checks, ...step } = results.unsent({ ...loaded, phase: 'step' }, { reason, kind });
    return { ...step, checks: checks.map((check) => ({ ...check, ...defined({ byChoice, denied }) })) };
  });
  return notRun(scenario, kind, reason, steps);
}

/** Headers of HTTP itself, whatever answers. */
const headersOfHttp = ['content-length', 'transfer-encoding', 'connection', 'date'];

/** Whether a scenario prescribes the bytes or the connection of a request, or checks such things. */
export function isOnTheWire({ given, steps }: Pick<LoadedScenario, 'given' | 'steps'>): boolean {
  return [...given, ...steps].some(
    ({ step, checks }) => 'raw' in step || ('over' in step && step.over !== undefined) || checks.some(looksAtHttp),
  );
}

function looksAtHttp({ check }: LoadedCheck): boolean {
  return permittedBy(check).some(({ header = {} }) =>
    Object.keys(header).some((name) => headersOfHttp.includes(name.toLowerCase())),
  );
}
