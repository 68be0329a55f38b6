/**
 * What a run yields: events while it goes on, and one result at its end.
 * Reporters know these types and nothing else of the engine.
 */

import type { Exchange, NotificationsSeen, ReceivedRequest } from './messages/exchange.ts';

/** Where a check or step stands in a scenario file; line and column count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * `not applicable`: the target has not what the check is about. `lost`: the target was dead when it should have answered.
 * `left out`: what it asks for is known to corrupt or kill a deployed CSE, and was not sent.
 */
export type CheckState = 'passed' | 'failed' | 'lost' | 'not testable' | 'left out' | 'not applicable' | 'fault';

/** What a check weighs in the run: that of its requirement, or `advisory`, where that speaks of another dialect. */
export type CheckLevel = 'documented' | 'gap' | 'standard' | 'advisory';

export interface CheckResult {
  readonly requirement: string;
  readonly state: CheckState;
  /** Each permitted outcome as a sentence, with its source where the check gives several. */
  readonly expected: readonly string[];
  /** What the target did, as a sentence. */
  readonly actual: string;
  /** For `not testable`, `not applicable` and `fault`: why. */
  readonly reason?: string;
  /** The name of the permitted outcome that was taken, where the check names them. */
  readonly variant?: string;
  /** A `failed` check of a gap only says that the target differs from our reference CSE; an advisory one is only told. */
  readonly level?: CheckLevel;
  /** For `not testable`: true when nothing is missing that could have been seen (an optional value, a socket). */
  readonly excused?: boolean;
  /** For `not applicable`: true when the run left it out by choice, whatever the target has. */
  readonly byChoice?: boolean;
  /** Of a gap: whether the reference CSE was seen to do the same here; absent where that is not known. */
  readonly asReference?: boolean;
  /** For `not applicable`: true when the conformance statement of the target says so. */
  readonly denied?: boolean;
  /** For `failed`: true when it passed as the scenario ran once more, alone. */
  readonly intermittent?: boolean;
  /** For `failed`: true where no check of the scenario looks at it, but a rule that holds for every exchange. */
  readonly byRule?: true;
  /** For `failed`: the entry of the baseline that speaks of this failure. */
  readonly known?: KnownDeviation;
  readonly place: Place;
}

/** What people wrote in a baseline about a failure. */
export interface KnownDeviation {
  readonly reason?: string;
  readonly ticket?: string;
  readonly owner?: string;
  /** The last day on which it is excused, such as `2027-03-31`. */
  readonly expires?: string;
}

export interface StepResult {
  /** `given` steps prepare, `cleanup` steps remove what the scenario created. */
  readonly phase: 'given' | 'step' | 'cleanup';
  /** Such as `create container in /onem2m/…`. */
  readonly title: string;
  readonly note?: string;
  readonly place?: Place;
  /** Absent for the gateway, or the only CSE. */
  readonly on?: 'backend';
  /** Absent when the step was not sent. */
  readonly exchange?: Exchange;
  /** What a step that waits for a request got. */
  readonly received?: ReceivedRequest;
  /** What a step that looks into an inbox found there. */
  readonly notifications?: NotificationsSeen;
  /** How a step let time pass. */
  readonly passed?: { readonly duration: string; readonly how: 'virtual' | 'waited' };
  readonly checks: readonly CheckResult[];
  /** Why the step was not sent, or why what follows is blocked. */
  readonly problem?: string;
}

/** `blocked`: a prerequisite failed, so that something could not be judged. `lost`: the target was dead. */
export type ScenarioState =
  | 'passed'
  | 'failed'
  | 'lost'
  | 'blocked'
  | 'not testable'
  | 'left out'
  | 'not applicable'
  | 'fault'
  | 'interrupted';

export interface ScenarioResult {
  /** Path of the file without its ending, and the scenario's key: `documented/ae/registers`. */
  readonly id: string;
  readonly feature: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly place: Place;
  /** Name of the installation on which it ran; absent when none has what it needs. */
  readonly installation?: string;
  readonly state: ScenarioState;
  readonly reason?: string;
  readonly steps: readonly StepResult[];
  /** Paths of what could not be removed. */
  readonly leftBehind: readonly string[];
  /** What became of a failed scenario when it ran once more, alone. */
  readonly again?: ScenarioState;
  /** Milliseconds. */
  readonly took: number;
}

