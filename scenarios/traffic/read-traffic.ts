import { createReadStream } from 'node:fs';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { isCapture } from '../captures/packets.ts';
import { readCapture } from '../captures/read-capture.ts';
import { isObject } from '../engine/basics/body.ts';
import { UsageError, unreadable } from '../engine/basics/diagnostics.ts';
import type { SourceLocation } from '../engine/results/result.ts';
import { orPackage } from '../engine/targets/wires/route.ts';
import { elementsIn, jsonErrorIn } from './json-positions.ts';
import type { Listening } from './listen-mqtt.ts';
import {
  fromCapture,
  fromHar,
  fromJournal,
  HarEntry,
  RecordedEntry,
  type RecordedExchange,
  unusable,
} from './recorded.ts';

/** Octets to recognise the format, and of the largest file that is read at once. */
const enough = 4096;
const longest = 400 * 1024 * 1024;

/**
 * The exchanges of a recording, in order: a journal as lines of JSON (read one by one, however many) or as a list, an HTTP Archive, or a
 * packet capture. The path may be a pipe, `-` for stdin, or the URL of an MQTT server to listen to. Throws a UsageError with the position
 * of an error.
 */
export async function* readTraffic(path: string, listening: Listening = endless): AsyncGenerator<RecordedExchange> {
  const file = recordingName(path);
  if (isMqttUrl(path)) {
    const { listenTo } = await import('./listen-mqtt.ts').catch(orPackage('MQTT', 'mqtt'));
    for await (const one of listenTo(path, listening)) yield fromCapture(one, file);
    return;
  }
  const pieces = piecesOf(path);
  const start = Buffer.concat(await firstOf(pieces, (first) => lengthOf(first) >= enough));
  if (isCapture(start)) {
    const whole = Buffer.concat(await allOf(after([start], pieces), file));
    for (const one of await readCapture(whole, file)) yield fromCapture(one, file);
    return;
  }
  const text = textOf(after([start], pieces));
  const beginning = (await text.next()).value ?? '';
  const all = after([beginning], text);
  if (isLines(beginning)) yield* lines(all, file);
  else yield* whole((await allOf(all, file)).join(''), file);
}

const endless: Listening = { until: new AbortController().signal };

/** Whether it is the URL of a server, and no file. */
export const isMqttUrl = (path: string): boolean => /^mqtts?:\/\//i.test(path);

/** Name of a recording for positions. */
export function recordingName(path: string): string {
  if (isMqttUrl(path)) return path.replace(/\/\/[^/]*@/, '//');
  return path === '-' ? 'stdin' : relative('', path) || path;
}

/** The content in pieces. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of path === '-' ? process.stdin : createReadStream(path)) yield Buffer.from(piece);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Decoded without a byte order mark. */
async function* textOf(pieces: AsyncGenerator<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

const lengthOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** The first items, until there are enough. */
export async function firstOf<T>(items: AsyncGenerator<T>, isEnough: (first: readonly T[]) => boolean): Promise<T[]> {
  const first: T[] = [];
  while (!isEnough(first)) {
    const { value, done } = await items.next();
    if (done) break;
    first.push(value);
  }
  return first;
}

/** The first items again, then the rest. */
export async function* after<T>(first: readonly T[], others: AsyncGenerator<T>): AsyncGenerator<T> {
  yield* first;
  yield* others;
}

async function allOf<Piece extends { readonly length: number }>(
  pieces: AsyncGenerator<Piece>,
  file: string,
): Promise<Piece[]> {
  const all: Piece[] = [];
  let length = 0;
  for await (const piece of pieces) {
    all.push(piece);
    length += piece.length;
    if (length > longest)
      throw new UsageError(`${file} is too large to be read as a whole; lines of JSON are read one by one`);
  }
  return all;
}

/** Whether the first line is a complete JSON object, or begins like an entry of a journal. */
function isLines(text: string): boolean {
  if (/^\s*\{\s*"(?:number|at|method)"\s*:/.test(text)) return true;
  const [first = ''] = text.trimStart().split('\n', 1);
  return first.startsWith('{') && first.trimEnd().endsWith('}') && !/^\{\s*"(log|\$schema)"/.test(first);
}

async function* lines(pieces: AsyncGenerator<string>, file: string): AsyncGenerator<RecordedExchange> {
  let line = 0;
  for await (const text of createInterface({ input: Readable.from(pieces), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const entry = text.trim();
    if (entry === '') continue;
    const place = { file, line, column: 1 };
    const value = parsed(entry, place);
    if (isEvent(value))
      throw unusable(place, 'these are events of a run; give its report instead, as JSON, HAR or pcapng');
    const recorded = fromJournal(valid(RecordedEntry, value, place), place);
    if (recorded !== undefined) yield recorded;
  }
}

/** What `--report ndjson` writes. */
const isEvent = (value: unknown): boolean => isObject(value) && typeof value.type === 'string' && !('method' in value);

function parsed(text: string, { file, line }: SourceLocation): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const details = jsonErrorIn(text) ?? { line: 1, column: 1, says: (error as Error).message };
    throw unusable({ file, line: line + details.line - 1, column: details.column }, `this is no JSON: ${details.says}`);
  }
}

function valid<T>(form: z.ZodType<T>, value: unknown, place: SourceLocation): T {
  const { data, error } = form.safeParse(value);
  if (error === undefined) return data;
  const [{ path, message } = { path: [], message: '' }] = error.issues;
  throw unusable(place, `this is no exchange of a recording: ${path.map(String).join('.') || 'the whole'}: ${message}`);
}

function* whole(text: string, file: string): Generator<RecordedExchange> {
  const start = { file, line: 1, column: 1 };
  const value = parsed(text, start);
  const archived = entriesIn(value);
  if (archived === undefined && !Array.isArray(value)) {
    throw unusable(start, 'this is neither an HTTP Archive, nor a packet capture, nor a journal');
  }
  const positions = elementsIn(text, archived === undefined ? [] : ['log', 'entries']);
  const read = (archived ?? (value as readonly unknown[])).flatMap((entry, index) => {
    const place = { ...start, ...positions[index] };
    return archived === undefined
      ? (fromJournal(valid(RecordedEntry, entry, place), place) ?? [])
      : fromHar(valid(HarEntry, entry, place), place);
  });
  const isSocket = ({ origin = '' }: RecordedExchange) => /^wss?:/.test(origin);
  // Messages of a WebSocket may be later than the entries after it.
  yield* read.some(isSocket) ? read.toSorted((a, b) => a.from - b.from) : read;
}

function entriesIn(value: unknown): readonly unknown[] | undefined {
  const { log } = (value ?? {}) as { readonly log?: { readonly entries?: unknown } | null };
  return Array.isArray(log?.entries) ? log.entries : undefined;
}
