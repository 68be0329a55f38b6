/** A robustness case: bytes, their permitted outcomes, and the clause that says so. */
import type { Over } from '../../../engine/grammar/grammar-step.ts';
import type { ExactBytes, Turn } from '../../../engine/messages/target.ts';
import { Risks } from '../../../safety/risks.ts';
import { bytesOf, type CaseParts, sentinelOf, type WireTarget } from './wire-case.ts';

/**
 * Outcome of a request: its status, or a class of statuses; `closed`: the connection ends without an answer; `silence`: neither an
 * answer nor an end within the limit; `no HTTP`: something else comes.
 */
export type WireOutcome = number | '2xx' | '3xx' | '4xx' | 'closed' | 'silence' | 'no HTTP';

/** A request in its parts, or as text where it has none. */
export type WireMessage = (paths: WireTarget) => CaseParts | string;

/** How the bytes are sent. */
export interface Sending {
  /**
   * `request`: with a sentinel behind them, once in the same segment and once after the answer; `unfinished`: alone, since whatever
   * came behind them would be part of them; `turns`: on one connection, whose last answer is checked; `cut everywhere`: cut at each byte
   * in turn, each answered as the whole is; `crowd`: by so many clients, who then give up: a sentinel is checked.
   */
  readonly kind: 'request' | 'unfinished' | 'turns' | 'cut everywhere' | 'crowd';
  readonly sent: readonly WireMessage[];
  readonly turns: (paths: WireTarget, within: number) => readonly Turn[];
  readonly clients: number;
}

export interface RobustnessCase {
  /** Such as `R-3.9`: it never changes, and never means anything else. */
  readonly number: string;
  readonly title: string;
  readonly clause: string;
  /** Right outcomes. */
  readonly right: readonly WireOutcome[];
  /** Outcomes that a clause permits or only advises against. Others are wrong. */
  readonly tolerable?: readonly WireOutcome[];
  /** The requirement of the interface specification that says what is right, if any. */
  readonly requirement?: string;
  readonly sending: Sending;
  /** Methods of the requests in the bytes; all but the last are sound. `GET` once when absent. */
  readonly methods: readonly string[];
  /** Whether the connection has to end after the answer. */
  readonly closes?: true;
  /** Whether a success may change what is stored. */
  readonly creates: boolean;
  /** Whether its content is complete though the message is not. */
  readonly mayStoreUnanswered?: true;
  /** Only where the target speaks TLS. */
  readonly over?: Over;
}

export interface RobustnessSection {
  /** The first part of the numbers. */
  readonly number: number;
  readonly title: string;
  readonly cases: readonly RobustnessCase[];
}

/** Throws a TypeError for an unknown outcome. */
export function outcomeOf(word: string): WireOutcome {
  if (/^\d{3}$/.test(word)) return Number(word);
  if (words.has(word)) return word as WireOutcome;
  throw new TypeError(`${word} is no outcome`);
}

const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '2xx': 'served',
    '4xx': 'any 4xx',
    '3xx': 'redirected',
    closed: 'closed without an answer',
    silence: 'left waiting',
    'no HTTP': 'answered by something other than HTTP/1',
  }),
);

export const anywhere: WireTarget = {
  ...{ host: 'a', application: '/a', container: '/a/c', sentinel: '/a/sentinel', trap: '/a/trap', usual: [] },
  contentType: 'application/json',
};

export const textOf = (sent: CaseParts | string): string => (typeof sent === 'string' ? sent : bytesOf(sent));

/** In Latin-1. */
export const textSent = (sent: readonly WireMessage[], paths: WireTarget): string =>
  sent.map((one) => textOf(one(paths))).join('');

/** Whether it is one of these. */
export function isAmong(outcome: WireOutcome, outcomes: readonly WireOutcome[] = []): boolean {
  return outcomes.some((one) => one === outcome || (typeof outcome === 'number' && one === classOf(outcome)));
}

const classOf = (status: number): string => `${Math.floor(status / 100)}xx`;

/** Outcomes in words. */
export function outcomesText(outcomes: readonly WireOutcome[] = []): string {
  return outcomes.map((one) => words.get(String(one)) ?? String(one)).join(', ');
}

/** What a case sends in one go, with the sentinel; and its parts that a server could read alone, or together. */
export function bytesSent({ sending: { kind, turns } }: RobustnessCase, paths: WireTarget): readonly ExactBytes[] {
  const all: readonly ExactBytes[] = turns(paths, 0);
  const bytes = Buffer.concat(all.map((one) => one.bytes));
  if (kind === 'request')
    return [{ bytes: Buffer.concat([bytes, Buffer.from(bytesOf(sentinelOf(paths)), 'latin1')]) }, { bytes }];
  if (kind === 'cut everywhere') return [{ bytes, cuts: [1] }];
  return [...all, { bytes }];
}

/** Why a case is left out at a live target, unless requested; undefined if it is not known to damage a deployed product. */
export function riskOf(one: RobustnessCase): string | undefined {
  const risks = new Risks();
  const reasons = bytesSent(one, anywhere).flatMap((bytes) => risks.reason(bytes, () => false) ?? []);
  return reasons[0];
}
