import { Document, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Requirement } from '../../engine/files/catalogue.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { written } from '../../recording/literals.ts';
import type { CounterexampleScenario } from './scenario.ts';

export interface Origin {
  readonly requirement: Pick<Requirement, 'id' | 'says'>;
  readonly seed: number;
  readonly path: string;
  /** What came instead of what was expected. */
  readonly actual: string;
  /** By which it was found; `cselab explore` when absent. */
  readonly command?: string;
}

/** An ordinary scenario file, with seed and path as a comment. */
export function counterexampleText(scenario: CounterexampleScenario, origin: Origin): string {
  const { dialect, actors, inboxes = {}, steps } = scenario;
  const { requirement, seed, path, actual, command = 'cselab explore' } = origin;
  const needs = [
    ...(steps.some(asksBackend) ? ['backend'] : []),
    ...(Object.keys(actors).length > 0 ? ['any originator'] : []),
    ...(Object.keys(inboxes).length > 0 ? ['notifications'] : []),
  ];
  const file = {
    feature: `Counterexample to ${requirement.id}`,
    about: requirement.says,
    ...(dialect !== undefined && { dialects: [dialect] }),
    ...(needs.length > 0 && { needs }),
    ...(Object.keys(inboxes).length > 0 && { inboxes }),
    ...(Object.keys(actors).length > 0 && { actors }),
    scenarios: { counterexample: { title: requirement.says, steps } },
  };
  const document = new Document(file);
  document.commentBefore = [
    ` Found by ${command}. The same sequence again: ${command} --seed ${seed} --path ${path}`,
    ` Instead: ${actual.replace(/\s+/g, ' ')}`,
  ].join('\n');
  visit(document.getIn(['scenarios', 'counterexample', 'steps'], true) as YAMLSeq, {
    Map: (_, node, path) => briefly(node, path.length > 1),
    Seq: (_, node, path) => briefly(node, path.length > 1),
  });
  return document.toString({ lineWidth: 120, flowCollectionPadding: true });
}

function asksBackend(step: Step): boolean {
  return ('on' in step && step.on === 'backend') || JSON.stringify(step).includes(written('backend-cse'));
}

/** What stands within a step is written in one line. */
function briefly(node: YAMLMap | YAMLSeq, isInner: boolean): undefined {
  if (isInner) node.flow = true;
}
