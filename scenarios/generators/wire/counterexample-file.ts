/** What is kept of bytes that break the law. */
import { Document, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Requirement } from '../../engine/files/catalogue.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { escaped } from '../../engine/messages/escaped.ts';
import type { CounterexampleScenario } from '../counterexample/scenario.ts';
import type { WireCounterexample } from './wire-exploration.ts';

export interface FileFacts extends Omit<WireCounterexample, 'file' | 'confirmed'> {
  readonly seed: number;
  readonly dialect: Dialect;
}

/** An ordinary scenario file, with all that can be said beside it as a comment. */
export function scenarioText(
  { actors, steps }: CounterexampleScenario,
  { id, says, level }: Requirement,
  facts: FileFacts,
): string {
  const file = {
    feature: `Counterexample to ${id}`,
    about: says,
    ...(facts.dialect !== 'documented' && { dialects: [facts.dialect] }),
    ...(Object.keys(actors).length > 0 && { needs: ['any originator'], actors }),
    scenarios: { counterexample: { title: says, steps } },
  };
  const document = new Document(file);
  document.commentBefore = [
    `Found by cselab explore. The same bytes again: ${commandOf(facts)}`,
    `Unusual: ${facts.what}`,
    `Instead: ${facts.says} The answer: ${facts.answer}`,
    `By hand: ${facts.curl}`,
    ...(level === 'gap' ? [leftOpen] : []),
  ]
    .map((line) => ` ${escaped(line)}`)
    .join('\n');
  visit(document.getIn(['scenarios', 'counterexample', 'steps'], true) as YAMLSeq, {
    Map: (_, node, path) => briefly(node, path.length > 1),
    Seq: (_, node, path) => briefly(node, path.length > 1),
  });
  return document.toString({
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    flowCollectionPadding: true,
  });
}

const leftOpen = 'The specification leaves this open: cselab check tells what the target does, and does not blame it.';

/** What stands within a step is written in one line. */
function briefly(node: YAMLMap | YAMLSeq, isInner: boolean): undefined {
  if (isInner) node.flow = true;
}

/** Where no requirement can be named that a scenario could check. */
export function bytesText(facts: FileFacts): string {
  const { what, says, answer, bytes, curl } = facts;
  return [
    `Found by cselab explore. The same bytes again: ${commandOf(facts)}`,
    '',
    `Unusual: ${what}`,
    `Wrong:   ${says}`,
    `Answer:  ${answer}`,
    '',
    'Sent by:',
    curl,
    '',
    'The bytes, \\r and \\n for the ends of lines, \\x and two digits for what cannot be seen:',
    bytes,
    '',
  ].join('\n');
}

function commandOf({ dialect, seed, path }: FileFacts): string {
  const speaking = dialect === 'documented' ? '' : ` --dialect ${dialect}`;
  return `cselab explore --wire${speaking} --seed ${seed} --path ${path}`;
}
