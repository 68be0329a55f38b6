import { Document, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Requirement } from '../../engine/files/catalogue.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { placeholder } from '../../recording/placeholders.ts';
import type { CounterexampleScenario } from './scenario.ts';

export interface Origin {
  readonly requirement: Pick<Requirement, 'id' | 'says'>;
  readonly seed: number;
  readonly path: string;
  /** What came instead of what was expected. */
  readonly actual: string;
  /** Command that found it; `cselab explore` when absent. */
  readonly command?: string;
}

/** An ordinary scenario file, with seed and path as a comment. */
export function counterexampleText(scenario: CounterexampleScenario, origin: Origin): string {
  const { requirement, seed, path, actual, command = 'cselab explore' } = origin;
  return fileText(scenario, requirement, [
    `Found by ${command}. The same sequence again: ${command} --seed ${seed} --path ${path}`,
    `Instead: ${actual.replace(/\s+/g, ' ')}`,
  ]);
}

/** With these lines as a leading comment. `isExact`: texts are not wrapped. */
export function fileText(
  { dialect, actors, inboxes = {}, steps }: CounterexampleScenario,
  { id, says }: Pick<Requirement, 'id' | 'says'>,
  comment: readonly string[],
  isExact = false,
): string {
  const has = (named: object) => Object.keys(named).length > 0;
  const needs = [
    ...(steps.some(asksBackend) ? ['backend'] : []),
    ...(has(actors) ? ['any originator'] : []),
    ...(has(inboxes) ? ['notifications'] : []),
  ];
  const document = new Document({
    feature: `Counterexample to ${id}`,
    about: says,
    ...(dialect !== undefined && { dialects: [dialect] }),
    ...(needs.length > 0 && { needs }),
    ...(has(inboxes) && { inboxes }),
    ...(has(actors) && { actors }),
    scenarios: { counterexample: { title: says, steps } },
  });
  document.commentBefore = comment.map((line) => ` ${line}`).join('\n');
  visit(document.getIn(['scenarios', 'counterexample', 'steps'], true) as YAMLSeq, { Map: briefly, Seq: briefly });
  return document.toString({ ...(isExact ? undivided : { lineWidth: 120 }), flowCollectionPadding: true });
}

const undivided = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };

function asksBackend(step: Step): boolean {
  return ('on' in step && step.on === 'backend') || JSON.stringify(step).includes(placeholder('backend-cse'));
}

/** Nested nodes of a list entry stand on one line. */
export function briefly(_: unknown, node: YAMLMap | YAMLSeq, path: readonly unknown[]): undefined {
  if (path.length > 1) node.flow = true;
}
