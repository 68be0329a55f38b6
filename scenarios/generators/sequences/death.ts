/** The death of the target in a sequence: a finding like a deviation, though no requirement says so. */
import { summaryOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { CheckResult } from '../../engine/results/result.ts';
import type { LostRequest } from '../../engine/results/run-context.ts';
import { wasUnderWay } from '../../engine/targets/liveness.ts';
import type { Demand } from './rule-judges.ts';
import type { SequenceFailure, SequenceOutcome } from './sequence-run.ts';

/** What a sequence that kills the target breaks. */
export const staysAlive: Demand = { requirement: 'cselab.target', check: {} };

/** In place of a requirement. */
export const aliveRequirement = { id: staysAlive.requirement, says: 'The target stays alive, whatever it is sent.' };

/** The request that killed the target, as a check result. */
export function diedOf({ exchange }: SequenceFailure): Pick<CheckResult, 'expected' | 'actual'> {
  const actual = `${summaryOf(exchange)}; the target died of it`;
  return { expected: ['an answer, and a target that goes on'], actual };
}

/** A request that a dead target left unanswered is a suspect; one that never arrived is not. */
export function deathOf(exchange: Exchange): SequenceFailure | undefined {
  return wasUnderWay(exchange) ? { expected: staysAlive, exchange } : undefined;
}

export function isDeath(failure: SequenceFailure | undefined): failure is SequenceFailure {
  return failure?.expected.requirement === staysAlive.requirement;
}

/** The last request of a sequence, as a run of scenarios reports one under way. */
export function lostIn(path: string, { failure, performed }: SequenceOutcome): LostRequest[] {
  return isDeath(failure) ? [lostRequest(failure.exchange, path, performed.length)] : [];
}

/** `sent`: number of requests in the sequence, with this one. */
export function lostRequest({ request, curl }: Exchange, path: string, sent: number): LostRequest {
  const { method, path: sentTo } = request;
  return { method, path: sentTo, scenario: `sequence ${path}`, step: Math.max(0, sent - 1), curl };
}
