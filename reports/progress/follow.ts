import { type Death, lastOf } from '../../scenarios/index.ts';
import { deathNews } from '../death-facts.ts';
import { visibleText } from '../visible-text.ts';
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
  try {
    return await lastOf(events, silent ? undefined : progress(lines));
  } finally {
    if (!silent) lines.end();
  }
}

/** As far as every event of a run is alike. */
export interface Told {
  readonly type: string;
  readonly planned?: number;
  readonly death?: Death & { readonly side?: string };
}

/** What is said of an event of each type, how many were planned, and how often there was one. */
type Saying<Event extends Told> = {
  readonly [Type in Event['type']]?: (
    event: Extract<Event, { readonly type: Type }>,
    planned: number,
    times: number,
  ) => string;
};

/** Some events are a line of their own, others only one that passes on a terminal; that a target died, or is back, is always told. */
export interface Progress<Event extends Told> {
  readonly lines: Saying<Event>;
  readonly passing: Saying<Event>;
}

export function progressOf<Event extends Told>(says: Progress<Event>): (lines: LineProgress) => Teller<Event> {
  return (lines) => {
    let planned = 0;
    const times = new Map<string, number>();
    return (event) => {
      const { type } = event;
      planned = event.planned ?? planned;
      times.set(type, (times.get(type) ?? 0) + 1);
      const said = (by: Saying<Event>) => {
        const say = new Map<string, unknown>(Object.entries(by)).get(type) as Saying<Told>[string];
        return say && visibleText(say(event, planned, times.get(type) ?? 0));
      };
      const [line = deathText(event), passing] = [said(says.lines), said(says.passing)];
      if (line !== undefined) lines.line(line);
      if (passing !== undefined) lines.passing(passing);
    };
  };
}

function deathText({ type, death }: Told): string | undefined {
  if (death === undefined || (type !== 'target died' && type !== 'target back')) return undefined;
  return visibleText(`${death.side === undefined ? '' : `${death.side}: `}${deathNews({ type, death })}`);
}
