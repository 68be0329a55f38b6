/** What was not checked, and the context on which the verdict rests. */

import {
  type Claim,
  contradictedIn,
  notSelected,
  type RunResult,
  type ScenarioState,
  unmetIn,
  type Verdict,
} from '../../scenarios/words.ts';
import {
  type Content,
  type DocumentBlock,
  type Fact,
  type Fold,
  facts,
  fold,
  group,
  list,
  muted,
  only,
  prose,
  type Span,
} from '../document/model.ts';
import { answersIn, indexEvidence, scenarioAnchor } from '../facts/evidence.ts';
import { surveySentence } from '../facts/run-facts.ts';
import { counted, groupedBy, lookOf, looks, type ResultState, verdictOf } from '../facts/wording.ts';

/** What has no verdict, grouped by reason. */
export function untestedFolds(groups: readonly ReasonGroup[]): Fold[] {
  return groups.map(({ of, state, reason, ids }) => {
    const links = ids.flatMap(
      (id, at): Array<string | Span> => [
        at === 0 ? '' : ', ',
        { text: id, as: 'code', to: of === 'scenario' ? scenarioAnchor(id) : id },
      ],
    );
    const look = { ...lookOf(state), isOpen: true, narrowedBy: verdictOf(state) };
    return fold(reason, '', look, [muted(counted(ids.length, of)), prose(links)]);
  });
}

/** Ids that are listed. */
const mostIds = 6;

/** The same for a text, without requirements that were not selected. */
export function untestedBlocks(all: readonly ReasonGroup[]): Content {
  const groups = all.filter(({ reason }) => reason !== notSelected);
  const single = groups.filter((group) => !isTried(group) && group.ids.length === 1);
  const count = counted(single.length, 'requirement');
  const listed = groups.filter((group) => !single.includes(group));
  return [
    only('verbose', ...groups.map((group) => groupBlocks(group, group.ids))),
    only(
      'brief',
      listed.map((group) => groupBlocks(group, isTried(group) ? group.ids.slice(0, mostIds) : [])),
      single.length > 0 &&
        signed('not testable', `${count} that no scenario tries, each for a reason of its own (listed with --verbose)`),
    ),
  ];
}

/** Tried, or lost to the target's death; what no scenario tries is the same in every run. */
const isTried = ({ tried, state }: ReasonGroup): boolean => tried || state === 'lost';

function groupBlocks({ ids, of, state, reason }: ReasonGroup, listed: readonly string[]): Content {
  const left = ids.length - listed.length;
  if (ids.length === 1 && listed.length > 0) return signed(state, `${ids[0]}, ${state}: ${reason}`);
  return [
    signed(state, `${state} (${counted(ids.length, of)}): ${reason}`),
    list(listed, { ids: 'any', indent: 4 }),
    listed.length > 0 && left > 0 && muted(`and ${left} more (all with --verbose)`, '    '),
  ];
}

function signed(state: ResultState, words: string): DocumentBlock {
  const { mark, tone } = looks[state];
  return prose(words, `${mark} `, { tone });
}

/** What the run could not remove. */
export function leftBehindBlocks({ scenarios }: RunResult): Content {
  const left = scenarios.flatMap(({ id, leftBehind }) =>
    leftBehind.map((path) => [prose(path, '  '), muted(`by ${id}`, '    ')]),
  );
  return left.length > 0 && ['These could not be removed:', left];
}

/** What was assumed, claimed, excused and left behind. */
export function contextBlocks(result: RunResult): Content {
  const { assumed = [], notes = [], ics = [], survey, baseline } = result;
  const excused = baseline && `${baseline.file} excuses ${counted(baseline.known, 'failed check')}.`;
  const problems = baseline?.problems.map(({ kind, says }) => `${kind}: ${says}`) ?? [];
  const claims = ics.map(({ id, name, claim, behaves }): Fact => {
    return [`${name} ${id}`, behaves ? `${claim}; behaves as ${behaves}` : claim];
  });
  const parts: ReadonlyArray<readonly [title: string, content: Content]> = [
    ['Checked by', judgedBy(result)],
    ['What people answered', list(answersIn(result))],
    ['Assumed of the target', list(assumed)],
    ['Worth knowing', list(notes)],
    ['What the target held before and after', survey && surveySentence(survey)],
    ['Profile', profileText(result)],
    ['Baseline', excused && [excused, list(problems)]],
    ['Implementation conformance statement', facts(...claims)],
  ];
  return parts.map(([title, content]) => content && { ...group(title, content), isPlain: true });
}

