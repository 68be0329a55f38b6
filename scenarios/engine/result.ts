/**
 * What a run yields: events while it goes on, and one result at its end.
 * Reporters know these types and nothing else of the engine.
 */

import type { Exchange, NotificationsSeen, ReceivedRequest } from './exchange.ts';

/** Where a check or step stands in a scenario file; line and column count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `not applicable`: the target has not what the check is about. */
export type CheckState = 'passed' | 'failed' | 'not testable' | 'not applicable' | 'fault';

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
  readonly place: Place;
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

/** `blocked`: a prerequisite failed, so that something could not be judged. */
export type ScenarioState =
  | 'passed'
  | 'failed'
  | 'blocked'
  | 'not testable'
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
  readonly took: number;
}

/** The six verdicts on a requirement, `observed` for a gap, and `advisory` for what would be violated in another dialect. */
export type Verdict =
  | 'violated'
  | 'advisory'
  | 'satisfied'
  | 'observed'
  | 'not testable'
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
  readonly gaps: readonly GapObservation[];
}

export interface TargetDescription {
  /** `embedded` (own CSE on a socket), `in-process` (own CSE without one), `url` (somebody's), `played` (the harness itself). */
  readonly kind: 'embedded' | 'in-process' | 'url' | 'played';
  readonly url: string;
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
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

/** 0 conformant, 1 violated, 2 usage, 3 unreachable or harness fault, 4 inconclusive, 130 interrupted. */
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
  readonly summary: RunSummary;
  readonly exit: Exit;
}

export type RunEvent =
  | { readonly type: 'run started'; readonly run: string; readonly target: TargetDescription; readonly planned: number }
  | { readonly type: 'scenario started'; readonly id: string; readonly title: string }
  | { readonly type: 'scenario finished'; readonly result: ScenarioResult }
  | { readonly type: 'run finished'; readonly result: RunResult };
