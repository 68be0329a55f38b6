import type { DrawnDeviation } from '../../../sim/deviations/drawn/drawn-deviation.ts';
import { isWire, type WireWorld } from '../../../sim/deviations/drawn/operators.ts';
import { isForListener } from '../../../sim/deviations/drawn/variation-rows.ts';
import type { DeviationFacts } from '../../../sim/deviations/index.ts';
import { type CheckOptions, check } from '../../checking/check.ts';
import { isObject } from '../../engine/basics/body.ts';
import { defined } from '../../engine/basics/defined.ts';
import { lazy } from '../../engine/basics/memoize.ts';
import { ownValue } from '../../engine/basics/own-value.ts';
import type { Requirement } from '../../engine/files/catalogue.ts';
import { type Loaded, loadScenarios } from '../../engine/files/load.ts';
import { type Plan, plan } from '../../engine/files/plan.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { emptyView, viewOf } from '../../engine/judging/answer.ts';
import { show } from '../../engine/messages/display.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { RequirementResult } from '../../engine/results/requirement-result.ts';
import type { RunResult } from '../../engine/results/result.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { run } from '../../engine/running/run.ts';
import { openEmbedded } from '../../engine/targets/embedded/open-embedded.ts';
import { startListening } from '../../engine/targets/embedded/pairs.ts';
import type { EmbeddedChoice } from '../../engine/targets/embedded/reference-cse.ts';
import { causesOf } from '../../oracle/causes/causes.ts';
import { scenariosAbout } from './scope.ts';
import type { Violation } from './tables.ts';

/** A simulator with one deviation, and what runs against it, for a worker. */
export interface DeviationTask {
  readonly deviation: DeviationFacts;
  /** Of the violated requirement. */
  readonly level: Requirement['level'];
  readonly dialect: Dialect;
  /** Absolute paths of the scenario files, and how many scenarios the dialect has. */
  readonly files: readonly string[];
  readonly possible: number;
}

/** What the harness detected, from a worker. */
export interface Detection {
  /** By cause, the leading requirement of each before the others. */
  readonly violations: readonly Violation[];
  /** The leading requirement of each cause. */
  readonly causes: readonly string[];
  /** Scenarios that were run. */
  readonly scenarios: number;
  /** What the harness could not do, as sentences. */
  readonly troubles: readonly string[];
  /** Milliseconds. */
  readonly took: number;
}

/** Concurrent scenarios: while one waits for a notification others run. */
const jobs = 8;
/** Milliseconds for each request: a CSE gives up at an unreachable receiver after 5 s, and answers then. */
const timeout = 10_000;

/** Checks the simulator with one deviation, in every installation and in virtual time; if requested, by rules, too. */
export function detect(task: Omit<DeviationTask, 'possible'>, { rules = false } = {}): Promise<Detection> {
  const { deviation, dialect, files } = task;
  const chosen = plan(loadedFrom(files), { dialect, ownFiles: true });
  return result({ deviations: [deviation.id] }, chosen, rules).then(detectionOf);
}

/** The same by every scenario of the dialect and every rule. */
export function detectByAll(what: DrawnVariant, dialect: Dialect): Promise<Detection> {
  if (isWire(what.world)) return detectOver(what.world, what, dialect, deviating);
  return result(what, plan(all(), { dialect }), true).then(detectionOf);
}

/** Permitted variations: as a live target, if only the wire or a client of one shows them. Nothing of the run may fail. */
export async function checkSound({ variations = [] }: Variant, dialect: Dialect, wire?: WireWorld): Promise<Detection> {
  if (wire !== undefined) return detectOver(wire, { variations }, dialect);
  if (!isForListener(variations))
    // As `check` does: failures on a busy machine are retried.
    return withExit(await result({ variations }, plan(all(), { dialect }), true, true));
  return detectOver(undefined, { variations }, dialect);
}

/**
 * A deviation of a binding may cost every answer, so a few failed scenarios are enough. They fail because of the deviation: a retry
 * would only take time, and excuse what another exchange reports.
 */