/** Whether a target meets a profile. */
export function profileText(result: RunResult): string | undefined {
  const { name, source, demands } = result.profile ?? {};
  const unmet = unmetIn(result).length;
  const met = unmet === 0 ? 'all claimed, and none missed' : `${unmet} not claimed, or missed`;
  return demands && `the profile ${name} (${source}) demands ${counted(demands.length, 'feature')}: ${met}`;
}

/** Where the target contradicts its conformance statement, or misses a profile. */
export function claimBlocks(result: RunResult): Content[] {
  const { name } = result.profile ?? {};
  const contradicted = contradictedIn(result);
  const claimWords = { yes: 'claimed', no: 'denied', unknown: 'not claimed' };
  const line = ({ id, name, claim }: Claim, beside: string) =>
    prose([`${name} (`, { text: id, as: 'code' }, `): ${claimWords[claim]}, and ${beside}`], '≠ ', { tone: 'open' });
  return [
    ...contradicted.map((one) => line(one, `behaves as ${one.behaves}: ${one.shown}`)),
    ...unmetIn(result)
      .filter((one) => !contradicted.includes(one))
      .map((one) => line(one, `the profile ${name} demands it`)),
  ];
}

function judgedBy({ strictness, shard, specification }: RunResult): string {
  const { level, failOn, minEvidence } = strictness;
  const strict = level === 'standard' ? ', with what the standard demands' : '';
  const failing = failOn.length === 0 ? 'Nothing fails it' : `Fails for ${failOn.join(', ')}`;
  const evidence = minEvidence > 1 ? `; satisfied from ${minEvidence} passed checks on` : '';
  const part = shard === undefined ? '' : ` This is part ${shard.index} of ${shard.count} of the plan.`;
  return `${specification}${strict}. ${failing}${evidence}.${part}`;
}

/** Requirements or scenarios that gave no verdict for the same reason. */
export interface ReasonGroup {
  readonly of: 'requirement' | 'scenario';
  readonly state: Verdict | ScenarioState;
  readonly reason: string;
  /** False for requirements without a check in this run. */
  readonly tried: boolean;
  readonly ids: readonly string[];
}

const untestedStates: ReadonlyArray<Verdict | ScenarioState> = [
  'harness fault',
  'lost',
  'not testable',
  'not asked',
  'left out',
  'not applicable',
  'excluded',
  'blocked',
  'fault',
  'interrupted',
];

interface Entry extends Pick<ReasonGroup, 'state' | 'tried'> {
  readonly id: string;
  readonly reason: string | undefined;
}

/**
 * What was not checked and why: requirements, then scenarios; in each state those tried first, the largest group first.
 * Scenarios are left out if a requirement is listed with the same reason.
 */
export function reasonGroups(result: RunResult): ReasonGroup[] {
  const evidence = indexEvidence(result);
  const requirements = result.requirements.map(
    ({ id, verdict: state, reason }): Entry => ({ id, state, reason, tried: evidence.of(id).length > 0 }),
  );
  const scenarios = result.scenarios.map(({ id, state, reason }): Entry => ({ id, state, reason, tried: true }));
  const groups = grouped('requirement', requirements);
  const listed = new Set(groups.map(({ reason }) => reason));
  return [...groups, ...grouped('scenario', scenarios).filter(({ reason }) => !listed.has(reason))];
}

function grouped(of: ReasonGroup['of'], entries: readonly Entry[]): ReasonGroup[] {
  const untested = entries
    .filter(({ state }) => untestedStates.includes(state))
    .map(({ reason = 'no reason given', ...one }) => ({ ...one, reason: normalReason(reason) }));
  const alike = [...groupedBy(untested, ({ state, reason, tried }) => JSON.stringify([state, reason, tried])).values()];
  const groups = alike.flatMap((all) =>
    all.slice(0, 1).map(({ id: _, ...one }) => ({ of, ...one, ids: all.map(({ id }) => id) })),
  );
  const rank = ({ state }: ReasonGroup) => untestedStates.indexOf(state);
  return groups.sort((a, b) => rank(a) - rank(b) || Number(b.tried) - Number(a.tried) || b.ids.length - a.ids.length);
}

/** Without names that differ in each scenario and run, and without `blocked: `. */
function normalReason(reason: string): string {
  const names = reason.replace(/\bcl-[0-9a-z]{7}-\d+(?:-([a-z][a-z0-9-]*))?/g, (_, actor = 'name') => `\${${actor}}`);
  const parts = names.split('; ').map((part) => part.replace(/^blocked: /, ''));
  return [...new Set(parts)].join('; ');
}
