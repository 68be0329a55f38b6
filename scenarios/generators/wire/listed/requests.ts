/** What a row of the list sends: a sound request with the changes of the row; in one go, in turns, or from many clients. */
import { defined } from '../../../engine/basics/defined.ts';
import type { Turn } from '../../../engine/messages/target.ts';
import { type Sending, textOf, textSent, type WireMessage } from './robustness-case.ts';
import {
  bytesOf,
  type CaseParts,
  chunks,
  creating,
  methodIn,
  reading,
  soundBody,
  trapOf,
  type WireTarget,
} from './wire-case.ts';

/** Other parts of a request, as templates. */
interface Changes extends Partial<Pick<CaseParts, 'method' | 'target' | 'version' | 'host' | 'body'>> {
  /** Header lines that replace those of the same names, and further ones; for a POST its length when absent. */
  readonly instead?: readonly string[];
  readonly lines?: readonly string[];
  /** Name of a header to leave out. */
  readonly drop?: string;
  /** How every header line is written. */
  readonly written?: string;
  /** The body in chunks of so many bytes, or already coded. */
  readonly chunks?: number | string;
  readonly coded?: string;
}

/** One request; or, with `times`, so many. */
export interface RequestRow {
  /** A GET of the container with these changes; a text alone is its target. */
  readonly get?: Changes | string;
  /** A POST into it; a text alone is its body. */
  readonly post?: Changes | string;
  /** Bytes that are no such request. */
  readonly text?: string;
  /** What is cut off its end: so many bytes, or half. */
  readonly without?: number | 'half';
  readonly times?: number;
}

export interface SendingRow extends RequestRow {
  /** Several in one segment. */
  readonly requests?: readonly RequestRow[];
  /** Segments end where this expression matches; `everywhere`: cut at each byte in turn. */
  readonly cuts?: string;
  /** One by one, each after the answer to the one before. */
  readonly turns?: number;
  /** Concurrently, each on its own connection; `within`: milliseconds for which each waits. */
  readonly clients?: number;
  readonly within?: number;
  /** What the client does then. */
  readonly then?: NonNullable<Turn['afterwards']>;
  /** Without a sentinel behind it. */
  readonly alone?: true;
}

/** `waits`: whether a target may wait for more. */
export function sendingOf(row: SendingRow, waits: boolean): Sending {
  const { requests = [row], cuts, turns = 1, clients = 1, within: patience, then: afterwards } = row;
  const kind = kindOf(row, waits);
  const sent = requests.flatMap(sentOf);
  const turnAt = (at: WireTarget, within: number): Turn => {
    const text = textSent(sent, at);
    const ends = cuts === undefined || kind === 'cut everywhere' ? undefined : endsIn(text, cuts);
    const methods = kind === 'crowd' ? [] : methodsOf(sent, at);
    const bytes = Buffer.from(text, 'latin1');
    return { bytes, methods, within: patience ?? within, ...defined({ cuts: ends, afterwards }) };
  };
  return { kind, sent, turns: (at, within) => Array(turns).fill(turnAt(at, within)), clients };
}

function kindOf({ cuts, turns, clients, then, alone }: SendingRow, waits: boolean): Sending['kind'] {
  if (cuts === 'everywhere') return 'cut everywhere';
  if (clients !== undefined) return 'crowd';
  if (cuts !== undefined || turns !== undefined || then !== undefined) return 'turns';
  return waits || alone ? 'unfinished' : 'request';
}

export function methodsOf(sent: readonly WireMessage[], at: WireTarget): string[] {
  return sent.map((one) => methodIn(textOf(one(at))));
}

function endsIn(text: string, expression: string): number[] {
  const ends = [...text.matchAll(new RegExp(expression, 'g'))].map(({ index, 0: match }) => index + match.length);
  return ends.filter((end) => end > 0 && end < text.length);
}

