import { LineProgress } from './line-progress.ts';

/** Told of each event of a run, to say how far it is. */
export type Teller<Event> = (event: Event) => void;

/** Reads events to their end, telling each on stderr unless it is to be silent; resolves to what the last one carries. */
export async function follow<Event, Result>(
  events: AsyncGenerator<Event, Result>,
  progress: (lines: LineProgress) => Teller<Event>,
  silent = false,
): Promise<Result> {
  const lines = new LineProgress(process.stderr);
  const tell = silent ? undefined : progress(lines);
  try {
    let step = await events.next();
    for (; !step.done; step = await events.next()) tell?.(step.value);
    return step.value;
  } finally {
    if (!silent) lines.end();
  }
}
