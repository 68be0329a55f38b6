import { titleOf } from '../../engine/running/step-title.ts';
import type { Call, History } from './history.ts';
import type { HistoryRow } from './together-exploration.ts';

/** A history as rows that can be read. */
export function rowsOf({ calls, label }: History): HistoryRow[] {
  const spans = spansOf(calls);
  return calls.map((call, at): HistoryRow => {
    const { from, to } = spans[at] ?? { from: 0, to: undefined };
    const { originator } = call;
    return {
      ...(originator !== undefined && { originator: String.fromCharCode(65 + originator) }),
      request: requestOf(call).replaceAll(`${label}-`, ''),
      answer: answerOf(call).replaceAll(`${label}-`, ''),
      from,
      ...(to !== undefined && { to }),
    };
  });
}

interface Span {
  readonly from: number;
  readonly to: number | undefined;
}

/** Time in as few spans as tell which request was under way together with which: a new one begins with the first request after an answer. */
function spansOf(calls: readonly Call[]): Span[] {
  const begins = calls.map(({ from }) => from);
  const ends = calls.map(({ to }) => to);
  // On a tie both count as under way.
  const events = [...begins.map((at) => ({ at, isAnswer: false })), ...ends.map((at) => ({ at, isAnswer: true }))].sort(
    (a, b) => a.at - b.at || Number(a.isAnswer) - Number(b.isAnswer),
  );
  const spanAt = new Map<string, number>();
  let span = 0;
  let wasAnswer = false;
  for (const { at, isAnswer } of events) {
    if (wasAnswer && !isAnswer) span += 1;
    wasAnswer = isAnswer;
    spanAt.set(`${at} ${isAnswer}`, span);
  }
  return calls.map(({ from, to }) => ({
    from: spanAt.get(`${from} false`) ?? 0,
    to: Number.isFinite(to) ? spanAt.get(`${to} true`) : undefined,
  }));
}

function requestOf({ step, action }: Call): string {
  const title = titleOf(step, new Map());
  if ('create' in step) {
    const { rn, lbl, con, mni } = step.attributes ?? {};
    const said = Object.entries({ rn, lbl, con, mni }).filter(([, value]) => value !== undefined);
    const words = said.map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : value}`);
    return words.length === 0 ? title : `${title}: ${words.join(', ')}`;
  }
  if ('update' in step) return `${title}: lbl ${[step.attributes.lbl].flat().join(' ')}`;
  return 'discover' in step && action.does === 'discover' ? `discover by label ${step.where?.lbl}` : title;
}

/** What of a representation the model goes by. */
const shown = ['rn', 'ri', 'cni', 'cbs', 'st', 'lbl'];

function answerOf({ view, exchange, outcome, action }: Call): string {
  const { status, attributes, found } = view;
  if (status === undefined) return exchange?.failure?.message ?? 'no answer';
  if (outcome !== 'success') return String(status);
  if (found !== undefined) return `${status}: ${found.length === 0 ? 'nothing' : found.join(' ')}`;
  const names = action.does === 'delete' ? [] : shown;
  const words = names.flatMap((name) => {
    const value = attributes?.[name];
    return value === undefined ? [] : [`${name} ${Array.isArray(value) ? value.join(' ') : value}`];
  });
  return words.length === 0 ? String(status) : `${status}: ${words.join(', ')}`;
}