/**
 * The verdicts on a requirement: `intermittent` where every failed check passed once more alone, `observed` for a gap,
 * `advisory` for what would be violated in another dialect, `lost` where the target was dead when it should have answered, and
 * `left out` for what was not sent, since it is known to damage a deployed CSE.
 */
export type Verdict =
  | 'violated'
  | 'intermittent'
  | 'advisory'
  | 'satisfied'
  | 'observed'
  | 'lost'
  | 'not testable'
  /** It could have been judged, and no exchange was about it. */
  | 'not asked'
  | 'left out'
  | 'not applicable'
  | 'excluded'
  | 'harness fault';

/** Points at one check: scenario id, index of the step in it, index of the check in that. */
export interface CheckReference {
  readonly scenario: string;
  readonly step: number;
  readonly check: number;
}

/** What a target does where the specification leaves something open. */
export interface GapObservation extends CheckReference {
  /** What the target did. */
  readonly actual: string;
  /** True when it is what this project's reference CSE does. */
  readonly asReference: boolean;
  readonly variant?: string;
}

export interface RequirementResult {
  readonly id: string;
  readonly level: 'documented' | 'gap' | 'standard';
  readonly section: string;
  readonly source: string;
  readonly says: string;
  readonly verdict: Verdict;
  /** Number of checks that passed. */
  readonly observations: number;
  /** Test purposes of the conformance suite that it answers. */
  readonly answers?: readonly string[];
  /** For every verdict but satisfied, violated, advisory and observed: why. */
  readonly reason?: string;
  /** Checks that failed; of a gap none. */
  readonly violations: readonly CheckReference[];
  /** True when the baseline knows every failure of a violated or intermittent requirement. */
  readonly known?: boolean;
  /** True when no client of any target can see it; the catalogue says why. */
  readonly untestable?: boolean;
  /** True when it is not applicable, as the conformance statement of the target says. */
  readonly denied?: boolean;
  readonly gaps: readonly GapObservation[];
}

/** Exchanges that could have broken a requirement by a rule. */
export interface RuleEvidence {
  readonly exchanges: number;
  /** How many of them were of each kind, by what they differ in, such as the form of the address. */
  readonly by: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface TargetDescription {
  /**
   * `embedded` (own CSE on a socket), `in-process` (own CSE without one), `url` (somebody's), `played` (the harness itself), `recorded`
   * (nothing was sent: what others sent to it was judged).
   */
  readonly kind: 'embedded' | 'in-process' | 'url' | 'played' | 'recorded';
  readonly url: string;
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
  /** Of the product, as its target file says. */
  readonly product?: string;
  readonly version?: string;
}

/** One way in which the target is installed. */
export interface InstallationDescription {
  readonly name: string;
  /** What scenarios can need and this has. */
  readonly has: readonly string[];
  readonly gateway: TargetDescription;
  /** The other CSE of a pair, or the harness in its place. */
  readonly backend?: TargetDescription;
  /** Sent with every request that does not present another certificate. */
  readonly originator?: string;
}

/** 0 no deviation in what was checked, 1 violated, 2 usage, 3 unreachable or harness fault, 4 inconclusive, 130 interrupted. */
export interface Exit {
  readonly code: 0 | 1 | 2 | 3 | 4 | 130;
  readonly reason: string;
}

export interface RunSummary {
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Checks of requirements that count; what a gap shows, and what only advises, is told by the requirements. */
  readonly checks: Readonly<Record<CheckState, number>>;
  readonly scenarios: Readonly<Record<ScenarioState, number>>;
  readonly requests: number;
}

/** One line of an implementation conformance statement. */
export interface Claim {
  /** Such as `PICS_GRP`. */
  readonly id: string;
  readonly name: string;
  readonly claim: 'yes' | 'no' | 'unknown';
}

/** What a live target held before and after a run, as far as it tells. */
export interface Survey {
  /** Number of resources found before and after. */
  readonly before: number;
  readonly after: number;
  /** Paths of what the run created and the target still has. */
  readonly left: readonly string[];
  /** Number of resources that came or went and are not of this run. */
  readonly others: number;
  /** Why the target could not be looked at, or not as a whole. */
  readonly reason?: string;
  /** How the target fails to be looked at after the run, though it did not before. */
  readonly damaged?: string;
  /** How it failed before the run already. */
  readonly unsound?: string;
  /** Names of what earlier runs have left there. */
  readonly earlier?: readonly string[];
}

/** A request that was under way when the target died. No answer to it came. */
export interface LostRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly path: string;
  /** Scenario id. */
  readonly scenario: string;
  /** Index of the step in the scenario, as its result tells it. */
  readonly step: number;
  readonly curl: string;
}

