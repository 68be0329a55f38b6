import type { AnswerView } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { AttemptStep } from '../moves/move.ts';
import type { Action } from './action.ts';

export interface Request {
  readonly does: Action['does'];
  readonly step: AttemptStep;
}

/** Requested attributes that the model knows. */
interface RequestedAttributes {
  readonly rn?: string;
  readonly lbl?: readonly string[];
  readonly mni?: number;
  readonly con?: string;
}

export function requestedIn({ step }: Request): RequestedAttributes {
  return 'attributes' in step ? (step.attributes as RequestedAttributes) : {};
}

/** A request with its answer, and their times. */
export interface Call extends Request {
  /** Undefined for a request sent alone. */
  readonly originator: number | undefined;
  /** Path of its resource; undefined while unknown. */
  readonly path: string | undefined;
  /** Instants of one clock; infinite if no answer says what became of the request. */
  readonly from: number;
  readonly to: number;
  readonly outcome: RequestOutcome;
  readonly view: Pick<AnswerView, 'status' | 'attributes' | 'found'>;
  readonly exchange?: Exchange;
}

/** `failed`: the answer leaves open what became of the request; `unknown`: no answer, or 429 or 503. */
export type RequestOutcome = 'success' | 'refused' | 'failed' | 'unknown';

export interface History {
  /** Prefix of the names at the CSE base. */
  readonly label: string;
  readonly calls: readonly Call[];
}

/** Whether one was answered before the other was sent; a tie counts as concurrent. */
function precedes(one: Pick<Call, 'to'>, other: Pick<Call, 'from'>): boolean {
  return one.to < other.from;
}

/** Pairs of concurrent requests. */
export function overlapsIn({ calls }: History): number {
  let overlaps = 0;
  for (const [at, one] of calls.entries()) {
    for (const other of calls.slice(at + 1)) if (!precedes(one, other) && !precedes(other, one)) overlaps += 1;
  }
  return overlaps;
}
