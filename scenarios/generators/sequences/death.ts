/** The death of the target in a sequence: a finding as a deviation is, though no requirement speaks of it. */
import { summaryOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { CheckResult } from '../../engine/results/result.ts';
import type { LostRequest } from '../../engine/results/run-context.ts';
import { wasUnderWay } from '../../engine/targets/liveness.ts';
import type { Demand } from './rule-judges.ts';
import type { SequenceFailure, SequenceOutcome } from './sequence-run.ts';

/** What the sequence that kills the target does not keep. */
export const staysAlive: Demand = { requirement: 'cselab.target', check: {} };

/** In the place of a requirement. */
export const aliveRequirement = { id: staysAlive.requirement, says: 'The target stays alive, whatever it is sent.' };

/** What came of the request that killed the target, in the words of a check. */
export function diedOf({ exchange }: SequenceFailure): Pick<CheckResult, 'expected' | 'actual'> {
  return {
    expected: ['an answer, and a target that goes on'],
    actual: `${summaryOf(exchange)}; the target died of it`,
  };
}

/** What a dead target has left unanswered is a suspect; what never came to it is not. */
export function deathOf(exchange: Exchange): SequenceFailure | undefined {
  return wasUnderWay(exchange) ? { expected: staysAlive, exchange } : undefined;
}

export function isDeath(failure: SequenceFailure | undefined): failure is SequenceFailure {
  return failure?.expected.requirement === staysAlive.requirement;
}

/** The last request of a sequence, as a run of scenarios tells one that was under way. */
export function lostIn(path: string, { failure, performed }: SequenceOutcome): LostRequest[] {
  return isDeath(failure) ? [lostRequest(failure.exchange, path, performed.length)] : [];
}

/** `sent`: so many requests of the sequence, with this one. */
export function lostRequest({ request, curl }: Exchange, path: string, sent: number): LostRequest {
  const { method, path: sentTo } = request;
  return { method, path: sentTo, scenario: `sequence ${path}`, step: Math.max(0, sent - 1), curl };
}
