/** `cselab explain`: all about one requirement, with a valid and an invalid example, made on the spot. */

import {
  type BreakingDeviation,
  demonstrate,
  deviationsBreaking,
  type Explanation,
  explanationOf,
} from '../../scenarios/mutants/explanation.ts';
import { ownRuleFiles, rulesCalled } from '../../scenarios/results.ts';
import { type RequirementResult, UsageError } from '../../scenarios/words.ts';
import { command } from '../../sim/command-line/flag.ts';
import { evidenceBlocks, failureBlocks, messagePair, pageLimits } from '../check/evidence-blocks.ts';
import { causeFold } from '../check/run-blocks.ts';
import { blank, type Content, type Fact, facts, heading, muted, prose } from '../document/model.ts';
import { type CheckEvidence, indexEvidence } from '../facts/evidence.ts';
import { causeFacts } from '../facts/run-facts.ts';
import { capitalised, counted, levelWords, targetText } from '../facts/wording.ts';
import { color, rules } from '../flags/common-flags.ts';
import { readReport } from '../formats/read-report.ts';
import { printContent } from '../formats/reporting.ts';

const examples = `
The examples are made on the spot: the first scenario that checks the requirement runs at the embedded reference CSE, without and with
a deviation; those of a rule of your own are in its file. With a report, its checks are shown as well, and the cause to be mended first.

Examples:
  cselab explain ae.create.status
  cselab explain std.discovery.limit report.json
  cselab explain house.container.named --rules house-rules.yaml`;

export const define = command({
  help: 'explain one requirement: its clause, how it is checked, a valid and an invalid example',
  args: [
    ['<id>', 'a requirement'],
    ['[report]', 'JSON report of a run'],
  ],
  flags: {
    '': {
      rules,
      color,
    },
  },
  examples,
  async run(id, report, { rules: own = [], color: isColored }) {
    const ownRules = ownRuleFiles(rulesCalled(own));
    printContent(await explain(id, report, ownRules), { color: isColored });
  },
});

/** Throws a UsageError for an unknown id. */
async function explain(id: string, report: string | undefined, ownRules: readonly string[]): Promise<Content> {
  const { requirement, isDuty, scenarios, rules, features, examples } = explanationOf(id, ownRules);
  const { level, source, section, says, since, answers = [], untestable } = requirement;
  return [
    prose({ text: id, as: 'strong' }),
    says,
    facts(
      ['clause', `${section}, ${source}`],
      ['level', `${levelWords[level]}: ${consequences[level]}`],
      features.length > 0 && ['part of', ...features],
      since !== undefined && ['since', `release ${since}`],
      answers.length > 0 && ['answers', answers.join(', ')],
      untestable !== undefined && ['untestable', untestable],
      [
        'checked by',
        ...(isDuty ? ['check --as-cse, at every message of an application'] : []),
        ...judgedBy(id, scenarios, rules.length > 0),
      ],
      ...rules.slice(0, mostListed).map(({ when, demand }): Fact => ['rule', `when ${when}`, `then ${demand}`]),
    ),
    ownExampleBlocks(examples),
    scenarios.length > 0 && (await exampleBlocks(requirement).catch(noExample)),
    report !== undefined && reportBlocks(id, report),
  ];
}

/** What a violation means for a run. */
const consequences: Readonly<Record<RequirementResult['level'], string>> = {
  documented: 'a violation fails a run',
  gap: 'nobody fails by it',
  standard: 'a violation fails a run in the onem2m dialect, and is advice in the other',
};

const mostListed = 5;

function judgedBy(id: string, scenarios: readonly string[], isRuled: boolean): string[] {
  const more = scenarios.length - mostListed;
  return [
    ...scenarios.slice(0, mostListed),
    ...(more > 0 ? [`and ${counted(more, 'more scenario')}: cselab check ${id} --list`] : []),
    ...(isRuled ? ['a rule, on every exchange of every run'] : []),
  ];
}

/** Examples that a team has written. */
function ownExampleBlocks(examples: Explanation['examples']): Content {
  return (['valid', 'invalid'] as const).map(
    (kind) =>
      examples[kind].length > 0 && [
        blank,
        heading(capitalised(kind)),
        examples[kind].map((exchanges) => exchanges.map((one) => messagePair(one, pageLimits))),
      ],
  );
}

/** Such as for a missing package. */
function noExample(error: unknown): Content {
  if (error instanceof UsageError) return [blank, muted(`No example: ${error.message}`)];
  throw error;
}

/** Deviations that are tried. */
const mostTried = 3;

/** From the reference CSE as it is, and with a deviation from the requirement. */
async function exampleBlocks(requirement: Explanation['requirement']): Promise<Content> {
  const [right] = await evidenceAt(requirement, 'passed');
  const deviations = await deviationsBreaking(requirement.id);
  let [wrong, deviation]: [Content, BreakingDeviation | undefined] = [undefined, deviations[0]];
  for (const one of deviations.slice(0, mostTried)) {
    [wrong, deviation] = [(await evidenceAt(requirement, 'failed', one))[0], one];
    if (wrong !== undefined) break;
  }
  return [
    blank,
    heading('Valid'),
    right ?? muted('No scenario shows it at the embedded reference CSE alone.'),
    deviation !== undefined && [
      blank,
      heading('Invalid'),
      deviation.says,
      wrong ?? muted('Sequences of requests show it: cselab mutants --generators.'),
      deviation.id !== undefined && muted(`npx cselab up --deviation ${deviation.id}`),
    ],
  ];
}

async function evidenceAt(
  requirement: Explanation['requirement'],
  state: 'passed' | 'failed',
  wrong?: BreakingDeviation,
): Promise<Content[]> {
  const result = await demonstrate(requirement, wrong);
  const matching = indexEvidence(result)
    .of(requirement.id)
    .filter(({ check: { state: one } }) => one === state);
  return matching.sort(shorter).map((evidence) => evidenceBlocks(evidence, result));
}

/** The shortest example first. */
const shorter = (one: CheckEvidence, other: CheckEvidence): number => one.stepNumber - other.stepNumber;

/** Its checks in a run, and the cause of its failures, which may be another requirement. */
function reportBlocks(id: string, path: string): Content {
  const result = readReport(path);
  const checks = indexEvidence(result).of(id);
  const verdict = result.requirements.find((one) => one.id === id)?.verdict ?? 'not checked';
  const cause = causeFacts(result).find((one) => [one.requirement, ...one.others].some((other) => other.id === id));
  const failed = checks.filter(({ check: { state } }) => state === 'failed');
  return [
    blank,
    heading(`At ${targetText(result)}: ${verdict}, by ${counted(checks.length, 'check')}`),
    cause?.requirement.id !== id && failed.slice(0, 1).map((evidence) => failureBlocks(evidence, result)),
    cause && [blank, heading('To be mended'), causeFold(cause, result)],
  ];
}
