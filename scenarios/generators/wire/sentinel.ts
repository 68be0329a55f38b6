/** A well-formed request that follows other bytes on the same connection, and what its answer shows. */
import { isObject, jsonOf } from '../../engine/judging/body.ts';
import type { ReceivedAnswer } from '../../engine/messages/exchange.ts';
import type { Conversation, Turn } from '../../engine/targets/target.ts';
import type { Site } from './site.ts';
import { bytesOf, type Parts } from './wire-case.ts';

export const sentinelName = 'sentinel';
export const trapName = 'trap';

/** When the sentinel is sent: in the same segment as the bytes before it, or once these are answered. */
export type SentinelTime = 'at once' | 'after the answer';

/** Why a connection is not in step any more: an answer belongs to another request than it seems to, or is missing. */
export function outOfStep({ answers, end, failure }: Conversation): string | undefined {
  const [own, ...further] = answers;
  if (failure?.kind === 'malformed') return `What comes back is no HTTP: ${failure.message}.`;
  if (answers.some(isOfTrap)) return 'The body of the request was carried out as a request.';
  if (own !== undefined && isOfSentinel(own)) {
    return 'The request was not answered; the answer to the next request on the connection came in its place.';
  }
  const [next, ...surplus] = further.filter(isSuccess);
  if (next !== undefined && !isOfSentinel(next)) {
    return 'An answer came that belongs to no request, before that to the next one.';
  }
  if (surplus.length > 0) return 'More answers came than requests were sent.';
  if (own !== undefined && further.length === 0 && end === 'open') {
    return 'The next request on the same connection is not answered, and the connection is not closed.';
  }
  return undefined;
}

export function isOfSentinel(answer: ReceivedAnswer): boolean {
  return isSuccess(answer) && nameIn(answer) === sentinelName;
}

export function isOfTrap(answer: ReceivedAnswer): boolean {
  return nameIn(answer) === trapName;
}

/** Bytes, then the sentinel. `within`: milliseconds for the answers. */
export function withSentinel(
  bytes: string,
  { methods = ['GET'], sentinel, when, within }: SentinelOptions,
): readonly Turn[] {
  const after = turnOf(sentinel, within);
  const before: Turn = { bytes: Buffer.from(bytes, 'latin1'), methods, within };
  if (when === 'after the answer') return [before, after];
  return [
    { bytes: Buffer.concat([before.bytes, after.bytes]), methods: [...before.methods, ...after.methods], within },
  ];
}

interface SentinelOptions {
  /** Of the requests in the bytes. */
  readonly methods?: readonly string[];
  readonly sentinel: Parts;
  readonly when: SentinelTime;
  readonly within: number;
}

/** A request that is written as its parts say. */
export function turnOf(parts: Parts, within: number): Turn {
  return { bytes: Buffer.from(bytesOf(parts), 'latin1'), methods: [parts.method], within };
}

/** Takes turns on one connection to the place that is explored. */
export function converse({ installation: { gateway }, way }: Site, turns: readonly Turn[]): Promise<Conversation> {
  if (gateway.converse === undefined) throw new TypeError('the target has no socket');
  return gateway.converse(turns, way);
}

const isSuccess = ({ status }: ReceivedAnswer): boolean => status >= 200 && status < 300;

function nameIn({ body }: ReceivedAnswer): unknown {
  const content = jsonOf(body);
  const [attributes] = isObject(content) ? Object.values(content) : [];
  return isObject(attributes) ? attributes.rn : undefined;
}
