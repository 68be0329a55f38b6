/** What a run found, view by view: what each report for people is made of. */
import type { GapObservation, RequirementResult, RunResult, ScenarioResult } from '../../scenarios/index.ts';
import { type CauseFacts, requirementsOf } from '../cause-facts.ts';
import { deathFacts } from '../death-facts.ts';
import { type Block, type Content, type Fold, facts, muted, only, type Words } from '../document/model.ts';
import { type Evidence, type EvidenceIndex, evidenceIn, placeText } from '../evidence.ts';
import { groupedBy } from '../grouped.ts';
import { scenarioAnchor, stepAnchor } from '../html/anchor.ts';
import { SequenceView, sequenceOf } from '../html/sequence-view.tsx';
import { counted, looks, shownState, verdictOf } from '../wording.ts';
import { badgeOf, checkFacts, failureTold, placeTold, type Run, transcript } from './evidence-told.ts';

/** Each death of the target with its requests, and how to send them. */
export function deathsTold(result: Pick<RunResult, 'deaths'>, which = ''): Fold[] {
  return deathFacts(result).map(({ title, says, lines, curl }) => ({
    ...{ kind: 'fold', mark: '†', tone: 'bad', narrowedBy: 'lost', id: title, says: `${which}${says}`, isOpen: true },
    content: [
      { kind: 'list', items: lines },
      { kind: 'code', label: 'Command line', text: curl.join('\n'), isCopied: true },
    ],
  }));
}

/** What is to be mended: each cause with the failure that the fewest steps lead to in full, and all that it violates. */
export function causesTold(causes: readonly CauseFacts[], result: Run): Content {
  const requirements = requirementsOf(causes);
  return [
    requirements > causes.length &&
      muted(`${counted(requirements, 'requirement')}, ${counted(causes.length, 'cause')}`),
    causes.map((one) => causeFold(one, result)),
  ];
}

/** Of what fails everywhere so many places are enough to look at; of a text that is not verbose, so many. */
const [mostPlaces, mostListed] = [50, 3];

export function causeFold({ requirement, others, shown, elsewhere }: CauseFacts, result: Run): Fold {
  const { id, says, section, source, level, verdict } = requirement;
  const words = others.flatMap((one) => [one.id, one.says, one.section]);
  const places = elsewhere.slice(0, mostPlaces);
  return {
    ...{ kind: 'fold', id, says, level, state: verdict, ...looks[verdict] },
    ...{ isStateTold: true, isOpen: true, to: id },
    texts: [section, ...words, ...[shown, ...elsewhere].flatMap(searchable)],
    content: [
      muted(`${section}, ${source}`),
      failureTold(shown, result),
      elsewhere.length > 0 && {
        ...{ kind: 'details', summary: `also at ${counted(elsewhere.length, 'other place')}` },
        content: [
          {
            ...{ kind: 'list', most: mostListed },
            items: places.map((one) => placeWords(one, shown.check.actual)),
          },
          elsewhere.length > mostPlaces && `And ${counted(elsewhere.length - mostPlaces, 'more place')}.`,
        ],
      },
      others.length > 0 && {
        ...{ kind: 'details', isOpen: true, summary: `with it ${counted(others.length, 'requirement')}` },
        content: {
          kind: 'list',
          items: others.map((one): Words => [{ text: one.id, as: 'code', to: one.id }, ` ${one.says}`]),
        },
      },
    ],
  };
}

function placeWords(evidence: Evidence, known: string): Words {
  const { check, scenario, stepNumber } = evidence;
  return [
    { text: `${scenario.id}, step ${stepNumber}`, to: stepAnchor(evidence) },
    ` ${placeText(check)}`,
    check.actual === known ? '' : `: ${check.actual}`,
  ];
}

function searchable({ scenario, step }: Evidence): string[] {
  return [scenario.id, scenario.title, step.exchange?.request.path ?? ''];
}

/** A rule of the wire is observed hundreds of times; so many of its passing checks are enough to look at. */
const passingShown = 25;

/** All requirements by section, each with its verdict and the checks behind it. */
export function requirementsTold(requirements: readonly RequirementResult[], evidence: EvidenceIndex): Content {
  return grouped(
    requirements,
    ({ section }) => section,
    (one) => requirementFold(one, evidence.of(one.id)),
  );
}

function grouped<One>(all: readonly One[], titleOf: (one: One) => string, told: (one: One) => Fold): Block[] {
  return [...groupedBy(all, titleOf)].map(([title, own]) => ({ kind: 'group', title, content: own.map(told) }));
}

function requirementFold(requirement: RequirementResult, checks: readonly Evidence[]): Fold {
  const { id, says, section, source, verdict, level, reason, violations, observations, gaps } = requirement;
  const [passing, others] = [true, false].map((is) => checks.filter(({ check }) => (check.state === 'passed') === is));
  const hidden = (passing?.length ?? 0) - passingShown;
  const seen = Math.max(observations, gaps.length);
  const count =
    violations.length > 0 ? counted(violations.length, 'failure') : seen > 0 ? counted(seen, 'observation') : '';
  return {
    ...{ kind: 'fold', id, says, level, state: verdict, ...looks[verdict], aside: count },
    texts: [section, source, ...checks.flatMap(searchable)],
    content: [
      muted(`${level === 'gap' ? 'Left open by the specification: ' : ''}${section}, ${source}`),
      reason !== undefined && checks.every(({ check }) => check.reason !== reason) && facts(['why', reason]),
      checks.length === 0 && 'No check of this requirement ran.',
      [...(others ?? []), ...(passing ?? []).slice(0, passingShown)].map((one) => [
        placeTold(one, badgeOf(shownState(one.check))),
        facts(...checkFacts(one.check)),
      ]),
      hidden > 0 && muted(`And ${counted(hidden, 'more check')} that passed.`),
    ],
  };
}

