import {
  checkedShare,
  type GapObservation,
  isWhole,
  type RequirementResult,
  type RunResult,
  type ScenarioResult,
} from '../../scenarios/words.ts';
import { failureBlocks } from '../check/evidence-blocks.ts';
import { contentLines, screenOf } from '../document/terminal.ts';
import {
  answerText,
  type CheckEvidence,
  type EvidenceIndex,
  evidenceIn,
  excuseText,
  indexEvidence,
  stepText,
} from '../facts/evidence.ts';
import { deathFacts } from '../facts/run-facts.ts';
import { checkedText, displayState, verdictLine, visibleText } from '../facts/wording.ts';

export type CaseOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'failure' | 'error'; readonly type: string; readonly message: string; readonly text: string };

export interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly seconds: number;
  readonly outcome: CaseOutcome;
  /** Its check; absent for anything outside of checks. */
  readonly evidence?: CheckEvidence;
}

export interface TestSuite {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly cases: readonly TestCase[];
  /** Implementation-defined behaviour, and advice. */
  readonly output: string;
}

/**
 * One suite for each requirement, since properties of a single case are in no schema: its properties are the
 * requirement, section and level of the cases. Then failures outside of checks.
 */
export function testSuites(result: RunResult): TestSuite[] {
  const evidence = indexEvidence(result);
  const suites = [
    deathSuite(result),
    ...result.requirements.map((requirement) => requirementSuite(result, requirement, evidence)),
    stoppedSuite(result),
    baselineSuite(result),
    runSuite(result),
  ];
  return withUniqueNames(suites.filter(({ cases }) => cases.length > 0));
}

function requirementSuite(result: RunResult, requirement: RequirementResult, evidence: EvidenceIndex): TestSuite {
  const { id, level, section, source, says, verdict, gaps } = requirement;
  const checks = evidence.of(id);
  return {
    name: id,
    properties: { requirement: id, level, section, source, says, verdict, run: result.run },
    cases: checks.length > 0 ? checks.map((one) => checkCase(one, requirement, result)) : uncheckedCases(requirement),
    output: outputLines(gaps, checks).join('\n'),
  };
}

/** What an implementation-defined check saw, what advice says, and what people answered. */
function outputLines(gaps: readonly GapObservation[], checks: readonly CheckEvidence[]): string[] {
  return [
    ...gaps.map(({ scenario, step, actual, asReference }) => {
      return `${scenario}, step ${step + 1}: ${actual}${asReference ? ' (as the reference)' : ''}`;
    }),
    ...checks
      .filter(({ check }) => displayState(check) === 'advisory')
      .map((one) => `advisory: ${stepText(one)}: ${one.check.actual}; expected ${one.check.expected.join(', or ')}`),
    ...checks.flatMap((one) => {
      const { asked } = one.step;
      return asked === undefined ? [] : `${stepText(one)}: ${asked.question} ${answerText(asked)}`;
    }),
  ];
}

/**
 * `documented/ae/registers` becomes `documented.ae.registers`: Jenkins splits at the last dot into a package for each
 * scenario file and a class for each scenario. A dot of the id's own would be split too, so it becomes `_`.
 */
export const classname = (scenario: string): string => scenario.replaceAll('.', '_').replaceAll('/', '.');

function checkCase(evidence: CheckEvidence, requirement: RequirementResult, result: RunResult): TestCase {
  const { scenario, step, stepNumber, check } = evidence;
  return {
    classname: classname(scenario.id),
    // Titles of steps contain names that differ in each run; numbers do not, and GitLab compares runs by this name.
    name: `${check.requirement} at step ${stepNumber}`,
    // The first check of a step carries its time, so that the sum of the cases is the time spent.
    seconds: step.checks[0] === check ? (step.exchange?.took ?? 0) / 1000 : 0,
    outcome: checkOutcome(evidence, requirement, result),
    evidence,
  };
}

function checkOutcome(evidence: CheckEvidence, requirement: RequirementResult, result: RunResult): CaseOutcome {
  const { state, known, actual, reason = actual } = evidence.check;
  // Neither a gap nor advice is ever a failure, whatever its check says.
  if (state === 'passed' || (state === 'failed' && displayState(evidence.check) !== 'failed')) return passed;
  if (/^(not testable|left out|not applicable)$/.test(state)) return skipped(`${state}: ${reason}`);
  if (known !== undefined) return skipped(`known deviation: ${excuseText(known)}: ${actual}`);
  // Some readers show only the text of the element: all about a failure, or what was to be checked.
  const details = contentLines(page, failureBlocks(evidence, result, limits));
  const textOf = (...head: string[]) => [...head.map(visibleText), '', ...details].join('\n');
  const { says, section, source } = requirement;
  if (state === 'failed') return failed('violated', actual, textOf(says, `(${section}, ${source})`));
  const isLost = state === 'lost';
  return broken(isLost ? 'lost' : 'harness fault', reason, textOf(isLost ? `lost: ${reason}` : reason));
}

