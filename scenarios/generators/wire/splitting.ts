/** A request that arrives in pieces is the same request (RFC 9112, clause 2.2: a message is a sequence of octets). */
import { isObject, jsonOf } from '../../engine/judging/body.ts';
import type { ReceivedAnswer } from '../../engine/messages/exchange.ts';
import type { Conversation, Turn } from '../../engine/targets/target.ts';
import { converse } from './sentinel.ts';
import type { Site } from './site.ts';

/** An answer that is not the one to the whole request. */
export interface SplitApart {
  /** Bytes before the cut. */
  readonly cut: number;
  readonly says: string;
  readonly conversation: Conversation;
}

/** Cuts at the same time, each on a connection of its own. */
const lanes = 4;

export interface Splitting {
  readonly whole: Conversation;
  /** The first cut at which it is answered otherwise. */
  readonly apart?: SplitApart;
}

/** Sends the turn whole, then, if it is served so, cut at each byte in turn. */
export async function splitEverywhere(site: Site, turn: Turn, enough: () => boolean = () => false): Promise<Splitting> {
  const whole = await converse(site, [turn]);
  if (!whole.answers.some(({ status }) => status < 400)) return { whole };
  const cuts = Array.from({ length: turn.bytes.length - 1 }, (_, at) => at + 1).values();
  let first: SplitApart | undefined;
  const work = async (): Promise<void> => {
    for (const cut of cuts) {
      if (first !== undefined || enough()) return;
      const conversation = await converse(site, [{ ...turn, cuts: [cut] }]);
      const says = differenceFrom(whole, conversation, turn.methods);
      if (says !== undefined) first ??= { cut, says: `Cut after ${cut} bytes, ${says}`, conversation };
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return { whole, ...(first && { apart: first }) };
}

/** In which way a request in pieces was answered otherwise than the whole; undefined where it was not. */
export function differenceFrom(
  whole: Conversation,
  split: Conversation,
  methods: readonly string[],
): string | undefined {
  const [one, other] = [whole, split].map(({ answers }) =>
    answers.map((answer, at) => essenceOf(answer, methods[at] ?? 'GET')),
  );
  if (JSON.stringify(one) === JSON.stringify(other)) return undefined;
  return `it is answered by ${statusesOf(split)}; whole, by ${statusesOf(whole)}.`;
}

const statusesOf = ({ answers, end }: Conversation): string =>
  answers.length === 0 ? `nothing (${end})` : answers.map(({ status }) => status).join(', ');

/** Of a creation only what was sent comes out the same each time. */
function essenceOf({ status, body }: ReceivedAnswer, method: string): readonly unknown[] {
  if (method !== 'POST') return [status, body];
  const content = jsonOf(body);
  const [attributes] = isObject(content) ? Object.values(content) : [];
  return [status, isObject(attributes) ? attributes.con : undefined];
}
