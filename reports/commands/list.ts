/** `cselab list`: what the catalogue demands, and which scenarios check it. */
import {
  casesOf,
  coverageOf,
  defined,
  dialects,
  knownRisks,
  listScenarios,
  loadRequirements,
  loadScenarios,
  outcomesText,
  type Requirement,
  type RobustnessCase,
  type RobustnessSection,
  riskOf,
  robustnessSections,
  rulesOf,
  shippedInventory,
} from '../../scenarios/index.ts';
import { coverageLines } from '../coverage-text.ts';
import { groupedBy } from '../grouped.ts';
import { counted } from '../wording.ts';
import { json } from './common-flags.ts';
import { command, type GivenIn, toggle, valued } from './flag.ts';

const flags = {
  '': {
    json,
    risks: toggle('requests that are known to corrupt or kill a deployed CSE, and are left out at live targets'),
    coverage: toggle(
      'test purposes of the conformance suite that are answered, statements without a check, and what rules look at',
    ),
    robustness: valued('[numbers...]', 'the robustness cases, or those of these numbers and sections, such as R-3'),
  },
};

type ListFlags = GivenIn<typeof flags>;

const examples = `
Examples:
  cselab list
  cselab list --json
  cselab list --robustness      the cases of cselab explore --robustness, with what is right of each
  cselab list --coverage        how far they answer oneM2M's conformance suite
  cselab list --risks           what is not sent to a live target unless --risky is given
  cselab check --list ae        the scenarios behind requirements that start with ae`;

export const define = command({
  says: 'list every requirement of the catalogue with the number of scenarios that check it',
  flags,
  examples,
  run: runList,
});

/** What is listed, for programs and for people. */
interface Listed {
  readonly value: unknown;
  lines(): readonly string[];
}

/** Throws a UsageError for robustness cases that nobody has. */
function runList(flags: ListFlags): void {
  const { value, lines } = listedBy(flags);
  process.stdout.write(`${flags.json ? JSON.stringify(value, null, 2) : lines().join('\n')}\n`);
}

function listedBy({ coverage, robustness, risks }: ListFlags): Listed {
  if (coverage) return coverageListed();
  if (robustness) return robustnessListed(robustness === true ? [] : robustness);
  return risks ? { value: knownRisks, lines: riskLines } : requirementsListed();
}

function coverageListed(): Listed {
  const coverage = coverageOf(loadScenarios(), dialects.flatMap(rulesOf));
  const rules = shippedInventory();
  return { value: { ...coverage, rules }, lines: () => coverageLines(coverage, rules) };
}

/** All of them where no numbers and sections are given. */
function robustnessListed(numbers: readonly string[]): Listed {
  const wanted = new Set(casesOf(numbers));
  const sections = robustnessSections
    .map((section) => ({ ...section, cases: section.cases.filter((one) => wanted.has(one)) }))
    .filter(({ cases }) => cases.length > 0);
  return { value: sections.flatMap(casesIn), lines: () => sections.flatMap(sectionLines).slice(1) };
}

function casesIn({ title: section, cases }: RobustnessSection) {
  return cases.map((one) => {
    const { number, title, right, tolerable = [], clause, closes, over } = one;
    const facts = { number, section, title, right, tolerable, clause };
    return { ...facts, ...defined({ closes, risk: riskOf(one), over }) };
  });
}

function sectionLines({ number, title, cases }: RobustnessSection): string[] {
  const lines = cases.flatMap((one) => [`  ${one.number}  ${one.title}`, `      ${expectationText(one)}`]);
  return ['', `R-${number} ${title}`, ...lines];
}

function expectationText(one: RobustnessCase): string {
  const { right, tolerable = [], closes, over, clause } = one;
  const risk = riskOf(one);
  const parts = [
    `right: ${outcomesText(right)}${closes ? ', and the connection ends' : ''}`,
    ...(tolerable.length > 0 ? [`tolerable: ${outcomesText(tolerable)}`] : []),
    ...(over === undefined ? [] : ['over TLS only']),
    ...(risk === undefined ? [] : [`risky: ${risk}`]),
  ];
  return `${parts.join('; ')} (${clause})`;
}

/** What is left out at live targets. */
function riskLines(): string[] {
  return knownRisks.flatMap(({ id, request, effect, product, version, happened, only }) => {
    const where = only === undefined ? '' : `; left out at ${product} only`;
    return [id, `  ${request} ${effect} ${product} ${version} (${happened})${where}`];
  });
}

function requirementsListed(): Listed {
  const scenarios = checkingScenarios();
  // Those that rules judge, in whatever dialect.
  const ruled = new Set(dialects.flatMap(rulesOf).map(({ requirement }) => requirement));
  const listed = [...loadRequirements().requirements.values()].map((requirement) => ({
    ...requirement,
    scenarios: scenarios.get(requirement.id)?.size ?? 0,
    byRule: ruled.has(requirement.id),
  }));
  const sections = groupedBy(listed, ({ section }) => section);
  const told = () => [...sections].flatMap(([section, own]) => ['', section, ...own.flatMap(requirementLines)]);
  return { value: listed, lines: () => told().slice(1) };
}

/** The ids of scenarios by what they check, each once, whatever dialects it runs in. */
function checkingScenarios(): Map<string, Set<string>> {
  const checking = new Map<string, Set<string>>();
  for (const { id, requirements } of dialects.flatMap((dialect) => listScenarios({ dialect })))
    for (const requirement of requirements) {
      checking.set(requirement, (checking.get(requirement) ?? new Set()).add(id));
    }
  return checking;
}

/** A rule judges every exchange; without one it is up to the checks. */
function requirementLines(one: Requirement & { readonly scenarios: number; readonly byRule: boolean }): string[] {
  const { id, level, untestable, says, scenarios, byRule } = one;
  const parts = [
    ...(byRule ? ['every exchange'] : []),
    ...(byRule && scenarios === 0 ? [] : [counted(scenarios, 'scenario')]),
  ];
  const by = untestable === undefined ? parts.join(', and ') : 'not testable';
  return [`  ${id}  (${level}, ${by})`, `      ${says}`];
}
