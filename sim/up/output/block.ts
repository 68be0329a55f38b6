/** The summary of `cselab up` on a terminal: activity and resources of each CSE, and the latest remarks. */
import type pc from 'picocolors';
import type { Census, RequestCounts } from './event.ts';
import type { Remark, Weight } from './latest.ts';
import type { Line } from './redrawn-block.ts';

export interface CseState extends RequestCounts, Census {
  readonly cse: string;
  /** Requests per second, over the last seconds. */
  readonly rate: number;
  readonly registrations: readonly { readonly at: string; readonly registered: boolean }[];
}

export interface Summary {
  readonly cses: readonly CseState[];
  readonly remarks: readonly Remark[];
  /** Milliseconds since everything was ready. */
  readonly uptime: number;
}

type Colors = ReturnType<typeof pc.createColors>;
type Paint = (text: string) => string;

interface Layout {
  readonly columns: number;
  readonly colors: Colors;
}

interface Cell {
  readonly text: string;
  readonly paint?: Paint;
}

interface Column {
  readonly title: string;
  readonly width: number;
  readonly cell: (state: CseState, colors: Colors) => Cell;
}

/** CSEs with a line of their own. */
const mostLines = 8;
/** Columns of a name. */
const [shortestName, longestName] = [8, 16];

/** Lines that leave the last column empty, as a full line makes some terminals begin a new one. */
export function blockOf(summary: Summary, { columns, colors }: Layout): Line[] {
  const layout = { columns: Math.max(columns - 1, 10), colors };
  return [
    { text: '', width: 0 },
    ...table(visibleRows(summary.cses), layout),
    ...recentLines(summary, layout),
    line([{ text: `up for ${span(summary.uptime)}; Ctrl-C ends it`, paint: colors.dim }], layout),
  ];
}

/** Where there are too many, one row sums up the others; the backend is the last one of all. */
function visibleRows(cses: readonly CseState[]): readonly CseState[] {
  if (cses.length <= mostLines) return cses;
  const [first, others] = [cses.slice(0, mostLines - 2), cses.slice(mostLines - 2, -1)];
  return [...first, together(others), ...cses.slice(-1)];
}

function together(cses: readonly CseState[]): CseState {
  const sum = (of: (one: CseState) => number) => cses.reduce((total, one) => total + of(one), 0);
  return {
    cse: `${cses.length} others`,
    ...{ rate: sum((one) => one.rate), requests: sum((one) => one.requests), refused: sum((one) => one.refused) },
    ...{ failed: sum((one) => one.failed), resources: sum((one) => one.resources) },
    ...{ notifications: sum((one) => one.notifications), undelivered: sum((one) => one.undelivered) },
    ...{ applications: sum((one) => one.applications), subscriptions: sum((one) => one.subscriptions) },
    registrations: cses.flatMap(({ registrations }) => registrations),
  };
}

/** On a narrow terminal the last ones are left out first. */
function columnsOf(cses: readonly CseState[]): Column[] {
  const registered = cses.map((one) => registrationOf(one).text.length);
  return [
    count('requests', 10, ({ requests }) => requests),
    count('/s', 7, ({ rate }) => rate),
    count('resources', 11, ({ resources }) => resources),
    count('refused', 9, ({ refused, failed }) => refused + failed, 'yellow'),
    count('apps', 6, ({ applications }) => applications),
    count('notified', 10, ({ notifications }) => notifications),
    { title: ' registered', width: Math.max(11, ...registered), cell: registrationOf },
    count('subs', 6, ({ subscriptions }) => subscriptions),
    count('lost', 6, ({ undelivered }) => undelivered, 'red'),
  ];
}

function count(title: string, width: number, of: (state: CseState) => number, color?: 'red' | 'yellow'): Column {
  return {
    title: title.padStart(width),
    width,
    cell: (state, colors) => {
      const number = of(state);
      const text = short(number, width - 1).padStart(width);
      return { text, ...(number > 0 && color !== undefined && { paint: colors[color] }) };
    },
  };
}

