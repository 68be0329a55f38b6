/** A run for a terminal, or a text file. */

import {
  checkedShare,
  notSelected,
  type RequirementResult,
  type RunResult,
  type Verdict,
} from '../../scenarios/words.ts';
import { blank, type Content, type Fold, fold, list, muted, only, prose, type Span } from '../document/model.ts';
import { dimmed, displayWidth, mark, type Screen, toned, wrap, wrapped } from '../document/screen.ts';
import { contentLines, contentText, screenOf, type TextOptions } from '../document/terminal.ts';
import { legendLines } from '../document/text-tables.ts';
import {
  actualsOf,
  answersIn,
  type CheckEvidence,
  evidenceIn,
  excuseText,
  indexEvidence,
  locationText,
} from '../facts/evidence.ts';
import { causeFacts, deathHeadline, isUnreachable, surveyText, surveyWarnings } from '../facts/run-facts.ts';
import {
  checkedText,
  counted,
  countsText,
  durationText,
  groupedBy,
  inOrder,
  installationsText,
  looks,
  type ResultState,
  targetText,
  verdictLine,
  verdictTone,
  visibleText,
} from '../facts/wording.ts';
import { causesText } from './causes-text.ts';
import { claimBlocks, leftBehindBlocks, profileText, reasonGroups, untestedBlocks } from './context-blocks.ts';
import { behaviourBlocks, causeFold, deathBlocks } from './run-blocks.ts';

/** The whole report as text, without control characters of the target's. */
export function renderTerminal(result: RunResult, options: TextOptions): string {
  const screen = screenOf(options);
  // For an unreachable target the verdict alone, and the command that finds the reason.
  if (isUnreachable(result)) return contentText(verdictBlocks(result, doctorHint(result)), options);
  const death = deathHeadline(result);
  const lines = [
    // The target's death before anything else.
    ...contentLines(screen, death !== '' && prose({ text: death, as: 'strong', tone: 'bad' }, '† ')),
    ...contentLines(screen, introBlocks(result)),
    ...detailLines(screen, result),
    ...titled(screen, 'This run', list(contextLines(result))),
    ...contentLines(screen, [countBlocks(result), verdictBlocks(result)]),
  ];
  return `${lines.join('\n')}\n`;
}

const advice = 'Stated for another dialect than that of this target. None is a failure.';

/** Failures come before what is open, and what cannot fail comes last. */
function detailLines(screen: Screen, result: RunResult): string[] {
  const causes = causeFacts(result);
  const known = result.scenarios.flatMap(evidenceIn).filter(({ check }) => check.known !== undefined);
  const advisory = advisoryBlocks(result);
  const { problems = [], file } = result.baseline ?? {};
  const unsound = problems.map(({ kind, says }) => prose({ text: `${kind}: ${says}`, tone: 'bad' }, '✗ '));
  return [
    ...titled(screen, 'The target died', deathBlocks(result)),
    ...sectionsText(screen, result),
    ...(['violated', 'intermittent'] as const).flatMap((verdict) =>
      causesText(screen, verdict, causes, (one) => causeFold(one, result)),
    ),
    ...titled(screen, `Known deviations: ${counted(known.length, 'check')}`, knownBlocks(result, known)),
    ...titled(screen, `Baseline ${file}: invalid entries`, unsound),
    ...titled(screen, 'Where the target contradicts its claims', claimBlocks(result)),
    ...titled(screen, 'Not tested, and why', untestedBlocks(reasonGroups(result))),
    ...titled(screen, 'Left on the target', leftBehindBlocks(result)),
    ...titled(
      screen,
      `Advisory: ${counted(advisory.length, 'requirement')}`,
      advisory.length > 0 && [advice, advisory],
    ),
    // Never a failure.
    ...titled(screen, 'Implementation-defined behaviour', behaviourBlocks(result)),
  ];
}

function titled(screen: Screen, title: string, content: Content): string[] {
  const lines = contentLines(screen, content, '  ');
  return lines.length === 0 ? [] : [screen.colors.bold(title), ...lines, ''];
}

/** Columns of a count: two spaces, the sign, a number of up to three digits. */
const countWidth = 7;
const narrowestName = 24;

/** A line for each section of the specification, above its harness faults or, if verbose, its selected requirements. */
function sectionsText(screen: Screen, result: RunResult): string[] {
  const requirements = result.requirements.filter(({ reason }) => reason !== notSelected);
  if (requirements.length === 0) return [];
  const verdicts = inOrder(requirements.map(({ verdict }) => verdict));
  const legend = verdicts.map((verdict) => [looks[verdict].mark, verdict] as const);
  return [
    screen.colors.bold('Requirements by section'),
    ...legendLines(screen, legend),
    '',
    ...[...groupedBy(requirements, ({ section }) => section)].flatMap(([section, own]) => [
      ...sectionLines(screen, section, verdicts, own),
      ...own.flatMap((requirement) => requirementLines(screen, requirement)),
    ]),
    '',
  ];
}

function sectionLines(
  screen: Screen,
  section: string,
  verdicts: readonly Verdict[],
  requirements: readonly RequirementResult[],
): string[] {
  const countColumns = verdicts.length * countWidth;
  const column = Math.max(screen.columns - countColumns, narrowestName);
  const [first = '', ...rest] = wrap(visibleText(section), column, '  ');
  const columns = verdicts.map((verdict) => {
    const count = requirements.filter((one) => one.verdict === verdict).length;
    const { mark, tone } = looks[verdict];
    const text = `  ${mark}${String(count).padStart(countWidth - 3)}`;
    return count === 0 ? ' '.repeat(countWidth) : toned(screen, tone)(text);
  });
  if (column + countColumns > screen.columns) return [first, ...rest, `  ${columns.join('')}`.trimEnd()];
  const padding = ' '.repeat(Math.max(column - displayWidth(first), 0));
  return [`${first}${padding}${columns.join('')}`.trimEnd(), ...rest];
}

