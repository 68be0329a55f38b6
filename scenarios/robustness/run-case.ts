import { defined } from '../engine/basics/defined.ts';
import { rawLine } from '../engine/messages/curl.ts';
import type { Conversation, Turn } from '../engine/messages/target.ts';
import {
  bytesSent,
  isAmong,
  outcomesText,
  type RobustnessCase,
  type WireOutcome,
} from '../generators/wire/listed/robustness-case.ts';
import { sentinelOf } from '../generators/wire/listed/wire-case.ts';
import {
  converse,
  isOfSentinel,
  outOfStep,
  splitEverywhere,
  turnOf,
  withSentinel,
} from '../generators/wire/sentinel.ts';
import type { WireSearchOptions } from '../generators/wire/wire-search.ts';

export interface CaseResult {
  /** Such as `R-3.9`. */
  readonly number: string;
  readonly title: string;
  readonly verdict: RobustnessVerdict;
  /** What came, each time that it was sent: `400, closed without an answer`. */
  readonly came: string;
  /** What is wrong, or why it was left out. */
  readonly says?: string;
  /** A command line that sends the bytes, and the sentinel behind them; absent where they are sent in several turns. */
  readonly curl?: string;
}

export type CaseOptions = Pick<WireSearchOptions, 'site' | 'explored' | 'timeout'>;

/** Milliseconds after which a target that waits for the rest of a request is left alone, at least. */
const patience = 250;
/** Milliseconds that each client of a crowd stays. */
const moment = 300;

/** Sends one case, and looks whether the target lives and whether anything has changed that was not to. Never rejects for what a target does. */
export async function runCase(one: RobustnessCase, options: CaseOptions): Promise<CaseResult> {
  const { number, title } = one;
  const reason = await reasonToLeaveOut(one, options);
  if (reason !== undefined) return { number, title, verdict: 'left out', came: '', says: reason };
  const seen = await observations(one, options);
  const after = await options.explored.change();
  const curl = curlOf(one, options);
  const facts = { number, title, came: outcomesText([...new Set(seen.map(({ outcome }) => outcome))]), ...curl };
  if (after === 'no answer') {
    return { ...facts, verdict: 'lost', says: 'The next request, on a new connection, is not served.' };
  }
  const createsBefore = one.methods.slice(0, -1).includes('POST');
  const success = one.mayStoreUnanswered || createsBefore || seen.some(({ outcome }) => isAmong(outcome, ['2xx']));
  const judged = judge(one, seen);
  if (judged.verdict === 'wrong') return { ...facts, ...judged };
  if (after === 'changed' && !(one.creates && success)) {
    return { ...facts, verdict: 'wrong', says: 'What was refused, or only reads, has changed what is stored.' };
  }
  return { ...facts, ...judged };
}