/** All scenarios by feature, each with the transcript of its steps. */
export function scenariosTold(result: RunResult): Content {
  const levels = new Map(result.requirements.map(({ id, level }) => [id, level]));
  return grouped(
    result.scenarios,
    ({ feature }) => feature,
    (scenario) => {
      const { id, title, state, steps } = scenario;
      const requirements = evidenceIn(scenario).map(({ check }) => check.requirement);
      const own = [...new Set(requirements.flatMap((one) => levels.get(one) ?? []))];
      const isOpenOnly = state === 'passed' && own.join() === 'gap';
      return {
        ...{ kind: 'fold', id, says: title, state, ...looks[state], anchor: scenarioAnchor(id) },
        ...{
          narrowedBy: isOpenOnly ? 'observed' : verdictOf(state),
          levels: own,
          aside: counted(steps.length, 'step'),
        },
        texts: [...requirements, ...steps.map(({ exchange }) => exchange?.request.path ?? '')],
        content: scenarioTold(result, scenario),
      };
    },
  );
}

function scenarioTold(result: RunResult, scenario: ScenarioResult): Content {
  const { reason, leftBehind, steps, again } = scenario;
  const sequence = sequenceOf(scenario);
  // The step at which a scenario stopped says why, and where.
  const isTold = steps.some(
    ({ problem, checks }) => problem === reason || checks.some((check) => check.reason === reason),
  );
  return [
    { kind: 'prose', words: { text: placeText(scenario), as: 'code' } },
    facts(
      reason !== undefined && !isTold && ['why', reason],
      again !== undefined && [
        'again',
        `It ran once more, alone, and then ${again === 'failed' ? 'failed as well' : again === 'passed' ? again : `was ${again}`}.`,
      ],
      leftBehind.length > 0 && ['left', `on the target: ${leftBehind.join(', ')}`],
    ),
    sequence && { kind: 'picture', node: SequenceView({ sequence }) },
    transcript(result, scenario),
  ];
}

/** So many requirements that a target keeps in its own way, unless all are asked for. */
const mostGaps = 25;

/** What the specification leaves open, and what this target does; differences from the reference CSE come first. */
export function gapsTold({ requirements }: Pick<RunResult, 'requirements'>): Content {
  const open = requirements.filter(({ gaps }) => gaps.length > 0);
  const isDifferent = ({ gaps }: RequirementResult) => gaps.some(({ asReference }) => !asReference);
  const different = open.filter(isDifferent);
  const gaps = open.flatMap((requirement) => requirement.gaps);
  const otherwise = gaps.filter(({ asReference }) => !asReference).length;
  const left = different.length - mostGaps;
  const brief = different.slice(0, mostGaps).map((one) => gapFold(one, false));
  const all = [...different, ...open.filter((one) => !isDifferent(one))].map((one) => gapFold(one, true));
  return (
    open.length > 0 && [
      `${counted(gaps.length, 'observation')}: ${gaps.length - otherwise} as the reference CSE, ${otherwise} otherwise. None of them is a failure.${otherwise > 0 ? ' Below: what the reference CSE does, then what this target does.' : ''}`,
      only('brief', brief, left > 0 && `and ${left} more (all with --verbose, and in the HTML report)`),
      only('verbose', all),
    ]
  );
}

function gapFold({ id, says, section, source, level, verdict, gaps }: RequirementResult, isWhole: boolean): Fold {
  const told = gapFacts(isWhole ? gaps : gaps.filter(({ asReference }) => !asReference));
  return {
    ...{ kind: 'fold', id, says, level, narrowedBy: verdict, tone: 'seen', isOpen: true, to: id },
    texts: [section, ...gaps.flatMap((gap) => [gap.actual, gap.scenario])],
    content: [
      only('page', muted(`${section}, ${source}`)),
      told.map(({ actual, asReference, variant, seen }) => [
        {
          kind: 'list',
          items: [
            `${actual}${asReference ? ' (as the reference CSE)' : ''}${variant === undefined ? '' : `, ${variant}`}`,
          ],
        },
        only('verbose', {
          ...{ kind: 'prose', sign: '  ' },
          words: [...new Map(seen.map((one) => [one.scenario, one])).values()].flatMap(({ scenario, step }, at) => [
            at === 0 ? '' : ' ',
            { text: scenario, to: `${scenarioAnchor(scenario)}:${step + 1}`, as: 'muted' as const },
          ]),
        }),
      ]),
    ],
  };
}

/** One behaviour of the target where the specification leaves it open, with every check that saw it. */
interface GapFact extends Pick<GapObservation, 'actual' | 'asReference' | 'variant'> {
  readonly seen: readonly GapObservation[];
}

/** The same behaviour seen in several scenarios is one fact; what differs from the reference CSE comes first. */
export function gapFacts(gaps: readonly GapObservation[]): GapFact[] {
  const alike = groupedBy(gaps, ({ actual, asReference, variant }) => JSON.stringify([actual, asReference, variant]));
  return [...alike.values()]
    .flatMap((seen) => seen.slice(0, 1).map((first): GapFact => ({ ...first, seen })))
    .sort((a, b) => Number(a.asReference) - Number(b.asReference));
}