const deviating = { maxFail: 3, again: false };

/** As a live target, over the wire if one is named. Deviations are checked by scenarios about them, then by all if these find nothing. */
async function detectOver(
  wire: WireWorld | undefined,
  { deviations, variations }: DrawnVariant,
  dialect: Dialect,
  limits: Pick<CheckOptions, 'maxFail' | 'again'> = {},
): Promise<Detection> {
  const { target, close } = await startListening(dialect, defined({ deviations, variations }), wire);
  const checked = (ids: readonly string[] = []) =>
    lastOf(check({ target, dialect, ids, jobs, timeout, rules: true, ...limits }));
  try {
    if (deviations === undefined) return withExit(await checked());
    const soon = detectionOf(await checked(scenariosAbout(deviations, dialect)));
    return soon.violations.length > 0 ? soon : detectionOf(await checked());
  } finally {
    await close();
  }
}

/** Any exit code other than 0 is an alarm. */
function withExit(whole: RunResult): Detection {
  const detection = detectionOf(whole);
  const { code, reason } = whole.exit;
  if (code === 0 || detection.violations.length > 0 || detection.troubles.length > 0) return detection;
  const requirement = `exit code ${code}`;
  const failure = { requirement, scenario: 'the whole run', expected: ['exit code 0'], actual: reason };
  return { ...detection, violations: [failure], causes: [requirement] };
}

type Variant = Pick<EmbeddedChoice, 'deviations' | 'variations' | 'world'>;

/** Without those that are named by an id. */
type DrawnVariant = Omit<Variant, 'deviations'> & { readonly deviations?: readonly DrawnDeviation[] };

function result(what: Variant, chosen: Plan, rules: boolean, again = false): Promise<RunResult> {
  const { dialect } = chosen;
  const open = (startedAt: number) =>
    openEmbedded({ kind: 'embedded', ...what, hasty: true, dialect, connections: jobs, timeout, startedAt });
  return lastOf(run(chosen, open, { jobs, again, rules }));
}

/** Read once: a worker gets very many tasks. */
const all = lazy(() => loadScenarios());

function loadedFrom(files: readonly string[]): Loaded {
  const { scenarios, catalogue } = all();
  const requested = new Set(files);
  return { scenarios: scenarios.filter(({ file }) => requested.has(file)), catalogue };
}

function detectionOf(whole: RunResult): Detection {
  const { requirements, scenarios, exit, took } = whole;
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  const stated = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const causes = causesOf(whole).filter(({ verdict }) => verdict === 'violated');
  const named = causes.flatMap(({ requirement, others }) => [requirement, ...others]);
  const violations = named.flatMap((id) => stated.get(id) ?? []).map(violationOf);
  const faulty = scenarios.filter(({ state }) => state === 'fault');
  const run = scenarios.filter(({ state }) => state !== 'not applicable' && state !== 'left out' && state !== 'fault');
  const troubles = [
    ...faulty.map(({ id, reason = 'the harness failed' }) => `${id}: ${reason}`),
    ...(exit.code === 3 && faulty.length === 0 ? [exit.reason] : []),
  ];
  return { violations, causes: causes.map(({ requirement }) => requirement), scenarios: run.length, troubles, took };

  function violationOf({ id: requirement, violations: [first] }: RequirementResult): Violation {
    const step = first && byId.get(first.scenario)?.steps[first.step];
    const { expected = [], actual = '' } = (first && step?.checks[first.check]) ?? {};
    return { requirement, scenario: first?.scenario ?? '', expected, actual: `${actual}${reasonIn(step?.exchange)}` };
  }
}

/** The reason of a refusal, as the report shows it with the answer. */
function reasonIn(exchange: Exchange | undefined): string {
  const { body } = exchange === undefined ? emptyView : viewOf(exchange);
  const says = isObject(body) ? ownValue(body, 'm2m:dbg') : undefined;
  return typeof says === 'string' ? `; the answer says ${show(says)}` : '';
}
