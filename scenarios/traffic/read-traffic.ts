import { createReadStream } from 'node:fs';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { UsageError } from '../engine/basics/diagnostics.ts';
import type { Place } from '../engine/results/result.ts';
import { elementsIn, faultIn } from './json-places.ts';
import { fromHar, fromJournal, HarEntry, type Recorded, RecordedEntry, unusable } from './recorded.ts';

/** Characters by which a form is told, and of the longest text that is read as a whole. */
const enough = 4096;
const longest = 400 * 1024 * 1024;

/**
 * The exchanges of a recording, in its order: lines of JSON as a journal writes them (read one by one, however many there are), a
 * list of the same, or an HTTP Archive. A path may be that of a pipe; `-` is stdin. Throws a UsageError with the place of what
 * cannot be used.
 */
export async function* readTraffic(path: string): AsyncGenerator<Recorded> {
  const file = recordingCalled(path);
  const pieces = textOf(path);
  let beginning = '';
  for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) {
    beginning += piece.value;
    if (beginning.length >= enough) break;
  }
  const text = after([beginning.replace(/^\ufeff/, '')], pieces);
  if (isLines(beginning)) yield* lines(text, file);
  else yield* whole(await allOf(text, file), file);
}

/** As it is told where something stands. */
export function recordingCalled(path: string): string {
  return path === '-' ? 'stdin' : relative('', path) || path;
}

/** In pieces as they come. */
async function* textOf(path: string): AsyncGenerator<string> {
  try {
    const stream = path === '-' ? process.stdin : createReadStream(path);
    for await (const piece of stream.setEncoding('utf8')) yield String(piece);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new UsageError(`there is no file "${path}"`);
  if (code === 'EISDIR') return new UsageError(`"${path}" is a directory, and no recording`);
  return new UsageError(`"${path}" cannot be read: ${message}`);
}

/** What was taken from the rest, and then the rest. */
export async function* after<T>(first: readonly T[], others: AsyncGenerator<T>): AsyncGenerator<T> {
  yield* first;
  yield* others;
}

async function allOf(pieces: AsyncGenerator<string>, file: string): Promise<string> {
  const all: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    all.push(piece);
    length += piece.length;
    if (length > longest)
      throw new UsageError(`${file} is too large to be read as a whole; lines of JSON are read one by one`);
  }
  return all.join('');
}

/** A first line that is all of a JSON object, or begins like an entry of a journal. */
function isLines(text: string): boolean {
  if (/^\s*\{\s*"(?:number|at|method)"\s*:/.test(text)) return true;
  const [first = ''] = text.trimStart().split('\n', 1);
  return first.startsWith('{') && first.trimEnd().endsWith('}') && !/^\{\s*"(log|\$schema)"/.test(first);
}

async function* lines(pieces: AsyncGenerator<string>, file: string): AsyncGenerator<Recorded> {
  let line = 0;
  for await (const text of createInterface({ input: Readable.from(pieces), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const entry = text.trim();
    if (entry === '') continue;
    const place = { file, line, column: 1 };
    const recorded = fromJournal(valid(RecordedEntry, parsed(entry, place), place), place);
    if (recorded !== undefined) yield recorded;
  }
}

function parsed(text: string, { file, line }: Place): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const fault = faultIn(text) ?? { line: 1, column: 1, says: (error as Error).message };
    throw unusable({ file, line: line + fault.line - 1, column: fault.column }, `this is no JSON: ${fault.says}`);
  }
}

function valid<T>(form: z.ZodType<T>, value: unknown, place: Place): T {
  const { data, error } = form.safeParse(value);
  if (error === undefined) return data;
  const [{ path, message } = { path: [], message: '' }] = error.issues;
  throw unusable(place, `this is no exchange of a recording: ${path.map(String).join('.') || 'the whole'}: ${message}`);
}

function* whole(text: string, file: string): Generator<Recorded> {
  const value = parsed(text, { file, line: 1, column: 1 });
  const archived = entriesIn(value);
  if (archived === undefined && !Array.isArray(value)) {
    throw unusable({ file, line: 1, column: 1 }, 'this is neither an HTTP Archive nor what a journal writes');
  }
  const places = elementsIn(text, archived === undefined ? [] : ['log', 'entries']);
  for (const [index, entry] of (archived ?? (value as readonly unknown[])).entries()) {
    const place = { file, ...(places[index] ?? { line: 1, column: 1 }) };
    const recorded =
      archived === undefined
        ? fromJournal(valid(RecordedEntry, entry, place), place)
        : fromHar(valid(HarEntry, entry, place), place);
    if (recorded !== undefined) yield recorded;
  }
}

function entriesIn(value: unknown): readonly unknown[] | undefined {
  const { log } = (value ?? {}) as { readonly log?: { readonly entries?: unknown } | null };
  return Array.isArray(log?.entries) ? log.entries : undefined;
}
