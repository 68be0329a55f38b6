/** `cselab show`: the failures of a report, or one of them with everything. */
import type { RunResult } from '../../scenarios/index.ts';
import { command } from '../../sim/flag.ts';
import { byHand } from '../by-hand.ts';
import { checkFacts, transcript } from '../check/evidence-told.ts';
import { circumstancesText } from '../circumstances.ts';
import { type Content, type Fact, type Fold, facts, muted } from '../document/model.ts';
import { indexEvidence, placeText } from '../evidence.ts';
import { groupedBy } from '../grouped.ts';
import { readReport } from '../read-report.ts';
import { writeReading } from '../reporting.ts';
import { type Failure, failuresOf, findFailures } from '../show/failures.ts';
import { counted, levelWords, looks, targetText, verdictLine } from '../wording.ts';
import { color } from './common-flags.ts';

const examples = `
An id is a failure's (seven digits, or the first four; the same in every run), a requirement's, or a scenario's.

Examples:
  cselab show report.json                          every failure with its id
  cselab show report.json 3fa91c2                  all about one: clause, expected and actual, transcript, curl
  cselab show report.json ae.create.status
  cselab show report.json documented/ae/registers`;

export const define = command({
  takes: [
    ['<report>', 'JSON report'],
    ['[id]', 'failure, requirement or scenario'],
  ],
  flags: { '': { color } },
  examples,
  run(path, id, flags) {
    const result = readReport(path);
    writeReading(id === undefined ? listTold(result) : failureTold(result, findFailures(result, id)), flags);
  },
});

/** Every failure with its short id, by which it is shown and replayed. */
function listTold(result: RunResult): Content {
  const failures = failuresOf(result);
  const requirements = new Set(failures.map(({ requirement }) => requirement?.id));
  return [
    `${targetText(result)}, run ${result.run}`,
    verdictLine(result),
    { kind: 'heading', text: '' },
    failures.length === 0
      ? 'Nothing failed.'
      : [
          {
            kind: 'heading',
            text: `${counted(failures.length, 'failure')} of ${counted(requirements.size, 'requirement')}`,
          },
          failures.map(failureLine),
          { kind: 'heading', text: '' },
          muted('cselab show REPORT ID tells all about one, cselab replay REPORT ID sends it again.'),
        ],
  ];
}

function failureLine({ id, requirement, evidence: { check, scenario, stepNumber } }: Failure): Content {
  const { mark } = looks[requirement?.verdict ?? check.state];
  return [
    {
      kind: 'prose',
      sign: '  ',
      words: `${id}  ${mark} ${check.requirement}${check.known === undefined ? '' : ' (known)'}`,
    },
    { kind: 'prose', sign: '           ', words: { text: `${scenario.id}, step ${stepNumber}`, as: 'muted' } },
    { kind: 'prose', sign: '           ', words: check.actual },
  ];
}

/** One failure with everything that the report knows about it. */
function failureTold(result: RunResult, [first, ...others]: readonly [Failure, ...Failure[]]): Content {
  const { id, requirement, evidence } = first;
  const { check, scenario, step, stepNumber } = evidence;
  const state = requirement?.verdict ?? check.state;
  const where = circumstancesText(result, scenario, step);
  const head: Omit<Fold, 'content'> = {
    ...{ kind: 'fold', id: check.requirement, state: id, ...looks[state] },
    says: requirement?.says ?? '',
  };
  return {
    ...head,
    content: [
      facts(
        requirement && ['clause', `${requirement.section}, ${requirement.source}`],
        requirement && ['level', `${levelWords[requirement.level]}; the requirement is ${requirement.verdict}`],
        (requirement?.answers ?? []).length > 0 && ['answers', (requirement?.answers ?? []).join(', ')],
        ['scenario', `${scenario.id}, step ${stepNumber}`, scenario.title, { text: placeText(check), as: 'muted' }],
        where !== '' && ['where', where],
        ...checkFacts(check),
        scenario.again !== undefined && ['again', `the scenario ran once more, alone: ${scenario.again}`],
        variantsFact(result, check.requirement),
      ),
      { kind: 'heading', text: 'Transcript' },
      transcript(result, scenario, step),
      { kind: 'code', label: 'Command line', text: byHand(result, evidence).join('\n'), isCopied: true },
      others.length > 0 && {
        ...{ kind: 'details', summary: `Also at ${counted(others.length, 'other place')}` },
        content: others.map(placeLine),
      },
    ],
  };
}

function placeLine({ id, evidence: { scenario, stepNumber, check } }: Failure): string {
  return `${id}  ${check.requirement}, ${scenario.id}, step ${stepNumber}`;
}

/** Which of the permitted outcomes the target takes, here and in other checks of the requirement. */
function variantsFact(result: RunResult, requirement: string): Fact | undefined {
  const variants = indexEvidence(result)
    .of(requirement)
    .flatMap(({ check }) => check.variant ?? []);
  const counts = groupedBy(variants, (variant) => variant);
  const seen = [...counts].map(([variant, { length }]) => `${variant} (${counted(length, 'check')})`);
  return seen.length === 0 ? undefined : ['variants', seen.join(', ')];
}
