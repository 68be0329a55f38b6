/** What a robustness case is: bytes, what may become of them, and the clause that says so. */
import { defined } from '../../../engine/defined.ts';
import type { Over } from '../../../engine/grammar/grammar-step.ts';
import type { ExactBytes, Turn } from '../../../engine/targets/target.ts';
import { Risks } from '../../../safety/risks.ts';
import { bytesOf, methodIn, type Parts, type Place, sentinelOf } from '../wire-case.ts';

/**
 * What becomes of a request: its status, or a class of such; `closed`: the connection ends without an answer; `silence`: neither an
 * answer nor an end within the limit; `no HTTP`: something comes that is none.
 */
export type Outcome = number | '2xx' | '3xx' | '4xx' | 'closed' | 'silence' | 'no HTTP';

/** A request in its parts, or as text where it has none. */
type Sent = (place: Place) => Parts | string;

/** How the bytes are sent. */
export type Sending =
  /** With a sentinel behind them, once in the same segment and once after the answer. */
  | { readonly kind: 'request'; readonly sent: readonly Sent[] }
  /** By themselves: whatever came behind them would be part of them. */
  | { readonly kind: 'unfinished'; readonly sent: readonly Sent[] }
  /** Cut at each byte in turn, each answered as the whole is. */
  | { readonly kind: 'cut everywhere'; readonly parts: (place: Place) => readonly Parts[] }
  /** As turns on one connection; the last answer is judged. */
  | { readonly kind: 'turns'; readonly turns: (place: Place, within: number) => readonly Turn[] }
  /** On so many connections at the same time, which are then given up; what is judged is a sentinel on a further one. */
  | { readonly kind: 'crowd'; readonly connections: number; readonly turn: (place: Place) => Turn };

export interface RobustnessCase {
  /** Such as `R-3.9`: it never changes, and never means anything else. */
  readonly number: string;
  readonly title: string;
  readonly clause: string;
  /** What is in order. */
  readonly right: readonly Outcome[];
  /** What a clause permits or only advises against. Anything else is wrong. */
  readonly tolerable?: readonly Outcome[];
  /** The requirement of the interface specification that says what is right, as far as one does. */
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

type Facts = Partial<Pick<RobustnessCase, 'closes' | 'mayStoreUnanswered' | 'over'>>;

/** The right outcomes before a bar, the tolerable ones behind it, as in `404 | 4xx closed`; the requirement that says so. */
type Expected = string | readonly [outcomes: string, requirement: string];

/** A row of a table. What is sent is a request in its parts or as text, or several in one segment, or says how it is sent. */
type Row = readonly [
  title: string,
  sent: Sent | readonly Sent[] | Sending,
  clause: string,
  expected: Expected,
  facts?: Facts,
];

/** A number is the place of a row: new rows come at the end. */
export function section(number: number, title: string, rows: readonly Row[]): RobustnessSection {
  return { number, title, cases: rows.map((one, at) => caseOf(`${number}.${at + 1}`, one)) };
}

export function caseOf(number: string, [title, sent, clause, expected, facts = {}]: Row): RobustnessCase {
  const [outcomes, requirement] = [expected].flat();
  const [right = [], tolerable] = outcomes?.split(' | ').map(outcomesIn) ?? [];
  const kind = right.includes('silence') ? 'unfinished' : 'request';
  const sending = 'kind' in sent ? sent : ({ kind, sent: [sent].flat() } as const);
  const methods = methodsIn(sending);
  const creates = methods.includes('POST');
  return {
    number: `R-${number}`,
    title,
    clause,
    right,
    ...defined({ tolerable, requirement }),
    sending,
    methods,
    creates,
    ...facts,
  };
}

function outcomesIn(text: string): Outcome[] {
  return text.match(/no HTTP|\S+/g)?.map(outcomeOf) ?? [];
}

/** Throws a TypeError for a word that is no outcome. */
function outcomeOf(word: string): Outcome {
  if (/^\d{3}$/.test(word)) return Number(word);
  if (words.has(word)) return word as Outcome;
  throw new TypeError(`${word} is no outcome`);
}

function methodsIn(sending: Sending): readonly string[] {
  if ('sent' in sending) return sending.sent.map((sent) => methodIn(textOf(sent(anywhere))));
  if (sending.kind === 'turns') return sending.turns(anywhere, 0).at(-1)?.methods ?? [];
  return sending.kind === 'cut everywhere' ? ['GET', 'POST'] : ['GET'];
}

const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '2xx': 'served',
    '4xx': 'any 4xx',
    '3xx': 'redirected',
    closed: 'closed without an answer',
    silence: 'left waiting',
    'no HTTP': 'answered by what is no HTTP/1',
  }),
);

