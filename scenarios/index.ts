/** Entry point of the scenarios: what conformance means, and how it is checked. */

export { pruneBaseline, updateBaseline } from './baseline/edit.ts';
export { type ExplainedEntry, explainBaseline } from './baseline/explain.ts';
export { type Inventory, shippedInventory } from './checking/behaviour.ts';
export {
  type CheckOptions,
  check,
  type ListedScenario,
  type ListedStep,
  listScenarios,
  type PlannedChoice,
  plannedAt,
  requestsOf,
  type ScenarioChoice,
  wholePlan,
} from './checking/check.ts';
export { type CleanedRun, type CleanUpOptions, cleanUp } from './checking/clean-up.ts';
export { type Configuration, configurationOf } from './checking/configuration.ts';
export type { DryRequest, DryRun } from './checking/dry-run.ts';
export { type Fingerprints, fingerprintsOf } from './checking/fingerprints.ts';
export type { TargetChoice } from './checking/open-target.ts';
export { type Problem, renderProblem, ScenarioFilesError } from './engine/basics/diagnostics.ts';
export { type Catalogue, loadRequirements, type Requirement } from './engine/files/catalogue.ts';
export { type AreaCoverage, type Coverage, coverageOf, type Share } from './engine/files/coverage.ts';
export { type Loaded, type LoadedScenario, loadScenarios } from './engine/files/load.ts';
export { type Plan, plan, type Selection } from './engine/files/plan.ts';
export { productNames, productOf, productPath } from './engine/targets/embedded/simulated-products.ts';
export type { FetchChoice, UrlChoice } from './engine/targets/url-choice.ts';
export type {
  ConcurrentEvent,
  ConcurrentResult,
  UnexplainedHistory,
} from './generators/concurrency/concurrent-exploration.ts';
export { type ConcurrentOptions, exploreConcurrent } from './generators/concurrency/explore-concurrent.ts';
export { type DiffOptions, type DiffSide, diff } from './generators/differential/diff.ts';
export type { DiffEvent, Difference, DiffResult } from './generators/differential/difference.ts';
export type { Counterexample, ExploreEvent, ExploreResult } from './generators/exploring/exploration.ts';
export { explore } from './generators/exploring/explore.ts';
export type { ExploreOptions } from './generators/search/explore-options.ts';
export { exploreWire, type WireOptions } from './generators/wire/explore-wire.ts';
export type { WireCounterexample, WireEvent, WireResult } from './generators/wire/wire-exploration.ts';
export { type LintResult, lint } from './lint.ts';
export { drawnSettingsOf, drawnTableOf } from './mutants/drawn/drawn-table.ts';
export { type DrawnOptions, drawn } from './mutants/drawn.ts';
export {
  chosenDeviations,
  deviationsToFind,
  type GeneratedOptions,
  generated,
  type MutantsOptions,
  mutants,
} from './mutants/mutants.ts';
export type { Progress } from './mutants/scoring/deviation-work.ts';
export { chooseDeviations } from './mutants/scoring/scope.ts';
export { Judge } from './oracle/judge.ts';
export { rulesOf } from './oracle/rules.ts';
export { type Finding, type FoundTarget, type ProbeResult, topics as probeTopics } from './probe/finding.ts';
export { probe } from './probe/probe.ts';
export type { Paces } from './probe/target-file-lines.ts';
export { targetFileText } from './probe/target-file-text.ts';
export type { Fitted } from './profile/fit.ts';
export { type ProfileOptions, profile, typesDenied } from './profile/profile.ts';
export { type Recorder, type RecordOptions, record } from './recording/record.ts';
export * from './results.ts';
export {
  type RobustnessEvent,
  type RobustnessOptions,
  type RobustnessResult,
  robustness,
} from './robustness/robustness.ts';
export type { CaseResult, RobustnessVerdict } from './robustness/run-case.ts';
export type { SafetyChoice } from './safety/run-safety.ts';
export { type JudgeTrafficOptions, judgeReport, judgeTraffic } from './traffic/judge-traffic.ts';
export * from './words.ts';