async function reasonToLeaveOut(one: RobustnessCase, { site, explored }: CaseOptions): Promise<string | undefined> {
  const { description, gateway } = { ...site, ...site.installation };
  if (one.over !== undefined && !description.url.startsWith('https:')) return 'the target does not speak TLS';
  for (const bytes of bytesSent(one, explored.place)) {
    const objection = await gateway.objection(bytes, site.way);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function curlOf(one: RobustnessCase, { site, explored }: CaseOptions): Pick<CaseResult, 'curl'> {
  const { kind } = one.sending;
  const [bytes] = bytesSent(one, explored.place);
  if (bytes === undefined || (kind !== 'request' && kind !== 'unfinished')) return {};
  return { curl: rawLine(new URL(site.description.url).origin, bytes, site.way) };
}

async function observations(one: RobustnessCase, options: CaseOptions): Promise<readonly Observed[]> {
  const { kind, turns, clients } = one.sending;
  const { explored, timeout } = options;
  const { place, slowest } = explored;
  // TLS can be left out, or be of one version.
  const site = { ...options.site, way: { ...options.site.way, ...defined({ over: one.over }) } };
  const talk = (turns: readonly Turn[]) => converse(site, turns);
  const short = { unfinished: Math.min(timeout, Math.max(patience, 4 * slowest)), crowd: moment };
  const all = turns(place, kind === 'unfinished' || kind === 'crowd' ? short[kind] : timeout);
  const [turn = turnOf(sentinelOf(place), timeout)] = all;
  const sent = { ...one, methods: all.flatMap(({ methods }) => methods) };
  switch (kind) {
    case 'request': {
      const both: Observed[] = [];
      for (const when of ['at once', 'after the answer'] as const) {
        const { outcome, fault } = observed(sent, await talk(withSentinel(turn, place, when)), true);
        both.push({ outcome, fault: fault && `${fault} (sent ${when})` });
      }
      return both;
    }
    case 'unfinished':
    case 'turns':
      return [observed(sent, await talk(all), false)];
    case 'cut everywhere': {
      const { whole, apart } = await splitEverywhere(site, turn);
      return [{ ...observed(sent, whole, false), fault: apart?.says }];
    }
    case 'crowd': {
      await Promise.all(Array.from({ length: clients }, () => talk(all)));
      const { answers, ...rest } = await talk([turnOf(sentinelOf(place), timeout)]);
      return [observed(one, { ...rest, answers: answers.filter(isOfSentinel) }, false)];
    }
  }
}

export type RobustnessVerdict = 'as it should' | 'tolerable' | 'wrong' | 'lost' | 'left out';

/** What came of the bytes once. */
interface Observed {
  readonly outcome: WireOutcome;
  /** What is wrong whatever the outcome is. */
  readonly fault?: string | undefined;
}

type Judged = { readonly verdict: 'as it should' | 'tolerable' } | { readonly verdict: 'wrong'; readonly says: string };

/** The worst of what was observed. */
export function judge(one: RobustnessCase, observed: readonly Observed[]): Judged {
  for (const { outcome, fault } of observed) {
    if (fault !== undefined) return { verdict: 'wrong', says: fault };
    if (isAmong(outcome, one.right) || isAmong(outcome, one.tolerable)) continue;
    return { verdict: 'wrong', says: `It is ${wordsFor(outcome)}; right: ${outcomesText(one.right)}.` };
  }
  const isRight = observed.every(({ outcome }) => isAmong(outcome, one.right));
  return { verdict: isRight ? 'as it should' : 'tolerable' };
}

function wordsFor(outcome: WireOutcome): string {
  return typeof outcome === 'number' ? `answered by ${outcome}` : outcomesText([outcome]);
}

/** What an observation comes to: the outcome of the last request of the case, and whether the connection stayed in step. */
export function observed(
  { methods, closes, right, tolerable }: RobustnessCase,
  conversation: Conversation,
  isFollowed: boolean,
): Observed {
  const before = methods.length - 1;
  const outcome = outcomeOf(conversation, before);
  if (outcome === 'no HTTP' && isAmong(outcome, [...right, ...(tolerable ?? [])])) return { outcome };
  const unserved = conversation.answers.slice(0, before).find(({ status }) => status >= 400);
  if (unserved !== undefined) {
    return { outcome, fault: `A sound request before the last one is answered by ${unserved.status}.` };
  }
  if (!isFollowed) return { outcome };
  const last = { ...conversation, answers: conversation.answers.slice(before) };
  const fault = outOfStep(last);
  if (fault !== undefined) return { outcome, fault };
  const goesOn = closes === true && last.answers.slice(1).some(isOfSentinel);
  return goesOn ? { outcome, fault: 'The connection goes on after an answer that has to end it.' } : { outcome };
}

function outcomeOf({ answers, end, failure }: Conversation, at: number): WireOutcome {
  const { status } = answers[at] ?? {};
  if (status !== undefined) return status;
  if (failure?.kind === 'malformed') return 'no HTTP';
  return end === 'open' ? 'silence' : 'closed';
}