/** What a dead target does: nobody listens, nothing is answered, every connection is closed, or a proxy says that it is gone. */
export type DeathKind = 'died' | 'hangs' | 'closes' | 'unavailable';

/** The target stopped answering anything at all. */
export interface Death {
  readonly kind: DeathKind;
  /** Milliseconds since the start of the run. */
  readonly at: number;
  /** What was under way, in the order of the plan. */
  readonly inFlight: readonly LostRequest[];
  /** The one after which the target died: again when its scenario ran alone (`again`), or the only one under way (`alone`). */
  readonly culprit?: LostRequest & { readonly seen: 'again' | 'alone' };
  /** Milliseconds until it answered again; absent where it did not. */
  readonly backAfter?: number;
  /** Whether the command of the user was run to bring it back. */
  readonly restarted?: true;
}

/** An entry of a baseline that cannot stand: the run is red for it. */
export interface BaselineProblem {
  /** `stale`: it passes now. `unknown`: there is no such check or requirement. */
  readonly kind: 'stale' | 'expired' | 'unknown';
  readonly scenario: string;
  readonly requirement: string;
  /** As a sentence. */
  readonly says: string;
}

export interface BaselineOutcome {
  readonly file: string;
  /** Failed checks that it excuses. */
  readonly known: number;
  readonly problems: readonly BaselineProblem[];
}

/** What of a run can make it red, beside what always does. */
export const failures = ['violations', 'intermittent', 'advice', 'untestable', 'left-behind'] as const;
export type Failure = (typeof failures)[number];

/** By what a run is judged; merged and compared reports need to know. */
export interface Strictness {
  /** `standard`: what the standard demands counts in the documented dialect as well. */
  readonly level: 'documented' | 'standard';
  readonly failOn: readonly Failure[];
  /** So many checks have to pass before a requirement counts as satisfied. */
  readonly minEvidence: number;
}

export interface RunResult {
  readonly tool: { readonly name: 'cselab'; readonly version: string };
  readonly specification: string;
  /** How the target is spoken to. */
  readonly dialect: 'documented' | 'onem2m';
  readonly run: string;
  readonly startedAt: string;
  /** Milliseconds. */
  readonly took: number;
  /** The main installation. */
  readonly target: TargetDescription;
  /** Those that scenarios ran on, the main one first. */
  readonly installations: readonly InstallationDescription[];
  readonly scenarios: readonly ScenarioResult[];
  readonly requirements: readonly RequirementResult[];
  /** By requirement, what rules looked at; absent where they judged nothing. */
  readonly evidence?: Readonly<Record<string, RuleEvidence>>;
  readonly strictness: Strictness;
  /** The part of the plan that was run, where it was divided: the first is 1. */
  readonly shard?: {
    readonly index: number;
    readonly count: number;
    /** The same for all parts of a plan that was divided in the same way. */
    readonly division?: string;
  };
  /** What was taken for granted of a target that no file describes, as sentences. */
  readonly assumed?: readonly string[];
  /** Its implementation conformance statement. */
  readonly statement?: readonly Claim[];
  /** What is worth knowing and no deviation, such as what works though it is denied. */
  readonly notes?: readonly string[];
  readonly survey?: Survey;
  /** Each time when the target died, in order; absent where it never did. */
  readonly deaths?: readonly Death[];
  readonly baseline?: BaselineOutcome;
  readonly summary: RunSummary;
  readonly exit: Exit;
}

export type RunEvent =
  | { readonly type: 'run started'; readonly run: string; readonly target: TargetDescription; readonly planned: number }
  | { readonly type: 'scenario started'; readonly id: string; readonly title: string }
  | { readonly type: 'scenario finished'; readonly result: ScenarioResult }
  | { readonly type: 'target died'; readonly death: Death }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'target back'; readonly death: Death }
  | { readonly type: 'run finished'; readonly result: RunResult };