// Violated, untested and implementation-defined ones have their own blocks; here they are only counted.
function requirementLines(screen: Screen, { id, verdict, says }: RequirementResult): string[] {
  if (!screen.verbose && verdict !== 'harness fault') return [];
  const below = screen.verbose ? wrapped(screen, says, '      ') : [];
  return [`    ${mark(screen, verdict)} ${id}`, ...dimmed(screen, below)];
}

/** What was checked, and by what. */
function introBlocks(result: RunResult): Content {
  const { tool, specification, target, run, dialect, survey } = result;
  const others = installationsText(result);
  return [
    surveyWarnings(survey).map((text) => prose({ text, tone: 'bad' })),
    `${tool.name} ${tool.version}: ${targetText(result)}, CSE base ${target.base}, dialect ${dialect}, run ${run}`,
    muted(specification),
    others !== '' && muted(others, 'Installations: '),
    blank,
  ];
}

/** The context of the verdict: answers, assumptions, notes, and what the run left behind. */
function contextLines(result: RunResult): string[] {
  const { assumed = [], notes = [], survey, shard } = result;
  return [
    shard && `part ${shard.index} of ${shard.count} of the plan`,
    ...answersIn(result),
    ...assumed.map((sentence) => `assumed: ${sentence}`),
    ...notes,
    profileText(result),
    survey && surveyText(survey),
  ].filter((line) => line !== undefined);
}

/** The counts of the run. */
function countBlocks(result: RunResult): Content {
  const { verdicts, checks, scenarios, requests } = result.summary;
  const others = result.requirements.filter(({ reason }) => reason === notSelected).length;
  return [
    countLine('requirement', { ...verdicts, excluded: verdicts.excluded - others }),
    others === 0
      ? shareLines(result).map((line) => muted(line, '  '))
      : muted(`${counted(others, 'other requirement')} not asked for`, '  '),
    countLine('check', checks),
    countLine('scenario', scenarios),
    `${counted(requests, 'request')} in ${durationText(result.took)}`,
    blank,
  ];
}

/** The verdict and the exit code. */
function verdictBlocks(result: RunResult, more = ''): Content {
  const verdict: Span = { text: verdictLine(result), as: 'strong', tone: verdictTone(result) };
  return [prose(verdict), muted(`Exit code ${result.exit.code}${more}`)];
}

const doctorHint = ({ exit, target: { url } }: RunResult): string =>
  url === undefined ? '' : `; cselab doctor ${url} ${exit.code === 5 ? 'tells more' : 'looks for the reason'}`;

/** How many requirements can be checked, were checked, and count. */
function shareLines(result: RunResult): string[] {
  const { dialect, strictness, requirements } = result;
  const { listed, checkable } = checkedShare(requirements);
  const satisfied = requirements.filter(({ verdict }) => verdict === 'satisfied');
  // Requirements of the standard alone are advice, and do not count.
  const isAdvice = dialect === 'documented' && strictness.level === 'documented';
  const advice = isAdvice ? satisfied.filter(({ level }) => level === 'standard').length : 0;
  const counting = satisfied.length - advice;
  return [
    ...(checkable === listed
      ? []
      : [`checked: ${checkedText(result)}; no request shows the ${listed - checkable} others`]),
    ...(advice === 0 ? [] : [`satisfied: ${counting} that count, ${advice} of the standard as advice`]),
  ];
}

function countLine<Of extends ResultState>(noun: string, counts: Readonly<Record<Of, number>>): string {
  const total = Object.values<number>(counts).reduce((sum, count) => sum + count, 0);
  const text = countsText(counts);
  return text === '' ? counted(total, noun) : `${counted(total, noun)}: ${text}`;
}

/** Each requirement of another dialect that the target violates. */
function advisoryBlocks(result: RunResult): Fold[] {
  const evidence = indexEvidence(result);
  const advisory = result.requirements.filter(({ verdict }) => verdict === 'advisory');
  return advisory.map(({ id, says, source, violations }) => {
    const failures = evidence.at(violations);
    const locations = only('verbose', failures.map(locationLine));
    return fold(id, `${says} (${source})`, looks.advisory, [list(actualsOf(failures)), locations]);
  });
}

/** The deviations that the baseline excuses, each with its owner. */
function knownBlocks({ requirements }: RunResult, known: readonly CheckEvidence[]): Fold[] {
  const byRequirement = groupedBy(known, ({ check }) => check.requirement);
  return requirements.flatMap(({ id, says }) => {
    const own = byRequirement.get(id);
    if (own === undefined) return [];
    const excuses = [...groupedBy(own, ({ check }) => excuseText(check.known ?? {}))];
    const content = excuses.map(([excuse, same]) => [
      list([excuse]),
      only(
        'verbose',
        actualsOf(same).map((words) => prose(words, '  ')),
        same.map(locationLine),
      ),
    ]);
    return [fold(id, says, { mark: '~', tone: 'open' }, content)];
  });
}

function locationLine({ check, scenario }: CheckEvidence): Content {
  return muted(`${locationText(check)}  ${scenario.id}`, '  ');
}
