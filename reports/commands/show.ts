/** `cselab show`: lists the failures of a report, or shows one in full. */

import { didYouMean, type RequirementResult, type RunResult, UsageError } from '../../scenarios/words.ts';
import { command } from '../../sim/command-line/flag.ts';
import { checkFacts, commandLines } from '../check/evidence-blocks.ts';
import { transcript } from '../check/transcript-blocks.ts';
import { blank, type Content, details, type Fact, facts, fold, heading, muted, prose } from '../document/model.ts';
import {
  type CheckEvidence,
  contextText,
  evidenceIn,
  failureId,
  indexEvidence,
  locationText,
  stepText,
} from '../facts/evidence.ts';
import { shellLines } from '../facts/shell-lines.ts';
import { counted, groupedBy, levelWords, looks, targetText, verdictLine } from '../facts/wording.ts';
import { color } from '../flags/common-flags.ts';
import { readReport } from '../formats/read-report.ts';
import { printContent } from '../formats/reporting.ts';

const examples = `
An id is a failure's (seven digits, or the first four; the same in every run), a requirement's, or a scenario's.

Examples:
  cselab show report.json                          every failure with its id
  cselab show report.json 3fa91c2                  all about one: clause, expected and actual, transcript, curl
  cselab show report.json ae.create.status
  cselab show report.json documented/ae/registers`;

export const define = command({
  args: [
    ['<report>', 'JSON report'],
    ['[id]', 'failure, requirement or scenario'],
  ],
  flags: { '': { color } },
  examples,
  run(path, id, flags) {
    const result = readReport(path);
    printContent(id === undefined ? listBlocks(result) : failureBlocks(result, findFailures(result, id)), flags);
  },
});

/** Every failure with its short id, for `show` and `replay`. */
function listBlocks(result: RunResult): Content {
  const failures = failuresOf(result);
  const requirements = new Set(failures.map(({ requirement }) => requirement?.id));
  const title = `${counted(failures.length, 'failure')} of ${counted(requirements.size, 'requirement')}`;
  const hint = muted('cselab show REPORT ID tells all about one, cselab replay REPORT ID sends it again.');
  return [
    `${targetText(result)}, run ${result.run}`,
    verdictLine(result),
    blank,
    failures.length === 0 ? 'Nothing failed.' : [heading(title), failures.map(failureLine), blank, hint],
  ];
}

function failureLine({ id, requirement, evidence }: ListedFailure): Content {
  const { check } = evidence;
  const { mark } = looks[requirement?.verdict ?? check.state];
  const indent = ' '.repeat(11);
  return [
    prose(`${id}  ${mark} ${check.requirement}${check.known === undefined ? '' : ' (known)'}`, '  '),
    muted(stepText(evidence), indent),
    prose(check.actual, indent),
  ];
}

/** One failure in full. */
function failureBlocks(result: RunResult, [first, ...others]: readonly [ListedFailure, ...ListedFailure[]]): Content {
  const { id, requirement, evidence } = first;
  const { check, scenario, step } = evidence;
  const { says = '', answers = [] } = requirement ?? {};
  const where = contextText(result, scenario, step);
  const look = { ...looks[requirement?.verdict ?? check.state], state: id };
  return fold(check.requirement, says, look, [
    facts(
      requirement && ['clause', `${requirement.section}, ${requirement.source}`],
      requirement && ['level', `${levelWords[requirement.level]}; the requirement is ${requirement.verdict}`],
      answers.length > 0 && ['answers', answers.join(', ')],
      ['scenario', stepText(evidence), scenario.title, { text: locationText(check), as: 'muted' }],
      where !== '' && ['where', where],
      ...checkFacts(check),
      scenario.again !== undefined && ['again', `the scenario ran once more, alone: ${scenario.again}`],
      variantsFact(result, check.requirement),
    ),
    heading('Transcript'),
    transcript(scenario, step),
    commandLines(shellLines(result, evidence)),
    others.length > 0 && details(`Also at ${counted(others.length, 'other place')}`, locationBlocks(others)),
  ]);
}

