/** The findings of a run, view by view, for all reports for people. */

import type { GapObservation, RequirementResult, RunResult, ScenarioResult } from '../../scenarios/words.ts';
import {
  type Content,
  details,
  type Fold,
  facts,
  fold,
  groupsBy,
  list,
  muted,
  only,
  prose,
  type RequirementLevel,
  type Words,
} from '../document/model.ts';
import {
  type CheckEvidence,
  type EvidenceIndex,
  evidenceIn,
  locationText,
  scenarioAnchor,
  stepAnchor,
  stepText,
} from '../facts/evidence.ts';
import { type CauseFacts, deathFacts, requirementsOf } from '../facts/run-facts.ts';
import { counted, displayState, groupedBy, lookOf, verdictOf } from '../facts/wording.ts';
import { SequenceView, sequenceOf } from '../html/sequence-view.tsx';
import {
  badgeOf,
  checkFacts,
  clauseBlock,
  commandLines,
  failureBlocks,
  locationBlock,
  type Run,
} from './evidence-blocks.ts';
import { transcriptOnPage } from './transcript-blocks.ts';

/** Each death of the target with its requests, and shell lines for them. */
export function deathBlocks(result: Pick<RunResult, 'deaths'>, which = ''): Fold[] {
  const look = { mark: '†', tone: 'bad', narrowedBy: 'lost', isOpen: true } as const;
  return deathFacts(result).map(({ title, says, lines, curl }) =>
    fold(title, `${which}${says}`, look, [list(lines), commandLines(curl)]),
  );
}

/** Each cause with its shortest failure in full, and all requirements that it violates. */
export function causeBlocks(causes: readonly CauseFacts[], result: Run): Content {
  const requirements = requirementsOf(causes);
  return [
    requirements > causes.length &&
      muted(`${counted(requirements, 'requirement')}, ${counted(causes.length, 'cause')}`),
    causes.length > 1 && only('page', list(causes.map(causeLine), { isOrdered: true, isIndex: true })),
    causes.map((one) => causeFold(one, result)),
  ];
}

const causeAnchor = ({ id }: RequirementResult): string => `cause:${id}`;

/** Links to a cause, and to the requirements that it violates too. */
function causeLine({ requirement, others }: CauseFacts): Words {
  const also = others.flatMap(({ id }, at): Words[] => [
    at === 0 ? ' With it: ' : ', ',
    { text: id, as: 'code', to: id },
  ]);
  return [{ text: requirement.id, as: 'code', to: causeAnchor(requirement) }, ` ${requirement.says}`, ...also.flat()];
}

/** Locations of a failure that are listed, and in a brief text. */
const [mostLocations, mostListed] = [50, 3];

export function causeFold({ requirement, others, failure, elsewhere }: CauseFacts, result: Run): Fold {
  const { id, says, section, source, level, verdict } = requirement;
  const locations = elsewhere.slice(0, mostLocations).map((one) => locationWords(one, failure.check.actual));
  const look = { level, ...lookOf(verdict), hidesState: true, isOpen: true, to: id } as const;
  return fold(id, says, { ...look, anchor: causeAnchor(requirement) }, [
    clauseBlock(section, source),
    failureBlocks(failure, result),
    elsewhere.length > 0 &&
      details(`also at ${counted(elsewhere.length, 'other place')}`, [
        list(locations, { most: mostListed }),
        elsewhere.length > mostLocations &&
          prose({ text: `${counted(elsewhere.length - mostLocations, 'more place')}: not listed.`, to: id }),
      ]),
    others.length > 0 &&
      details(
        `with it ${counted(others.length, 'requirement')}`,
        list(others.map((one) => [{ text: one.id, as: 'code', to: one.id }, `: ${one.says}`])),
        true,
      ),
  ]);
}

function locationWords(evidence: CheckEvidence, known: string): Words {
  const { check } = evidence;
  const actual = check.actual === known ? '' : `: ${check.actual}`;
  return [{ text: stepText(evidence), to: stepAnchor(evidence) }, ` ${locationText(check)}`, actual];
}

/** Passing checks that are listed: a rule of the wire has hundreds. */
const mostPassing = 25;

/** All requirements by section, each with its verdict and the checks behind it. */
export function requirementBlocks(requirements: readonly RequirementResult[], evidence: EvidenceIndex): Content {
  const foldOf = (one: RequirementResult) => requirementFold(one, evidence.of(one.id));
  return groupsBy(requirements, ({ section }) => section, foldOf);
}

function requirementFold(requirement: RequirementResult, checks: readonly CheckEvidence[]): Fold {
  const { id, says, section, source, verdict, level, reason, violations, observations, gaps } = requirement;
  const passing = checks.filter(({ check }) => check.state === 'passed');
  const others = checks.filter((one) => !passing.includes(one));
  const hidden = passing.length - mostPassing;
  const count = Math.max(observations, gaps.length);
  const aside =
    violations.length > 0 ? counted(violations.length, 'failure') : count > 0 ? counted(count, 'observation') : '';
  return fold(id, says, { level, ...lookOf(verdict), aside }, [
    clauseBlock(`${level === 'gap' ? 'Implementation-defined: ' : ''}${section}`, source),
    reason !== undefined && checks.every(({ check }) => check.reason !== reason) && facts(['why', reason]),
    checks.length === 0 && 'No check of this requirement ran.',
    [...others, ...passing.slice(0, mostPassing)].map((one) => [
      locationBlock(one, badgeOf(displayState(one.check))),
      facts(...checkFacts(one.check)),
    ]),
    hidden > 0 && muted(`And ${counted(hidden, 'more check')} that passed.`),
  ]);
}

