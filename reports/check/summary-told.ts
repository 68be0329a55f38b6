/** What a text about a run begins and ends with. */
import { checkedShare, type RunResult } from '../../scenarios/index.ts';
import { blank, type Content, type Fold, muted, only } from '../document/model.ts';
import { actualsOf, type Evidence, evidenceIn, excuseText, indexEvidence, placeText } from '../evidence.ts';
import { surveyText, surveyWarnings } from '../survey-text.ts';
import {
  checkedText,
  counted,
  countsText,
  durationText,
  installationsText,
  looks,
  type State,
  targetText,
  verdictLine,
  verdictTone,
} from '../wording.ts';

/** What was judged, by what. */
export function introductionTold(result: RunResult): Content {
  const { tool, specification, target, run, dialect, survey = {} } = result;
  const others = installationsText(result);
  return [
    surveyWarnings(survey).map((text) => ({ kind: 'prose', words: { text, tone: 'bad' } })),
    `${tool.name} ${tool.version}: ${targetText(result)}, CSE base ${target.base}, dialect ${dialect}, run ${run}`,
    muted(specification),
    others !== '' && muted(others, 'Installations: '),
    blank,
  ];
}

/** What the verdict rests on beside the scenarios: what was assumed, what is worth knowing, what the run left behind. */
export function restsOn({ assumed = [], notes = [], survey, shard }: RunResult): string[] {
  return [
    ...(shard === undefined ? [] : [`part ${shard.index} of ${shard.count} of the plan`]),
    ...assumed.map((sentence) => `assumed: ${sentence}`),
    ...notes,
    ...(survey === undefined ? [] : [surveyText(survey)]),
  ];
}

/** The counts of the run. */
export function countsTold(result: RunResult): Content {
  const { verdicts, checks, scenarios, requests } = result.summary;
  return [
    countLine('requirement', verdicts),
    shareLines(result).map((line) => muted(line, '  ')),
    countLine('check', checks),
    countLine('scenario', scenarios),
    `${counted(requests, 'request')} in ${durationText(result.took)}`,
    blank,
  ];
}

/** The verdict and the exit code. */
export function verdictTold(result: RunResult): Content {
  return [
    { kind: 'prose', words: { text: verdictLine(result), as: 'strong', tone: verdictTone(result) } },
    muted(`Exit code ${result.exit.code}`),
  ];
}

/** The listed requirements, those that anybody can check, and those that were checked here, by what they weigh. */
function shareLines(result: RunResult): string[] {
  const { listed, checkable } = checkedShare(result.requirements);
  const satisfied = result.requirements.filter(({ verdict }) => verdict === 'satisfied');
  const advice = advisesOnly(result) ? satisfied.filter(({ level }) => level === 'standard').length : 0;
  return [
    ...(checkable === listed ? [] : [`checked: ${checkedText(result)}; nothing shows the other ${listed - checkable}`]),
    ...(advice === 0
      ? []
      : [`satisfied: ${satisfied.length - advice} that count, ${advice} of the standard as advice`]),
  ];
}

/** Whether what only the standard says is told here and counts nothing. */
function advisesOnly({ dialect, strictness }: RunResult): boolean {
  return dialect === 'documented' && strictness.level === 'documented';
}

function countLine<Of extends State>(noun: string, counts: Readonly<Record<Of, number>>): string {
  const total = Object.values<number>(counts).reduce((sum, count) => sum + count, 0);
  const text = countsText(counts);
  return text === '' ? counted(total, noun) : `${counted(total, noun)}: ${text}`;
}

/** Each requirement of another dialect that the target does not keep. */
export function advisoryTold(result: RunResult): Fold[] {
  const evidence = indexEvidence(result);
  const advisory = result.requirements.filter(({ verdict }) => verdict === 'advisory');
  return advisory.map(({ id, says, source, violations }) => {
    const failures = violations.flatMap((reference) => evidence.at(reference) ?? []);
    return {
      ...{ kind: 'fold', id, says: `${says} (${source})`, ...looks.advisory },
      content: [{ kind: 'list', items: actualsOf(failures) }, only('verbose', failures.map(placeTold))],
    };
  });
}

/** The deviations that the baseline excuses, each with who answers for it. */
export function knownTold({ requirements }: RunResult, known: readonly Evidence[]): Fold[] {
  return requirements.flatMap(({ id, says }) => {
    const own = known.filter(({ check }) => check.requirement === id);
    const excuses = [...new Set(own.map(excuseOf))];
    if (own.length === 0) return [];
    const content = excuses.map((excuse): Content => {
      const same = own.filter((one) => excuseOf(one) === excuse);
      return [
        { kind: 'list', items: [excuse] },
        only(
          'verbose',
          actualsOf(same).map((words) => ({ kind: 'prose', sign: '  ', words })),
          same.map(placeTold),
        ),
      ];
    });
    return [{ kind: 'fold', id, says, mark: '~', tone: 'open', content }];
  });
}

export function knownIn({ scenarios }: RunResult): Evidence[] {
  return scenarios.flatMap(evidenceIn).filter(({ check }) => check.known !== undefined);
}

function excuseOf({ check }: Evidence): string {
  return excuseText(check.known ?? {});
}

function placeTold({ check, scenario }: Evidence): Content {
  return { kind: 'prose', sign: '  ', words: { text: `${placeText(check)}  ${scenario.id}`, as: 'muted' } };
}
