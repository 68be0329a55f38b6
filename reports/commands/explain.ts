/** `cselab explain`: all about one requirement, with an example of right and of wrong that are made when it is asked for. */

import { dutiesOf } from '../../scenarios/applications/duty.ts';
import { check, listScenarios } from '../../scenarios/checking/check.ts';
import { loadRequirements } from '../../scenarios/engine/files/catalogue.ts';
import { chosenFaults } from '../../scenarios/mutants/mutants.ts';
import { rulesOf } from '../../scenarios/oracle/rules.ts';
import {
  type Dialect,
  dialects,
  didYouMean,
  lastOf,
  type RequirementResult,
  UsageError,
} from '../../scenarios/words.ts';
import { command } from '../../sim/command-line/flag.ts';
import { evidenceTold, failureTold } from '../check/evidence-told.ts';
import { blank, type Content, facts, heading, muted, prose } from '../document/model.ts';
import { type CheckEvidence, indexEvidence } from '../facts/evidence.ts';
import { counted, levelWords, targetText } from '../facts/wording.ts';
import { color } from '../flags/common-flags.ts';
import { readReport } from '../formats/read-report.ts';
import { writeReading } from '../formats/reporting.ts';

const examples = `
The examples are made now: the first scenario that checks the requirement runs at the embedded reference CSE, once as that is, and
once as it deviates. With a report it is shown what was seen there as well.

Examples:
  cselab explain ae.create.status
  cselab explain std.discovery.limit report.json`;

export const define = command({
  says: 'tell all about one requirement: its clause, how it is judged, what is right and what is wrong',
  takes: [
    ['<id>', 'a requirement'],
    ['[report]', 'JSON report of a run'],
  ],
  flags: { '': { color } },
  examples,
  async run(id, report, flags) {
    writeReading(await explained(id, report), flags);
  },
});

type Known = Pick<RequirementResult, 'id' | 'level'>;

const dialectOf = ({ level }: Known): Dialect => (level === 'standard' ? 'onem2m' : 'documented');

/** Throws a UsageError for what is called by no requirement. */
async function explained(id: string, report: string | undefined): Promise<Content> {
  const { requirement, isDuty } = requirementCalled(id);
  const { level, source, section, says, since, answers = [], untestable } = requirement;
  const dialect = dialectOf(requirement);
  const scenarios = untestable === undefined && !isDuty ? listScenarios({ dialect, ids: [id] }) : [];
  const isRuled = rulesOf(dialect).some((rule) => rule.requirement === id);
  return [
    prose({ text: id, as: 'strong' }),
    says,
    facts(
      ['clause', `${section}, ${source}`],
      ['level', levelWords[level]],
      since !== undefined && ['since', `release ${since}`],
      answers.length > 0 && ['answers', answers.join(', ')],
      untestable !== undefined && ['untestable', untestable],
      [
        'judged by',
        ...(isDuty ? ['check --as-cse, at every message of an application'] : []),
        ...judgedBy(
          scenarios.map((one) => one.id),
          isRuled,
        ),
      ],
    ),
    scenarios.length > 0 && (await exampleTold(requirement)),
    report !== undefined && seenTold(id, report),
  ];
}

/** `isDuty`: of an application. Throws a UsageError for an id that there is not. */
function requirementCalled(id: string) {
  const { requirements } = loadRequirements();
  const duties = new Map(dialects.flatMap(dutiesOf).map((duty) => [duty.id, duty]));
  const isDuty = duties.has(id);
  const requirement = requirements.get(id) ?? duties.get(id);
  if (requirement !== undefined) return { requirement, isDuty };
  throw new UsageError(`there is no requirement "${id}"${didYouMean(id, [...requirements.keys(), ...duties.keys()])}`);
}

const mostNamed = 5;

function judgedBy(scenarios: readonly string[], isRuled: boolean): string[] {
  const more = scenarios.length - mostNamed;
  return [
    ...scenarios.slice(0, mostNamed),
    ...(more > 0 ? [`and ${counted(more, 'more scenario')}: cselab check --list tells them`] : []),
    ...(isRuled ? ['a rule, at every exchange of every run'] : []),
  ];
}

/** At the reference CSE as it is, and with the first of its deviations from the requirement. */
async function exampleTold(requirement: Known): Promise<Content> {
  const [right] = await seenAt(requirement, [], 'passed');
  const deviations = await chosenFaults({ requirements: [requirement.id] }).catch((error: unknown) => {
    if (error instanceof UsageError) return [];
    throw error;
  });
  const [deviation] = deviations;
  const [wrong] = deviation === undefined ? [] : await seenAt(requirement, [deviation.id], 'failed');
  return [
    blank,
    heading('Right'),
    right ?? muted('No scenario shows it at the embedded reference CSE alone.'),
    deviation !== undefined && [
      blank,
      heading('Wrong'),
      deviation.says,
      wrong ?? muted('Sequences of requests show it: cselab mutants --generated.'),
      muted(`npx cselab up --deviation ${deviation.id}`),
    ],
  ];
}

async function seenAt(requirement: Known, faults: readonly string[], state: 'passed' | 'failed'): Promise<Content[]> {
  const dialect = dialectOf(requirement);
  const result = await lastOf(check({ target: { kind: 'embedded', faults }, dialect, ids: [requirement.id] }));
  const shown = indexEvidence(result)
    .of(requirement.id)
    .filter(({ check: { state: one } }) => one === state);
  return shown.sort(shorter).map((evidence) => evidenceTold(evidence, result));
}

/** Whoever reads an example wants a short one. */
const shorter = (one: CheckEvidence, other: CheckEvidence): number => one.stepNumber - other.stepNumber;

function seenTold(id: string, path: string): Content {
  const result = readReport(path);
  const seen = indexEvidence(result).of(id);
  const failed = seen.filter(({ check: { state } }) => state === 'failed');
  const verdict = result.requirements.find((one) => one.id === id)?.verdict ?? 'not judged';
  const title = `At ${targetText(result)}: ${verdict}, by ${counted(seen.length, 'check')}`;
  return [blank, heading(title), failed.slice(0, 1).map((evidence) => failureTold(evidence, result))];
}
