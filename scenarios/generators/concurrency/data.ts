import { Document, visit, type YAMLSeq } from 'yaml';
import { briefly } from '../counterexample/text.ts';
import type { UnexplainedHistory } from './together-exploration.ts';

interface DataFacts extends Omit<UnexplainedHistory, 'data'> {
  readonly seed: number;
}

/** A history that nothing explains, as a file that can be kept: a scenario has no words for requests at the same time. */
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
    ' from, to: spans of time; requests that have one in common were under way at the same moment.',
    ' explained: the longest order that was found; the answer left over is what no order gives.',
  ].join('\n');
  for (const name of ['history', 'program']) visit(document.get(name, true) as YAMLSeq, { Map: briefly, Seq: briefly });
  document.set('explained', document.createNode(document.toJS().explained, { flow: true }));
  return document.toString({ lineWidth: 120, flowCollectionPadding: true });
}
