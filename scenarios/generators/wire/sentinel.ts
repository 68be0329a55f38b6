/** A well-formed request that follows other bytes on the same connection, and what its answer shows. */
import { isObject, jsonOf } from '../../engine/basics/body.ts';
import type { Conversation, Turn } from '../../engine/messages/target.ts';
import type { ReceivedAnswer } from '../../engine/results/exchange.ts';
import { bytesOf, type CaseParts, sentinelOf, type WireTarget } from './listed/wire-case.ts';
import type { WireSession } from './wire-fixture.ts';

export const sentinelName = 'sentinel';
export const trapName = 'trap';

/** When the sentinel is sent: in the same segment as the bytes before it, or once these are answered. */
type SentinelTime = 'at once' | 'after the answer';

/** Why a connection is out of step: an answer belongs to another request than it seems to, or is missing. */
export function outOfStep({ answers, end, failure }: Conversation): string | undefined {
  const [own, ...further] = answers;
  if (failure?.kind === 'malformed') return `The response is not HTTP: ${failure.message}.`;
  if (answers.some((one) => nameIn(one) === trapName)) return 'The body of the request was carried out as a request.';
  if (own !== undefined && isOfSentinel(own))
    return 'The request was not answered; the answer to the next request on the connection came in its place.';
  const [next, ...surplus] = further.filter(isSuccess);
  if (next !== undefined && !isOfSentinel(next))
    return 'An answer came that belongs to no request, before that to the next one.';
  if (surplus.length > 0) return 'More answers came than requests were sent.';
  const isUnanswered = own !== undefined && further.length === 0 && end === 'open';
  const says = 'The next request on the same connection is not answered, and the connection is not closed.';
  return isUnanswered ? says : undefined;
}

export function isOfSentinel(answer: ReceivedAnswer): boolean {
  return isSuccess(answer) && nameIn(answer) === sentinelName;
}

/** What is sent, then the sentinel. */
export function withSentinel(sent: Turn, paths: WireTarget, when: SentinelTime): readonly Turn[] {
  const after = turnOf(sentinelOf(paths), sent.within);
  if (when === 'after the answer') return [sent, after];
  const bytes = Buffer.concat([sent.bytes, after.bytes]);
  return [{ ...sent, bytes, methods: [...sent.methods, ...after.methods] }];
}

/** A request from its parts. */
export function turnOf(parts: CaseParts, within: number): Turn {
  return { bytes: Buffer.from(bytesOf(parts), 'latin1'), methods: [parts.method], within };
}

/** Takes turns on one connection to the target. */
export function converse({ installation, way }: WireSession, turns: readonly Turn[]): Promise<Conversation> {
  const { gateway } = installation;
  if (gateway.converse === undefined) throw new TypeError('the target has no socket');
  return gateway.converse(turns, way);
}

const isSuccess = ({ status }: ReceivedAnswer): boolean => status >= 200 && status < 300;

const nameIn = ({ body }: ReceivedAnswer): unknown => attributesIn(body)?.rn;

/** Attributes below the root; undefined if it is no representation. */
export function attributesIn(body: string): Readonly<Record<string, unknown>> | undefined {
  const content = jsonOf(body);
  const [attributes] = isObject(content) ? Object.values(content) : [];
  return isObject(attributes) ? attributes : undefined;
}

/** An answer that differs from that to the whole request. */
interface SplitApart {
  /** Bytes before the cut. */
  readonly cut: number;
  readonly says: string;
  readonly conversation: Conversation;
}

/** Cuts at the same time, each on a connection of its own. */
const cutsAtOnce = 4;

interface Splitting {
  readonly whole: Conversation;
  /** The first cut with another answer. */
  readonly apart?: SplitApart;
}

/** Sends the turn whole; if that is served, then cut at each byte in turn. */
export async function splitEverywhere(session: WireSession, turn: Turn, enough = () => false): Promise<Splitting> {
  const whole = await converse(session, [turn]);
  if (!whole.answers.some(({ status }) => status < 400)) return { whole };
  const cuts = Array.from({ length: turn.bytes.length - 1 }, (_, at) => at + 1).values();
  let first: SplitApart | undefined;
  const work = async (): Promise<void> => {
    for (const cut of cuts) {
      if (first !== undefined || enough()) return;
      const conversation = await converse(session, [{ ...turn, cuts: [cut] }]);
      const says = differenceFrom(whole, conversation, turn.methods);
      if (says !== undefined) first ??= { cut, says: `Cut after ${cut} bytes, ${says}`, conversation };
    }
  };
  await Promise.all(Array.from({ length: cutsAtOnce }, work));
  return { whole, ...(first && { apart: first }) };
}

/** How the answer to a request in pieces differs from that to the whole; undefined if it does not. */
function differenceFrom(whole: Conversation, split: Conversation, methods: readonly string[]): string | undefined {
  const essence = ({ answers }: Conversation) =>
    JSON.stringify(answers.map((answer, at) => essenceOf(answer, methods[at] ?? 'GET')));
  if (essence(whole) === essence(split)) return undefined;
  return `it is answered by ${statusesOf(split)}; whole, by ${statusesOf(whole)}.`;
}

const statusesOf = ({ answers, end }: Conversation): string =>
  answers.length === 0 ? `nothing (${end})` : answers.map(({ status }) => status).join(', ');

/** Of a creation, only what was sent stays the same. */
function essenceOf({ status, body }: ReceivedAnswer, method: string): readonly unknown[] {
  return [status, method === 'POST' ? attributesIn(body)?.con : body];
}