/** All scenarios by feature, each with the transcript of its steps. */
export function scenarioBlocks(result: RunResult): Content {
  const levelOf = new Map(result.requirements.map(({ id, level }) => [id, level]));
  const foldOf = (one: ScenarioResult) => scenarioFold(result, one, levelOf);
  return groupsBy(result.scenarios, ({ feature }) => feature, foldOf);
}

function scenarioFold(
  result: RunResult,
  scenario: ScenarioResult,
  levelOf: ReadonlyMap<string, RequirementLevel>,
): Fold {
  const { id, title, state, steps } = scenario;
  const requirements = evidenceIn(scenario).map(({ check }) => check.requirement);
  const levels = [...new Set(requirements.flatMap((one) => levelOf.get(one) ?? []))];
  const narrowedBy = state === 'passed' && levels.join() === 'gap' ? 'implementation-defined' : verdictOf(state);
  const look = {
    ...lookOf(state),
    anchor: scenarioAnchor(id),
    narrowedBy,
    levels,
    aside: counted(steps.length, 'step'),
  };
  return fold(id, title, look, scenarioDetails(result, scenario));
}

function scenarioDetails(result: RunResult, scenario: ScenarioResult): Content {
  const { reason, leftBehind, steps, again } = scenario;
  const sequence = sequenceOf(scenario);
  // The step at which a scenario stopped tells why, and where.
  const isExplained = steps.some(
    ({ problem, checks }) => problem === reason || checks.some((check) => check.reason === reason),
  );
  return [
    prose({ text: locationText(scenario), as: 'code' }),
    facts(
      reason !== undefined && !isExplained && ['why', reason],
      again !== undefined && [
        'again',
        `It ran once more, alone, and then ${again === 'failed' ? 'failed as well' : again === 'passed' ? again : `was ${again}`}.`,
      ],
      leftBehind.length > 0 && ['left', `on the target: ${leftBehind.join(', ')}`],
    ),
    sequence && { kind: 'picture', node: SequenceView({ sequence, anchor: scenarioAnchor(scenario.id) }) },
    transcriptOnPage(result, scenario),
  ];
}

/** Requirements with implementation-defined behaviour that a brief text lists. */
const mostBehaviours = 25;

/** Implementation-defined behaviour of this target; differences from the reference CSE come first. */
export function behaviourBlocks({ requirements }: Pick<RunResult, 'requirements'>): Content {
  const open = requirements.filter(({ gaps }) => gaps.length > 0);
  const isDifferent = ({ gaps }: RequirementResult) => gaps.some(({ asReference }) => !asReference);
  const different = open.filter(isDifferent);
  const observations = open.flatMap((requirement) => requirement.gaps);
  const otherwise = observations.filter(({ asReference }) => !asReference).length;
  const left = different.length - mostBehaviours;
  const brief = different.slice(0, mostBehaviours).map((one) => behaviourFold(one, false));
  const all = [...different, ...open.filter((one) => !isDifferent(one))].map((one) => behaviourFold(one, true));
  return (
    open.length > 0 && [
      `${counted(observations.length, 'observation')}: ${observations.length - otherwise} as the reference CSE, ${otherwise} otherwise. None of them is a failure.${otherwise > 0 ? ' Below: what the reference CSE does, then what this target does.' : ''}`,
      only('brief', brief, left > 0 && `and ${left} more (all with --verbose, and in the HTML report)`),
      only('verbose', all),
    ]
  );
}

function behaviourFold({ id, says, section, source, level, verdict, gaps }: RequirementResult, isWhole: boolean): Fold {
  const behaviours = behaviourFacts(isWhole ? gaps : gaps.filter(({ asReference }) => !asReference));
  return fold(id, says, { level, narrowedBy: verdict, tone: 'seen', isOpen: true, to: id }, [
    only('page', clauseBlock(section, source)),
    behaviours.map(({ actual, asReference, variant, observations }) => [
      list([`${variant === undefined ? '' : `${variant}: `}${actual}${asReference ? ' (as the reference CSE)' : ''}`]),
      only('verbose', prose(scenarioLinks(observations), '  ')),
    ]),
  ]);
}

function scenarioLinks(observations: readonly GapObservation[]): Words {
  return [...new Map(observations.map((one) => [one.scenario, one])).values()].flatMap(({ scenario, step }, at) => [
    at === 0 ? '' : ' ',
    { text: scenario, to: `${scenarioAnchor(scenario)}:${step + 1}`, as: 'muted' as const },
  ]);
}

/** One implementation-defined behaviour, with every check that saw it. */
interface BehaviourFact extends Pick<GapObservation, 'actual' | 'asReference' | 'variant'> {
  readonly observations: readonly GapObservation[];
}

/** Merges what several scenarios saw; what differs from the reference CSE comes first. */
export function behaviourFacts(gaps: readonly GapObservation[]): BehaviourFact[] {
  const alike = groupedBy(gaps, ({ actual, asReference, variant }) => JSON.stringify([actual, asReference, variant]));
  return [...alike.values()]
    .flatMap((observations) => observations.slice(0, 1).map((first): BehaviourFact => ({ ...first, observations })))
    .sort((a, b) => Number(a.asReference) - Number(b.asReference));
}