export const anywhere: Place = {
  ...{ host: 'a', application: '/a', container: '/a/c', sentinel: '/a/sentinel', trap: '/a/trap', usual: [] },
  contentType: 'application/json',
};

const textOf = (sent: Parts | string): string => (typeof sent === 'string' ? sent : bytesOf(sent));

/** In Latin-1. */
export const textSent = (sent: readonly Sent[], place: Place): string => sent.map((one) => textOf(one(place))).join('');

/** It is served. */
export const served = '2xx';
/** It is served; a refusal is permitted. */
export const servedMostly = '2xx | 4xx 501 closed';
/** A clause demands the refusal. */
export const refused = '400 | 4xx 501 505 closed';
/**
 * A clause advises the refusal: what is malformed may be taken nevertheless (RFC 9112, clause 2.2: SHOULD), and what names no version that is
 * known may be answered as HTTP/0.9 is, by a body alone.
 */
export const refusedMostly = ['400 | 2xx 3xx 4xx 501 505 closed no HTTP', 'http.not-http'] as const;
/** It is no request at all. */
export const noRequest = ['400 | 4xx 501 505 closed no HTTP', 'http.not-http'] as const;
/** A clause lets the server choose. */
export const either = '2xx 4xx 501 closed | 3xx 503';
/** Nothing is there, however the address is read. */
export const nowhere = ['404 400 | 4xx 501 closed', 'errors.unknown-path'] as const;
/** More is announced than any server takes. */
export const endless = '413 400 silence closed 408 | 4xx 501';
/** It is not complete: the server waits, or loses its patience. */
export const unfinished = 'silence closed 408 | 4xx';

/** Whether it is one of these. */
export function isAmong(outcome: Outcome, outcomes: readonly Outcome[] = []): boolean {
  return outcomes.some((one) => one === outcome || (typeof outcome === 'number' && one === classOf(outcome)));
}

const classOf = (status: number): string => `${Math.floor(status / 100)}xx`;

/** Outcomes for people. */
export function outcomesText(outcomes: readonly Outcome[] = []): string {
  return outcomes.map((one) => words.get(String(one)) ?? String(one)).join(', ');
}

/** What a case sends in one go, the sentinel with it; and what of it could be read by itself, or together. */
export function bytesSent({ sending }: RobustnessCase, place: Place): readonly ExactBytes[] {
  const written = (text: string): ExactBytes => ({ bytes: Buffer.from(text, 'latin1') });
  switch (sending.kind) {
    case 'request': {
      const text = textSent(sending.sent, place);
      return [written(text + bytesOf(sentinelOf(place))), written(text)];
    }
    case 'unfinished':
      return [written(textSent(sending.sent, place))];
    case 'cut everywhere':
      return [{ ...written(sending.parts(place).map(bytesOf).join('')), cuts: [1] }];
    case 'turns': {
      const turns = sending.turns(place, 0);
      return [...turns, { bytes: Buffer.concat(turns.map(({ bytes }) => bytes)) }];
    }
    case 'crowd':
      return [sending.turn(place)];
  }
}

/** Why a case is left out at a live target, unless somebody asks for it; undefined where no deployed product is known to be damaged. */
export function riskOf(one: RobustnessCase): string | undefined {
  const risks = new Risks();
  const reasons = bytesSent(one, anywhere).flatMap((bytes) => risks.reason(bytes, () => false) ?? []);
  return reasons[0];
}