const passed: CaseOutcome = { kind: 'passed' };

const skipped = (reason: string): CaseOutcome => ({ kind: 'skipped', reason });

function failed(type: string, message: string, text = message): CaseOutcome {
  return { kind: 'failure', type, message, text };
}

/** States that say nothing about the target. */
const broken = (type: string, message: string, text = message): CaseOutcome => ({ kind: 'error', type, message, text });

function uncheckedCases({ id, verdict, reason }: RequirementResult): TestCase[] {
  const why = `${verdict}: ${reason ?? 'no check of it ran'}`;
  const outcome = verdict === 'lost' ? broken('lost', why) : skipped(why);
  return [{ classname: `requirements.${id.replaceAll('.', '_')}`, name: id, seconds: 0, outcome }];
}

/** A case about the whole run. */
function suiteOf(name: string, { run }: RunResult, cases: ReadonlyArray<Omit<TestCase, 'seconds'>>): TestSuite {
  return { name, properties: { run }, cases: cases.map((one) => ({ ...one, seconds: 0 })), output: '' };
}

/** Scenarios that stopped for a reason outside of their checks. */
function stoppedSuite(result: RunResult): TestSuite {
  const cases = result.scenarios.filter(isUnexplained).map(({ id, state, reason = 'no reason given' }) => {
    const isSkipped = state !== 'lost' && state !== 'fault';
    const outcome = isSkipped
      ? skipped(`${state}: ${reason}`)
      : broken(state === 'lost' ? 'lost' : 'harness fault', reason);
    return { classname: classname(id), name: 'runs to its end', outcome };
  });
  return suiteOf('scenarios', result, cases);
}

function isUnexplained(scenario: ScenarioResult): boolean {
  const { state } = scenario;
  if (state === 'passed' || state === 'failed') return false;
  const checkState = /^(fault|lost|left out|not applicable)$/.test(state) ? state : 'not testable';
  return !evidenceIn(scenario).some(({ check }) => check.state === checkState);
}

/** Deaths of the target, with lines that reproduce them. Without a known culprit, a death is no verdict on the target. */
function deathSuite(result: RunResult): TestSuite {
  const cases = deathFacts(result).map(({ title, says, lines, curl, culprit }) => {
    const name = `stays alive${culprit === undefined ? '' : ` in ${culprit.scenario}`}`;
    const text = [says, '', title, ...lines, '', ...curl].map(visibleText).join('\n');
    const outcome = (culprit === undefined ? broken : failed)('died', says, text);
    return { classname: 'cselab.target', name, outcome };
  });
  return suiteOf('target', result, cases);
}

/** Invalid entries of the baseline fail the run, though no check fails for them. */
function baselineSuite(result: RunResult): TestSuite {
  const cases = (result.baseline?.problems ?? []).map(({ kind, scenario, requirement, says }) => ({
    classname: classname(scenario),
    name: `${requirement}: baseline entry`,
    outcome: failed(kind, says),
  }));
  return suiteOf('baseline', result, cases);
}

/**
 * Cases about the run as a whole. A run without a verdict is an error, so that an empty report never passes; a run that left out
 * what it could have checked has a skipped case that says so.
 */
function runSuite(result: RunResult): TestSuite {
  const share = checkedShare(result.requirements);
  const { checked, checkable, notApplicable } = share;
  const verdict = verdictLine(result);
  const { code } = result.exit;
  const scope = isWhole(share) ? passed : skipped(`checked: ${checkedText(result)}`);
  const runCase =
    code === 0 || code === 1
      ? { name: 'scope', outcome: scope }
      : { name: 'verdict', outcome: broken(`exit code ${code}`, verdict) };
  const suite = suiteOf('run', result, [{ classname: 'cselab.run', ...runCase }]);
  const counts = { checked: String(checked), checkable: String(checkable), 'not applicable': String(notApplicable) };
  return { ...suite, properties: { ...suite.properties, verdict, ...counts }, output: verdict };
}

/** GitLab keeps only the first of several cases with the same class and name. */
function withUniqueNames(suites: readonly TestSuite[]): TestSuite[] {
  const seen = new Map<string, number>();
  const unique = (testCase: TestCase): TestCase => {
    const key = `${testCase.classname} ${testCase.name}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? testCase : { ...testCase, name: `${testCase.name}, check ${count}` };
  };
  return suites.map((suite) => ({ ...suite, cases: suite.cases.map(unique) }));
}

/** GitLab refuses files over 30 MB; this leaves room for hundreds of failures. */
const limits = { most: Number.POSITIVE_INFINITY, bodyLimit: 16_000 };
const page = screenOf({ color: false, columns: 10_000, verbose: true });
