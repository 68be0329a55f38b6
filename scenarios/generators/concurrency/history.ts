import type { AnswerView } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { AttemptStep } from '../moves/move.ts';
import type { Action } from './action.ts';

export interface Request {
  readonly does: Action['does'];
  readonly step: AttemptStep;
}

/** What a request asks for in the attributes by which the model goes. */
interface RequestedAttributes {
  readonly rn?: string;
  readonly lbl?: readonly string[];
  readonly mni?: number;
  readonly con?: string;
}

export function requestedIn({ step }: Request): RequestedAttributes {
  return 'attributes' in step ? (step.attributes as RequestedAttributes) : {};
}

/** One request with its answer, and when they went and came. */
export interface Call extends Request {
  /** Undefined for what was asked while nobody else asked anything. */
  readonly originator: number | undefined;
  /** Of what it speaks of or creates; undefined where nobody has told it. */
  readonly path: string | undefined;
  /** Instants of one and the same clock; infinite where no answer came that tells what became of the request. */
  readonly from: number;
  readonly to: number;
  readonly outcome: RequestOutcome;
  readonly view: Pick<AnswerView, 'status' | 'attributes' | 'found'>;
  readonly exchange?: Exchange;
}

/** `failed`: an answer that leaves open what became of the request; `unknown`: none, or one that asks for patience. */
export type RequestOutcome = 'success' | 'refused' | 'failed' | 'unknown';

export interface History {
  /** By which the names begin at the CSE base. */
  readonly label: string;
  readonly calls: readonly Call[];
}

/** Whether one was answered before the other was asked; on a tie they count as asked at the same time. */
function precedes(one: Pick<Call, 'to'>, other: Pick<Call, 'from'>): boolean {
  return one.to < other.from;
}

/** Pairs of requests that were under way at the same time. */
export function overlapsIn({ calls }: History): number {
  let overlaps = 0;
  for (const [at, one] of calls.entries()) {
    for (const other of calls.slice(at + 1)) if (!precedes(one, other) && !precedes(other, one)) overlaps += 1;
  }
  return overlaps;
}