/** Locations of a failure, and files of others, that are listed. */
const most = 5;

function locationBlocks(locations: readonly ListedFailure[]): Content {
  const rest = locations.slice(most);
  const files = [...groupedBy(rest, ({ evidence }) => evidence.check.place.file)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const others = files.slice(most).reduce((sum, [, { length }]) => sum + length, 0);
  const counts = files.slice(0, most).map(([file, { length }]) => `${length} in ${file}`);
  if (others > 0) counts.push(`${others} in ${counted(files.length - most, 'other file')}`);
  return [
    locations.slice(0, most).map(({ id, evidence }) => `${id}  ${evidence.check.requirement}, ${stepText(evidence)}`),
    rest.length > 0 && muted(`and ${counts.join(', ')}: cselab show REPORT lists each`),
  ];
}

/** The permitted variants that the target takes, here and in other checks of the requirement. */
function variantsFact(result: RunResult, requirement: string): Fact | undefined {
  const variants = indexEvidence(result)
    .of(requirement)
    .flatMap(({ check }) => check.variant ?? []);
  const counts = groupedBy(variants, (variant) => variant);
  const seen = [...counts].map(([variant, { length }]) => `${variant} (${counted(length, 'check')})`);
  return seen.length === 0 ? undefined : ['variants', seen.join(', ')];
}

export interface ListedFailure {
  /** Seven hexadecimal digits. */
  readonly id: string;
  readonly requirement: RequirementResult | undefined;
  readonly evidence: CheckEvidence;
}

/** In the order of the report: failures that count, then advice. */
export function failuresOf(result: RunResult): ListedFailure[] {
  const index = indexEvidence(result);
  const isAdvice = ({ verdict }: RequirementResult) => verdict === 'advisory';
  const requirements = result.requirements.toSorted((a, b) => Number(isAdvice(a)) - Number(isAdvice(b)));
  return requirements.flatMap((requirement) =>
    index.at(requirement.violations).map((evidence) => ({ id: failureId(evidence), requirement, evidence })),
  );
}

/**
 * What an id means: a failure by its short id or the beginning of it, a requirement, or a scenario. The first is shown; the others
 * are more of the same. If nothing failed, all checks are returned. Throws UsageError for an id that is not in the report.
 */
export function findFailures(result: RunResult, id: string): [ListedFailure, ...ListedFailure[]] {
  const failures = failuresOf(result);
  const [first, ...others] = candidates(result, failures, id);
  if (first !== undefined) return [first, ...others];
  const words = [...result.requirements, ...result.scenarios].map((one) => one.id);
  if (words.includes(id)) throw new UsageError(`nothing of "${id}" was checked in this report`);
  throw new UsageError(
    `there is no failure, requirement or scenario "${id}" in this report${didYouMean(id, words)}; without an id, show lists the failures`,
  );
}

function candidates(result: RunResult, failures: readonly ListedFailure[], id: string): ListedFailure[] {
  if (/^[0-9a-f]{4,7}$/.test(id)) {
    const short = failures.filter((one) => one.id.startsWith(id));
    const ids = [...new Set(short.map((one) => one.id))];
    if (ids.length > 1) throw new UsageError(`"${id}" begins several ids: ${ids.join(', ')}`);
    if (short.length > 0) return short;
  }
  const isMatch = ({ check, scenario }: CheckEvidence) => check.requirement === id || scenario.id === id;
  const own = failures.filter(({ evidence }) => isMatch(evidence));
  if (own.length > 0) return own;
  // Nothing failed: all checks, gaps included.
  const requirements = new Map(result.requirements.map((one) => [one.id, one]));
  return result.scenarios
    .flatMap(evidenceIn)
    .filter(isMatch)
    .map((one) => ({ id: failureId(one), requirement: requirements.get(one.check.requirement), evidence: one }));
}
