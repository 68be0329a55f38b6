/** What `cselab list` prints. */
import { coverageText } from './coverage-text.ts';
import {
  casesOf,
  coverageOf,
  defined,
  dialects,
  type ListedScenario,
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
} from './index.ts';
import { shippedInventory } from './reference/behaviour.ts';
import { knownRisks } from './safety/known-risks.ts';

export function runList(json: boolean): void {
  const requirements = [...loadRequirements().requirements.values()];
  const checked = countScenarios(allScenarios());
  process.stdout.write(json ? asJson(requirements, checked) : asText(requirements, checked));
}

export function runCoverage(json: boolean): void {
  const coverage = coverageOf(loadScenarios(), dialects.flatMap(rulesOf));
  const rules = shippedInventory();
  process.stdout.write(json ? `${JSON.stringify({ ...coverage, rules }, null, 2)}\n` : coverageText(coverage, rules));
}

/** All of them where no numbers and sections are given. Throws a UsageError for one that nobody has. */
export function runRobustnessList(json: boolean, numbers: readonly string[]): void {
  const wanted = new Set(casesOf(numbers));
  const sections = robustnessSections
    .map((section) => ({ ...section, cases: section.cases.filter((one) => wanted.has(one)) }))
    .filter(({ cases }) => cases.length > 0);
  process.stdout.write(json ? `${JSON.stringify(sections.flatMap(listed), null, 2)}\n` : robustnessText(sections));
}

function listed({ title: section, cases }: RobustnessSection) {
  return cases.map((one) => {
    const { number, title, right, tolerable = [], clause, closes, over } = one;
    const facts = { number, section, title, right, tolerable, clause };
    return { ...facts, ...defined({ closes, risk: riskOf(one), over }) };
  });
}

function robustnessText(sections: readonly RobustnessSection[]): string {
  const lines = sections.flatMap(({ number, title, cases }) => [
    ...['', `R-${number} ${title}`],
    ...cases.flatMap((one) => [`  ${one.number}  ${one.title}`, `      ${expectationText(one)}`]),
  ]);
  return `${lines.slice(1).join('\n')}\n`;
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
export function runRisks(json: boolean): void {
  const lines = knownRisks.map(({ id, request, effect, product, version, happened, only }) => {
    const where = only === undefined ? '' : `; left out at ${product} only`;
    return `${id}\n  ${request} ${effect} ${product} ${version} (${happened})${where}\n`;
  });
  process.stdout.write(json ? `${JSON.stringify(knownRisks, null, 2)}\n` : lines.join(''));
}

/** Each once, whatever dialects it runs in. */
function allScenarios(): ListedScenario[] {
  const listed = dialects.flatMap((dialect) => listScenarios({ dialect }));
  return [...new Map(listed.map((scenario) => [scenario.id, scenario])).values()];
}

/** Those that rules judge, in whatever dialect. */
const byRules = () => new Set(dialects.flatMap(rulesOf).map(({ requirement }) => requirement));

function countScenarios(scenarios: readonly ListedScenario[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { requirements } of scenarios) for (const id of requirements) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function asJson(requirements: readonly Requirement[], checked: ReadonlyMap<string, number>): string {
  const ruled = byRules();
  const listed = requirements.map((requirement) => {
    return { ...requirement, scenarios: checked.get(requirement.id) ?? 0, byRule: ruled.has(requirement.id) };
  });
  return `${JSON.stringify(listed, null, 2)}\n`;
}

function asText(requirements: readonly Requirement[], checked: ReadonlyMap<string, number>): string {
  const lines: string[] = [];
  const ruled = byRules();
  let section = '';
  for (const requirement of requirements) {
    if (requirement.section !== section) lines.push('', requirement.section);
    section = requirement.section;
    const isRuled = ruled.has(requirement.id);
    const by =
      requirement.untestable === undefined ? counted(checked.get(requirement.id) ?? 0, isRuled) : 'not testable';
    lines.push(`  ${requirement.id}  (${requirement.level}, ${by})`, `      ${requirement.says}`);
  }
  return `${lines.slice(1).join('\n')}\n`;
}

/** A rule judges every exchange; without one it is up to the checks. */
function counted(scenarios: number, isRuled: boolean): string {
  if (isRuled && scenarios === 0) return 'every exchange';
  const counts = `${scenarios} ${scenarios === 1 ? 'scenario' : 'scenarios'}`;
  return isRuled ? `every exchange, and ${counts}` : counts;
}
