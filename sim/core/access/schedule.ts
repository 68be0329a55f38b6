/** Schedules as TS-0004, clause 6.3.2, writes them: `second minute hour day month weekday [year]`, in UTC. */

const ranges: readonly (readonly [first: number, last: number])[] = [
  [0, 59],
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
  [1970, 9999],
];

const entry = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/;

interface Span {
  readonly low: number;
  readonly high: number;
  readonly step: number;
}

/** The spans of each of the six or seven fields; empty for text that is no schedule. */
function spansIn(schedule: string): readonly (readonly Span[])[] {
  const fields = schedule.trim().split(/\s+/);
  if (fields.length < 6 || fields.length > 7) return [];
  const spans = fields.map((field, index) =>
    field.split(',').flatMap((part) => spanIn(part, ranges[index] as (typeof ranges)[number])),
  );
  return spans.every((found, index) => found.length === fields[index]?.split(',').length) ? spans : [];
}

/** `5/10` begins at 5 and has no end. */
function spanIn(part: string, [first, last]: (typeof ranges)[number]): readonly Span[] {
  const [, everything, from, to, step] = entry.exec(part) ?? [];
  const low = everything === undefined ? Number(from) : first;
  const high = everything === undefined ? Number(to ?? (step === undefined ? from : last)) : last;
  const span = { low, high, step: Number(step ?? 1) };
  return low >= first && high <= last && low <= high && span.step > 0 ? [span] : [];
}

export const isSchedule = (text: string): boolean => spansIn(text).length > 0;

/** True when the moment, microseconds since 1970 UTC, is in the schedule; never for text that is none. */
export function isScheduled(schedule: string, moment: number): boolean {
  const date = new Date(moment / 1000);
  const weekday = date.getUTCDay();
  const values = [
    ...[[date.getUTCSeconds()], [date.getUTCMinutes()], [date.getUTCHours()], [date.getUTCDate()]],
    ...[[date.getUTCMonth() + 1], weekday === 0 ? [0, 7] : [weekday], [date.getUTCFullYear()]],
  ];
  const isIn = (value: number, { low, high, step }: Span) =>
    value >= low && value <= high && (value - low) % step === 0;
  const fields = spansIn(schedule);
  return (
    fields.length > 0 &&
    fields.every((spans, index) => values[index]?.some((value) => spans.some((span) => isIn(value, span))))
  );
}
