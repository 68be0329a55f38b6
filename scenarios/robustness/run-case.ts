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
  /** The outcome of each try: `400, closed without an answer`. */
  readonly came: string;
  /** What is wrong, or why it was left out. */
  readonly says?: string;
  /** A command line that sends the bytes and the sentinel; absent if they are sent in several turns. */
  readonly curl?: string;
}

export type CaseOptions = Pick<WireSearchOptions, 'session' | 'fixture' | 'timeout'>;

/** Milliseconds after which a target that waits for the rest of a request is left alone, at least. */
const patience = 250;
/** Milliseconds that each client of a crowd stays. */
const crowdTime = 300;

/** Sends one case, and checks that the target lives and that nothing else has changed. Never rejects for what a target does. */
export async function runCase(one: RobustnessCase, options: CaseOptions): Promise<CaseResult> {
  const { number, title } = one;
  const reason = await reasonToLeaveOut(one, options);
  if (reason !== undefined) return { number, title, verdict: 'left out', came: '', says: reason };
  const observed = await observationsOf(one, options);
  const after = await options.fixture.change();
  const curl = curlOf(one, options);
  const facts = { number, title, came: outcomesText([...new Set(observed.map(({ outcome }) => outcome))]), ...curl };
  if (after === 'no answer') {
    return { ...facts, verdict: 'lost', says: 'The next request, on a new connection, is not served.' };
  }
  const createsBefore = one.methods.slice(0, -1).includes('POST');
  const success = one.mayStoreUnanswered || createsBefore || observed.some(({ outcome }) => isAmong(outcome, ['2xx']));
  const verdict = judgeCase(one, observed);
  if (verdict.verdict === 'wrong') return { ...facts, ...verdict };
  if (after === 'changed' && !(one.creates && success)) {
    return { ...facts, verdict: 'wrong', says: 'A refused or reading request has changed what is stored.' };
  }
  return { ...facts, ...verdict };
}

async function reasonToLeaveOut(one: RobustnessCase, { session, fixture }: CaseOptions): Promise<string | undefined> {
  const { description, gateway } = { ...session, ...session.installation };
  if (one.over !== undefined && !description.url.startsWith('https:')) return 'the target does not speak TLS';
  for (const bytes of bytesSent(one, fixture.paths)) {
    const objection = await gateway.objection(bytes, session.way);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function curlOf(one: RobustnessCase, { session, fixture }: CaseOptions): Pick<CaseResult, 'curl'> {
  const { kind } = one.sending;
  const [bytes] = bytesSent(one, fixture.paths);
  if (bytes === undefined || (kind !== 'request' && kind !== 'unfinished')) return {};
  return { curl: rawLine(new URL(session.description.url).origin, bytes, session.way) };
}

async function observationsOf(one: RobustnessCase, options: CaseOptions): Promise<readonly CaseObservation[]> {
  const { kind, turns, clients } = one.sending;
  const { fixture, timeout } = options;
  const { paths, slowest } = fixture;
  // TLS can be left out, or be of one version.
  const session = { ...options.session, way: { ...options.session.way, ...defined({ over: one.over }) } };
  const talk = (turns: readonly Turn[]) => converse(session, turns);
  const short = { unfinished: Math.min(timeout, Math.max(patience, 4 * slowest)), crowd: crowdTime };
  const all = turns(paths, kind === 'unfinished' || kind === 'crowd' ? short[kind] : timeout);
  const [turn = turnOf(sentinelOf(paths), timeout)] = all;
  const sent = { ...one, methods: all.flatMap(({ methods }) => methods) };
  switch (kind) {
    case 'request': {
      const both: CaseObservation[] = [];
      for (const when of ['at once', 'after the answer'] as const) {
        const { outcome, problem } = observe(sent, await talk(withSentinel(turn, paths, when)), true);
        both.push({ outcome, problem: problem && `${problem} (sent ${when})` });
      }
      return both;
    }
    case 'unfinished':
    case 'turns':
      return [observe(sent, await talk(all), false)];
    case 'cut everywhere': {
      const { whole, apart } = await splitEverywhere(session, turn);
      return [{ ...observe(sent, whole, false), problem: apart?.says }];
    }
    case 'crowd': {
      await Promise.all(Array.from({ length: clients }, () => talk(all)));
      const { answers, ...rest } = await talk([turnOf(sentinelOf(paths), timeout)]);
      return [observe(one, { ...rest, answers: answers.filter(isOfSentinel) }, false)];
    }
  }
}

export type RobustnessVerdict = 'as it should' | 'tolerable' | 'wrong' | 'lost' | 'left out';

/** The outcome of one try. */
interface CaseObservation {
  readonly outcome: WireOutcome;
  /** What is wrong whatever the outcome. */
  readonly problem?: string | undefined;
}

type CaseVerdict =
  | { readonly verdict: 'as it should' | 'tolerable' }
  | { readonly verdict: 'wrong'; readonly says: string };

/** The worst of the observations. */
export function judgeCase(one: RobustnessCase, observations: readonly CaseObservation[]): CaseVerdict {
  for (const { outcome, problem } of observations) {
    if (problem !== undefined) return { verdict: 'wrong', says: problem };
    if (isAmong(outcome, one.right) || isAmong(outcome, one.tolerable)) continue;
    return { verdict: 'wrong', says: `It is ${wordsFor(outcome)}; right: ${outcomesText(one.right)}.` };
  }
  const isRight = observations.every(({ outcome }) => isAmong(outcome, one.right));
  return { verdict: isRight ? 'as it should' : 'tolerable' };
}

function wordsFor(outcome: WireOutcome): string {
  return typeof outcome === 'number' ? `answered by ${outcome}` : outcomesText([outcome]);
}

/** An observation: the outcome of the last request of the case, and whether the connection stayed in step. */
export function observe(
  { methods, closes, right, tolerable }: RobustnessCase,
  conversation: Conversation,
  isFollowed: boolean,
): CaseObservation {
  const before = methods.length - 1;
  const outcome = outcomeOf(conversation, before);
  if (outcome === 'no HTTP' && isAmong(outcome, [...right, ...(tolerable ?? [])])) return { outcome };
  const unserved = conversation.answers.slice(0, before).find(({ status }) => status >= 400);
  if (unserved !== undefined) {
    return { outcome, problem: `A sound request before the last one is answered by ${unserved.status}.` };
  }
  if (!isFollowed) return { outcome };
  const last = { ...conversation, answers: conversation.answers.slice(before) };
  const problem = outOfStep(last);
  if (problem !== undefined) return { outcome, problem };
  const goesOn = closes === true && last.answers.slice(1).some(isOfSentinel);
  return goesOn ? { outcome, problem: 'The connection goes on after an answer that has to end it.' } : { outcome };
}

function outcomeOf({ answers, end, failure }: Conversation, at: number): WireOutcome {
  const { status } = answers[at] ?? {};
  if (status !== undefined) return status;
  if (failure?.kind === 'malformed') return 'no HTTP';
  return end === 'open' ? 'silence' : 'closed';
}
