/** What was not judged, and what the verdict rests on beside: the circumstances of a run. */
import type { RunResult, ScenarioState, Verdict } from '../../scenarios/index.ts';
import { type Content, type Fold, facts, muted, type Span } from '../document/model.ts';
import { scenarioAnchor } from '../html/anchor.ts';
import type { ReasonGroup } from '../not-tested.ts';
import { surveySentence } from '../survey-text.ts';
import { counted, looks } from '../wording.ts';

/** The verdict by which a scenario's state is filtered. */
function verdictOf(state: Verdict | ScenarioState): string {
  if (state === 'fault') return 'harness fault';
  return state === 'blocked' || state === 'interrupted' ? 'not testable' : state;
}

/** What gave no verdict, grouped by the reason. */
export function unjudgedTold(groups: readonly ReasonGroup[]): Fold[] {
  return groups.map(({ of, state, reason, ids }) => ({
    ...{ kind: 'fold', id: reason, says: '', state, ...looks[state], isOpen: true },
    ...{ narrowedBy: verdictOf(state), texts: [state, ...ids] },
    content: [
      muted(counted(ids.length, of)),
      {
        kind: 'prose',
        words: ids.flatMap(
          (id, at): Array<string | Span> => [
            at === 0 ? '' : ', ',
            { text: id, as: 'code', to: of === 'scenario' ? scenarioAnchor(id) : id },
          ],
        ),
      },
    ],
  }));
}

/** What was taken for granted, claimed, excused and left behind. */
export function circumstancesTold(result: RunResult): Content {
  const { assumed = [], notes = [], statement = [], survey, baseline } = result;
  const excused = baseline && `${baseline.file} excuses ${counted(baseline.known, 'failed check')}.`;
  const problems = baseline?.problems.map(({ kind, says }) => `${kind}: ${says}`) ?? [];
  return [
    part('Judged by', judgedBy(result)),
    part('Assumed of the target', sentences(assumed)),
    part('Worth knowing', sentences(notes)),
    part('What the target held before and after', survey && surveySentence(survey)),
    part('Baseline', excused && [excused, sentences(problems)]),
    part(
      'Implementation conformance statement',
      facts(...statement.map(({ id, name, claim }) => [`${name} ${id}`, claim] as const)),
    ),
  ];
}

function part(title: string, content: Content): Content {
  return content && { kind: 'group', title, content, isPlain: true };
}

function sentences(items: readonly string[]): Content {
  return items.length > 0 && { kind: 'list', items };
}

function judgedBy({ strictness, shard, specification }: RunResult): string {
  const { level, failOn, minEvidence } = strictness;
  const strict = level === 'standard' ? ', with what the standard demands' : '';
  const red = failOn.length === 0 ? 'Nothing makes it red' : `Red for ${failOn.join(', ')}`;
  const evidence = minEvidence > 1 ? `; satisfied from ${minEvidence} passed checks on` : '';
  const part = shard === undefined ? '' : ` This is part ${shard.index} of ${shard.count} of the plan.`;
  return `${specification}${strict}. ${red}${evidence}.${part}`;
}