function registrationOf({ registrations }: CseState, colors?: Colors): Cell {
  if (registrations.length === 0) return { text: '' };
  const lacking = registrations.filter(({ registered }) => !registered);
  const [first] = lacking.length > 0 ? lacking : registrations;
  const one = lacking.length > 0 ? `not at ${first?.at}` : `at ${first?.at}`;
  const all = lacking.length > 0 ? `${lacking.length} of ${registrations.length} not` : `all ${registrations.length}`;
  const paint = lacking.length > 0 ? colors?.red : colors?.green;
  return { text: ` ${registrations.length > 1 ? all : one}`, ...(paint && { paint }) };
}

function table(cses: readonly CseState[], layout: Layout): Line[] {
  const { colors } = layout;
  const name = Math.min(longestName, Math.max(shortestName, ...cses.map(({ cse }) => visible(cse).length)));
  let left = layout.columns - name;
  const columns = columnsOf(cses).filter(({ width }, at, all) => {
    const isFirst = all.slice(0, at).every(() => left >= 0);
    if (isFirst) left -= width;
    return isFirst && left >= 0;
  });
  const titles = columns.map(({ title, width }) => title.padEnd(width));
  return [
    line([{ text: ' '.repeat(name) + titles.join(''), paint: colors.dim }], layout),
    ...cses.map((state) => {
      const cells = columns.map(({ width, cell }) => {
        const { text, ...rest } = cell(state, colors);
        return { text: text.padEnd(width), ...rest };
      });
      return line([{ text: cut(visible(state.cse), name).padEnd(name), paint: colors.bold }, ...cells], layout);
    }),
  ];
}

const paints: Readonly<Record<Weight, (colors: Colors) => Paint>> = {
  noted: () => (text) => text,
  refused: ({ yellow }) => yellow,
  failed: ({ red }) => red,
  undelivered: ({ red }) => red,
};

function recentLines({ remarks, cses }: Summary, layout: Layout): Line[] {
  const { colors } = layout;
  const isIdle = (cses[0]?.requests ?? 0) === 0;
  if (remarks.length === 0) {
    const text = isIdle ? 'No request yet; the lines above make one.' : 'Nothing was refused, nothing was lost.';
    return [line([{ text, paint: colors.dim }], layout)];
  }
  return [...remarks].reverse().flatMap((remark) => remarkLines(remark, layout));
}

/** A remark, and its reason below it. */
function remarkLines({ weight, cse, text, reason, at, times }: Remark, layout: Layout): Line[] {
  const { dim } = layout.colors;
  // By the clock on the wall.
  const time = new Date(at).toTimeString().slice(0, 'HH:MM:SS'.length);
  const what = [
    { text: `${time} ${times > 1 ? `${times}× ` : ''}`, paint: dim },
    { text: `${visible(cse)} ` },
    { text: visible(text), paint: paints[weight](layout.colors) },
  ];
  if (reason === undefined) return [line(what, layout)];
  return [line(what, layout), line([{ text: `${' '.repeat(time.length)} ${visible(reason)}` }], layout)];
}

function line(cells: readonly Cell[], { columns }: Layout): Line {
  let text = '';
  let width = 0;
  for (const cell of cells) {
    const fitting = cut(cell.text, columns - width);
    text += fitting === '' ? '' : (cell.paint?.(fitting) ?? fitting);
    width += fitting.length;
  }
  return { text, width };
}

function cut(text: string, columns: number): string {
  if (text.length <= columns) return text;
  return columns <= 0 ? '' : `${text.slice(0, columns - 1)}…`;
}

/** Each character takes one column: a terminal obeys none of it. */
function visible(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[^ -~]/gu, '?');
}

/** Whole numbers with commas; where that is too long in thousands or millions. */
function short(number: number, width: number): string {
  const whole = Math.round(number).toLocaleString('en-US');
  if (whole.length <= width) return whole;
  return number < 1e6 ? `${Math.floor(number / 1e3)}k` : `${Math.floor(number / 1e6).toLocaleString('en-US')}M`;
}

function span(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
