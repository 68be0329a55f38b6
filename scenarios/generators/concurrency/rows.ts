import { Document, visit, type YAMLSeq } from 'yaml';
import { titleOf } from '../../engine/judging/sentences.ts';
import { briefly } from '../counterexample/text.ts';
import type { HistoryRow, UnexplainedHistory } from './concurrent-exploration.ts';
import type { Call, History } from './history.ts';

/** A history as readable rows. */
export function rowsOf({ calls, label }: History): HistoryRow[] {
  const spanAt = spansOf(calls);
  return calls.map((call): HistoryRow => {
    const { originator, from, to } = call;
    return {
      ...(originator !== undefined && { originator: String.fromCharCode(65 + originator) }),
      request: requestOf(call).replaceAll(`${label}-`, ''),
      answer: answerOf(call).replaceAll(`${label}-`, ''),
      from: spanAt(from),
      ...(Number.isFinite(to) && { to: spanAt(to) }),
    };
  });
}

/** Time in as few spans as show which requests were concurrent: a new one begins with the first request after an answer. */
function spansOf(calls: readonly Call[]): (instant: number) => number {
  const begins = calls.map(({ from }) => from).sort((a, b) => a - b);
  // On a tie both count as under way.
  const first = begins.filter((begin, at) => calls.some(({ to }) => to < begin && to >= (begins[at - 1] ?? begin)));
  return (instant) => first.filter((begin) => begin <= instant).length;
}

function requestOf({ step }: Call): string {
  const title = titleOf(step, new Map());
  if ('create' in step) {
    const words = wordsOf(step.attributes, ['rn', 'lbl', 'con', 'mni']);
    return words === '' ? title : `${title}: ${words}`;
  }
  if ('update' in step) return `${title}: lbl ${[step.attributes.lbl].flat().join(' ')}`;
  return 'discover' in step ? `discover by label ${step.where?.lbl}` : title;
}

/** Attributes that the model knows. */
const displayed = ['rn', 'ri', 'cni', 'cbs', 'st', 'lbl'];

function answerOf({ view, exchange, outcome, step }: Call): string {
  const { status, attributes, found } = view;
  if (status === undefined) return exchange?.failure?.message ?? 'no answer';
  if (outcome !== 'success') return String(status);
  if (found !== undefined) return `${status}: ${found.length === 0 ? 'nothing' : found.join(' ')}`;
  const words = 'delete' in step ? '' : wordsOf(attributes, displayed);
  return words === '' ? String(status) : `${status}: ${words}`;
}

function wordsOf(attributes: Readonly<Record<string, unknown>> = {}, names: readonly string[]): string {
  const present = names.filter((name) => attributes[name] !== undefined);
  return present.map((name) => `${name} ${[attributes[name]].flat().map(String).join(' ')}`).join(', ');
}

interface DataFacts extends Omit<UnexplainedHistory, 'data'> {
  readonly seed: number;
}

/** An unexplained history as a file: scenarios cannot express concurrent requests. */
export function dataOf(facts: DataFacts): string {
  const { requirement, says, rows, leftOver, order, seen, program, command, seed, path } = facts;
  const document = new Document({
    requirement,
    says,
    seen,
    history: rows.map((row, at) => ({ number: at + 1, ...row })),
    explained: order.map((at) => at + 1),
    'left over': leftOver + 1,
    program,
  });
  document.commentBefore = [
    ' No order in which a CSE could have done these requests explains their answers.',
    ` Again: ${command} --seed ${seed} --path ${path}`,
    ' from, to: spans of time; requests that share one were concurrent.',
    ' explained: the longest order found; left over: the answer that no order gives.',
  ].join('\n');
  for (const name of ['history', 'program']) visit(document.get(name, true) as YAMLSeq, { Map: briefly, Seq: briefly });
  document.set('explained', document.createNode(document.toJS().explained, { flow: true }));
  return document.toString({ lineWidth: 120, flowCollectionPadding: true });
}
