import { Document, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Requirement } from '../../engine/files/catalogue.ts';
import type { CounterexampleScenario } from './scenario.ts';

export interface Origin {
  readonly requirement: Requirement;
  readonly seed: number;
  readonly path: string;
  /** What came instead of what was expected. */
  readonly actual: string;
}

/** An ordinary scenario file, with seed and path as a comment. */
export function counterexampleText({ actors, steps }: CounterexampleScenario, origin: Origin): string {
  const { requirement, seed, path, actual } = origin;
  const someone = Object.keys(actors).length > 0;
  const file = {
    feature: `Counterexample to ${requirement.id}`,
    about: requirement.says,
    ...(someone && { needs: ['any originator'], actors }),
    scenarios: { counterexample: { title: requirement.says, steps } },
  };
  const document = new Document(file);
  document.commentBefore = [
    ` Found by cselab explore. The same sequence again: cselab explore --seed ${seed} --path ${path}`,
    ` Instead: ${actual.replace(/\s+/g, ' ')}`,
  ].join('\n');
  visit(document.getIn(['scenarios', 'counterexample', 'steps'], true) as YAMLSeq, {
    Map: (_, node, path) => briefly(node, path.length > 1),
    Seq: (_, node, path) => briefly(node, path.length > 1),
  });
  return document.toString({ lineWidth: 120, flowCollectionPadding: true });
}

/** What stands within a step is written in one line. */
function briefly(node: YAMLMap | YAMLSeq, isInner: boolean): undefined {
  if (isInner) node.flow = true;
}
