import { type Death, lastOf, type RunEvent } from '../../scenarios/words.ts';
import { cut } from '../document/screen.ts';
import { deathNews } from '../facts/run-facts.ts';
import { visibleText } from '../facts/wording.ts';
import { type Io, io, type TextStream } from './io.ts';

/** Called with each event of a run, to show its progress. */
export type EventListener<Event> = (event: Event) => void;

/** Reads events to their end, with progress on stderr unless `silent`; resolves to the result of the last one. */
export async function follow<Event, Result>(
  events: AsyncGenerator<Event, Result>,
  progress: (lines: LineProgress) => EventListener<Event>,
  silent = false,
): Promise<Result> {
  const lines = new LineProgress(io().stderr);
  try {
    return await lastOf(events, silent ? undefined : progress(lines));
  } finally {
    if (!silent) lines.end();
  }
}

/** The common part of all events of a run. */
export interface ProgressEvent {
  readonly type: string;
  readonly planned?: number;
  readonly death?: Death & { readonly side?: string };
}

/** The text for each type of event, by the event, the number planned, and its count so far. */
type EventTexts<Event extends ProgressEvent> = {
  readonly [Type in Event['type']]?: (
    event: Extract<Event, { readonly type: Type }>,
    planned: number,
    times: number,
  ) => string;
};

/** Some events are a line, others only a transient one on a terminal; a target's death and return are always reported. */
export interface ProgressLines<Event extends ProgressEvent> {
  readonly lines: EventTexts<Event>;
  readonly transient: EventTexts<Event>;
}

export function progressOf<Event extends ProgressEvent>(
  says: ProgressLines<Event>,
): (lines: LineProgress) => EventListener<Event> {
  return (lines) => {
    let planned = 0;
    const times = new Map<string, number>();
    return (event) => {
      const { type } = event;
      planned = event.planned ?? planned;
      times.set(type, (times.get(type) ?? 0) + 1);
      const textOf = (by: EventTexts<Event>) => {
        const say = new Map<string, unknown>(Object.entries(by)).get(type) as EventTexts<ProgressEvent>[string];
        return say && visibleText(say(event, planned, times.get(type) ?? 0));
      };
      const [line = deathText(event), transient] = [textOf(says.lines), textOf(says.transient)];
      if (line !== undefined) lines.line(line);
      if (transient !== undefined) lines.transient(transient);
    };
  };
}

function deathText({ type, death }: ProgressEvent): string | undefined {
  if (death === undefined || (type !== 'target died' && type !== 'target back')) return undefined;
  return visibleText(`${death.side === undefined ? '' : `${death.side}: `}${deathNews({ type, death })}`);
}

/** Erases the current line of a terminal. */
export const eraseLine = '\r\u001b[2K';

/** Milliseconds, without a terminal, until the first progress line, and between further ones. */
const [quiet, between] = [10_000, 30_000];

/**
 * One changing line on a terminal. Elsewhere plain lines: what matters, and now and then the progress of something long. A build server
 * keeps whatever is written, and so gets no changing line.
 */
export class LineProgress {
  readonly #stream: TextStream;
  readonly #changes: boolean;
  readonly #now: () => number;
  #left: ReturnType<typeof estimate>;
  #due: number | undefined;

  constructor(stream: TextStream, { CI: ci }: Io['env'] = io().env, now = () => performance.now()) {
    this.#stream = stream;
    this.#changes = stream.isTTY === true && ci === undefined;
    this.#now = now;
    this.#left = estimate(now);
  }

  line(text: string): void {
    this.#stream.write(`${this.#changes ? eraseLine : ''}cselab: ${text}\n`);
  }

  /** `plainText`: for outputs without a changing line; the same by default. */
  transient(text: string, plainText = text): void {
    if (this.#changes) return void this.#stream.write(eraseLine + cut(text, (this.#stream.columns || 80) - 1));
    const now = this.#now();
    this.#due ??= now + quiet;
    if (now < this.#due) return;
    this.#due = now + between;
    this.line(plainText);
  }

  /**
   * `12 of 400 scenarios, about 2 min left`: on a terminal before `now`, elsewhere after `about`. What has `begun` and is not done counts
   * half: failures are reported once they have run again, after all others.
   */
  count(done: number, of: number, what: string, { now = '', about = '', begun = done } = {}): void {
    const text = `${done} of ${of} ${what}${this.#left((done + begun) / 2, of)}`;
    this.transient(text + now, about + text);
  }

  /** So many are done from before, which does not count for the estimate. */
  resumed(done: number, of: number, what: string): void {
    this.#left = estimate(this.#now, done);
    this.line(`${done} of ${of} ${what}`);
  }

  end(): void {
    if (this.#changes) this.#stream.write(eraseLine);
  }
}

/** Milliseconds before the first estimate. */
const minElapsed = 3000;

/**
 * Estimates the rest of something that begins now, such as `, about 40 s left`; empty while too little is done. `prior` items took no time,
 * and a count lower than the last one begins anew.
 */
export function estimate(now: () => number = () => performance.now(), prior = 0): (done: number, of: number) => string {
  let [began, before, last] = [now(), prior, { done: 0, at: now() }];
  return (done, of) => {
    if (done < last.done) [began, before] = [last.at, 0];
    last = { done, at: now() };
    const [took, own] = [last.at - began, done - before];
    if (took < minElapsed || own <= 0 || done >= of) return '';
    const seconds = Math.ceil(((took / own) * (of - done)) / 1000);
    return `, about ${seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`;
  };
}

const interruptions = ['SIGINT', 'SIGTERM'] as const;

/** Does something that Ctrl-C aborts by a signal; a second Ctrl-C ends the process, after a note. */
export async function interruptible<T>(task: (signal: AbortSignal) => Promise<T>, atSecond = () => {}): Promise<T> {
  const interrupt = new AbortController();
  const own = io();
  const onInterrupt = () => {
    if (!interrupt.signal.aborted) return interrupt.abort();
    atSecond();
    own.exit(130);
  };
  for (const signal of interruptions) own.on(signal, onInterrupt);
  try {
    return await task(interrupt.signal);
  } finally {
    for (const signal of interruptions) own.off(signal, onInterrupt);
  }
}

/** Aborts after so many milliseconds, or with another signal. A timer holds it: Node 20 loses an `AbortSignal.timeout` used by `any` alone. */
export function endedAfter(duration: number, signal: AbortSignal): AbortSignal {
  const over = new AbortController();
  setTimeout(() => over.abort(), duration).unref();
  return AbortSignal.any([signal, over.signal]);
}

/** Shows the progress of a run with each scenario that begins or ends. */
export function runProgress(lines: LineProgress): EventListener<RunEvent> {
  let [planned, finished, failed, url] = [0, 0, 0, ''];
  const begun = new Set<string>();
  return (event) => {
    if (event.type === 'run started') [planned, url] = [event.planned, event.target.url];
    if (event.type !== 'scenario started' && event.type !== 'scenario finished') return;
    if (event.type === 'scenario finished') finished += 1;
    if (event.type === 'scenario finished' && event.result.state === 'failed') failed += 1;
    const { id, title } = event.type === 'scenario started' ? event : event.result;
    begun.add(id);
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    const details = { now: `: ${visibleText(title)}`, about: `${url}: `, begun: begun.size };
    lines.count(finished, planned, `scenarios${failures}`, details);
  };
}
