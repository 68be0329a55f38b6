import type { Dialect } from '../../engine/grammar/dialects.ts';
import { isSuccess } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { WireCase } from './listed/wire-case.ts';

/** In which way the law is broken. */
type BreachKind = 'success' | 'failure' | 'silence' | 'no HTTP' | 'gone' | 'changed' | 'out of step' | 'split apart';

/** What is not in order about an answer, or about what came after it. */
export interface Breach {
  readonly kind: BreachKind;
  readonly says: string;
  /** The requirement that the target does not keep; `gap` where none says anything of it. */
  readonly requirement: string;
}

type Change = 'no answer' | 'changed' | 'unchanged';

/** Whether malformed bytes have to be refused: a requirement says so that is judged. */
export type Demands = (requirement: string) => boolean;

/**
 * An orderly refusal, or a plain success where the bytes may be taken for well-formed or nobody demands otherwise, within the
 * limit; the next request, on a new connection, is served; and nothing has changed but by what was answered with a success.
 */
export function breachOf(
  wire: WireCase,
  exchange: Exchange,
  change: Change,
  demands: Demands = () => true,
): Breach | undefined {
  const inAnswer = ofAnswer(wire, exchange, demands);
  if (inAnswer !== undefined) return { ...inAnswer, requirement: wire.requirement ?? 'gap' };
  if (change === 'no answer') {
    const says = 'The next request, on a new connection, is not served.';
    return { kind: 'gone', says, requirement: 'http.goes-on' };
  }
  if (change === 'unchanged' || mayChange(wire, exchange)) return undefined;
  const answered = exchange.answer === undefined ? 'without an answer' : `answered by ${exchange.answer.status}`;
  const says = `The request, ${answered}, has changed the tree.`;
  return { kind: 'changed', says, requirement: 'body.refused-stores-nothing' };
}

/** What is malformed and taken nevertheless does what it would do if it were not. */
function mayChange({ nature, creates }: WireCase, exchange: Exchange): boolean {
  if (nature !== 'odd') return isSuccess(exchange);
  return creates && exchange.answer?.status === 201;
}

function ofAnswer(
  { nature, requirement = 'gap' }: WireCase,
  { answer, failure }: Exchange,
  demands: Demands,
): Pick<Breach, 'kind' | 'says'> | undefined {
  if (answer === undefined) {
    if (failure?.kind === 'timeout' && nature !== 'unfinished') {
      return { kind: 'silence', says: `The target neither answers nor closes the connection: ${failure.message}.` };
    }
    if (failure?.kind !== 'malformed') return undefined;
    return { kind: 'no HTTP', says: `What comes back is no HTTP: ${failure.message}.` };
  }
  const { status } = answer;
  if (status === 500) {
    return { kind: 'failure', says: 'The request is answered by 500: the target has failed, not refused.' };
  }
  if (status >= 200 && status < 300 && nature !== 'odd' && demands(requirement)) {
    const what = nature === 'unfinished' ? 'not complete' : 'malformed';
    return { kind: 'success', says: `The request is answered by ${status}, though it is ${what}.` };
  }
  return undefined;
}

/** What the standard says of that of which the specification of the interface leaves open what becomes. */
const inTheStandard: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'errors.unknown-method': 'std.http.unknown-method',
    'body.broken-json': 'std.content.broken',
    'body.trailing-text': 'std.content.broken',
    'body.not-utf-8': 'std.content.broken',
  }),
);

/** The requirement of the catalogue that a dialect is judged by; `gap` where none says anything. */
export function citedIn(dialect: Dialect, requirement: string): string {
  return dialect === 'documented' ? requirement : (inTheStandard.get(requirement) ?? 'gap');
}
