import type { Exchange } from '../../engine/messages/exchange.ts';
import type { WireCase } from './wire-case.ts';

/** What is not in order about an answer, or about what came after it. */
export interface Breach {
  readonly says: string;
  /** The requirement that the target does not keep; `gap` where none says anything of it. */
  readonly requirement: string;
}

type Change = 'no answer' | 'changed' | 'unchanged';

/**
 * An orderly refusal, or a plain success where the bytes may be taken for well-formed, within the limit; the next request, on a
 * new connection, is served; and nothing has changed but by a creation that was answered by 201.
 */
export function breachOf(wire: WireCase, exchange: Exchange, change: Change): Breach | undefined {
  const inAnswer = ofAnswer(wire, exchange);
  if (inAnswer !== undefined) return { says: inAnswer, requirement: wire.requirement ?? 'gap' };
  if (change === 'no answer') {
    return { says: 'The next request, on a new connection, is not served.', requirement: 'http.goes-on' };
  }
  const created = exchange.answer?.status === 201 && wire.creates && wire.nature === 'odd';
  if (change === 'unchanged' || created) return undefined;
  const answered = exchange.answer === undefined ? 'without an answer' : `answered by ${exchange.answer.status}`;
  return { says: `The request, ${answered}, has changed the tree.`, requirement: 'body.refused-stores-nothing' };
}

function ofAnswer({ nature }: WireCase, { answer, failure }: Exchange): string | undefined {
  if (answer === undefined) {
    if (failure?.kind === 'timeout' && nature !== 'unfinished') {
      return `The target neither answers nor closes the connection: ${failure.message}.`;
    }
    return failure?.kind === 'malformed' ? `What comes back is no HTTP: ${failure.message}.` : undefined;
  }
  const { status } = answer;
  if (status === 500) return 'The request is answered by 500: the target has failed, not refused.';
  if (status >= 200 && status < 300 && nature !== 'odd') {
    const what = nature === 'unfinished' ? 'not complete' : 'malformed';
    return `The request is answered by ${status}, though it is ${what}.`;
  }
  return undefined;
}
