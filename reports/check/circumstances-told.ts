/** What was not judged, and what the verdict rests on beside: the circumstances of a run. */
import { notSelected, type RunResult } from '../../scenarios/index.ts';
import { type Block, type Content, type Fold, facts, muted, only, type Span } from '../document/model.ts';
import { scenarioAnchor } from '../html/anchor.ts';
import type { ReasonGroup } from '../not-tested.ts';
import { surveySentence } from '../survey-text.ts';
import { counted, looks, type State, verdictOf } from '../wording.ts';

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

/** So many ids are listed. */
const idsShown = 6;

/** The same for a text. What nobody asked for is only counted. */
export function notTestedTold(groups: readonly ReasonGroup[]): Content {
  const single = groups.filter((group) => !isTelling(group) && group.ids.length === 1);
  const count = counted(single.length, 'requirement');
  const listed = groups.filter((group) => !single.includes(group));
  return [
    only('verbose', ...groups.map((group) => groupTold(group, group.ids))),
    only('brief', ...listed.map((group) => groupTold(group, isTelling(group) ? group.ids.slice(0, idsShown) : []))),
    only(
      'brief',
      single.length > 0 &&
        signed('not testable', `${count} that no scenario tries, each for a reason of its own (listed with --verbose)`),
    ),
  ];
}

/** What was tried, or would have been if the target had lived; what no scenario tries is the same in every run. */
function isTelling({ tried, state }: ReasonGroup): boolean {
  return tried || state === 'lost';
}

function groupTold({ ids, of, state, reason }: ReasonGroup, shown: readonly string[]): Content {
  const listed = reason === notSelected ? [] : shown;
  const left = ids.length - listed.length;
  if (ids.length === 1 && listed.length > 0) return signed(state, `${ids[0]}, ${state}: ${reason}`);
  return [
    signed(state, `${state} (${counted(ids.length, of)}): ${reason}`),
    listed.length > 0 && [
      { kind: 'list', items: listed, ids: 'any', indent: 4 },
      left > 0 && muted(`and ${left} more (all with --verbose)`, '    '),
    ],
  ];
}

function signed(state: State, words: string): Block {
  return { kind: 'prose', sign: `${looks[state].mark} `, tone: looks[state].tone, words };
}

/** What the run could not remove. */
export function leftBehindTold({ scenarios }: RunResult): Content {
  const left = scenarios.flatMap(({ id, leftBehind }) => leftBehind.map((path) => ({ id, path })));
  return (
    left.length > 0 && [
      'These could not be removed; delete them by hand:',
      left.map(({ id, path }) => [{ kind: 'prose', sign: '  ', words: path }, muted(`by ${id}`, '    ')]),
    ]
  );
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
