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

/** True for six or seven fields, each with what it can have. */
export function isSchedule(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return (
    fields.length >= 6 && fields.length <= 7 && fields.every((field, place) => isField(field, ranges[place] ?? [0, 0]))
  );
}

function isField(field: string, [first, last]: readonly [number, number]): boolean {
  return field.split(',').every((part) => {
    const [all, , from = first, to = from, step = 1] = entry.exec(part) ?? [];
    return (
      all !== undefined && Number(from) >= first && Number(to) <= last && Number(from) <= Number(to) && Number(step) > 0
    );
  });
}

/** True when the moment, microseconds since 1970 UTC, is one of the schedule. What is no schedule has no moments. */
export function isScheduled(schedule: string, moment: number): boolean {
  const fields = schedule.trim().split(/\s+/);
  if (fields.length < 6 || fields.length > 7) return false;
  const date = new Date(moment / 1000);
  const values = [
    date.getUTCSeconds(),
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth() + 1,
    date.getUTCDay(),
    date.getUTCFullYear(),
  ];
  return fields.every((field, place) => fits(field, values[place] ?? 0, ranges[place] ?? [0, 0], place === 5));
}

function fits(field: string, value: number, [first, last]: readonly [number, number], isWeekday: boolean): boolean {
  return field.split(',').some((part) => {
    const match = entry.exec(part);
    if (match === null) return false;
    const [, everything, from, to, step] = match;
    const low = everything === undefined ? Number(from) : first;
    const high = everything === undefined ? Number(to ?? (step === undefined ? from : last)) : last;
    const candidates = isWeekday && value === 0 ? [0, 7] : [value];
    return candidates.some((one) => one >= low && one <= high && (one - low) % Number(step ?? 1) === 0);
  });
}