export function sentOf({ get, post, text, without, times = 1 }: RequestRow): WireMessage[] {
  const whole: WireMessage = (at) => {
    if (text !== undefined) return filled(text, at);
    if (post === undefined) return changed(reading(at), typeof get === 'string' ? { target: get } : get, at);
    const changes: Changes = typeof post === 'string' ? { body: post } : post;
    const isCoded = changes.chunks !== undefined || changes.coded !== undefined;
    const { lines = isCoded ? [] : ['Content-Length: ${length}'] } = changes;
    return changed(creating(at), { ...changes, lines }, at);
  };
  const cutOff: WireMessage = (at) => {
    const own = textOf(whole(at));
    return without === 'half' ? own.slice(0, own.length / 2) : own.slice(0, -(without ?? 0));
  };
  return Array<WireMessage>(times).fill(without === undefined ? whole : cutOff);
}

function changed(sound: CaseParts, changes: Changes = {}, at: WireTarget): CaseParts {
  const { instead = [], lines = [], drop, written, chunks: size, coded, ...parts } = changes;
  const text = filled(coded ?? parts.body ?? sound.body, at);
  const body = size === undefined ? text : chunks(text, Number(size));
  const fill = (template: string) => filled(template, at, body);
  const replaced = new Set([...instead, drop ?? ''].map(nameOf));
  const rewrite = rewritings.get(written ?? '') ?? ((line: string) => line);
  const coding = ['Transfer-Encoding: chunked'];
  return {
    method: fill(parts.method ?? sound.method),
    version: parts.version ?? sound.version,
    target: fill(parts.target ?? sound.target),
    host: (parts.host?.map(fill) ?? sound.host).map(rewrite),
    headers: [
      ...sound.headers.filter((line) => !replaced.has(nameOf(line))).map(rewrite),
      ...[...(coded === undefined ? [] : coding), ...instead, ...lines].map(fill),
      ...(size === undefined ? [] : coding),
    ],
    body,
  };
}

function nameOf(line: string): string | undefined {
  return line.split(':', 1)[0]?.toLowerCase();
}

const inName = (write: (name: string) => string) => (line: string) => line.replace(/^[^:]+/, write);
const rewritings: ReadonlyMap<string, (line: string) => string> = new Map([
  ['in lower case', inName((name) => name.toLowerCase())],
  ['in capital letters', inName((name) => name.toUpperCase())],
  ['without a space', (line) => line.replace(': ', ':')],
  ['with tabs and spaces', (line) => `${line.replace(': ', ': \t ')} \t`],
]);

/**
 * `${container}`, and the other `values`; ``${`x` * 40}``: forty of them, with `#` for the number of each from 0, and `##` for that
 * number in binary, with Aa for 0 and BB for 1, which have the same hash in many tables of keys.
 */
function filled(template: string, at: WireTarget, body = ''): string {
  return template.replace(
    /\$\{(?:`([^`]+)` \* (\d+)|([A-Za-z0-9 -]+))\}/g,
    (_, one: string, times: string, name: string) => {
      if (name !== undefined) return values[name as keyof typeof values](at, body);
      if (!one.includes('#')) return one.repeat(Number(times));
      return Array.from({ length: Number(times) }, (_, number) =>
        one.replaceAll('##', colliding(number)).replaceAll('#', String(number)),
      ).join('');
    },
  );
}

const colliding = (number: number) => number.toString(2).padStart(13, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB');

const values = {
  host: ({ host }: WireTarget) => host,
  application: ({ application }: WireTarget) => application,
  container: ({ container }: WireTarget) => container,
  'container without a slash': ({ container }: WireTarget) => container.slice(1),
  sentinel: ({ sentinel }: WireTarget) => sentinel,
  'trap path': ({ trap }: WireTarget) => trap,
  /** A request that nobody may carry out. */
  trap: (at: WireTarget) => trapOf(at),
  get: (at: WireTarget) => bytesOf(reading(at)),
  'get with line feeds': (at: WireTarget) => bytesOf(reading(at)).replaceAll('\r\n', '\n'),
  'get with carriage returns': (at: WireTarget) => bytesOf(reading(at)).replaceAll('\r\n', '\r'),
  /** Of that GET, with all that follows. */
  headers: (at: WireTarget) => bytesOf(reading(at)).replace(/^.*\r\n/, ''),
  sound: () => soundBody,
  'sound in UTF-16': () => [...soundBody].map((letter) => `${letter}\0`).join(''),
  length: (_: WireTarget, body: string) => String(body.length),
} as const;
