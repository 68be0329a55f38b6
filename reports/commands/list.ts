/** `cselab list`: what the catalogue demands, and which scenarios check it. */

import { shippedInventory } from '../../scenarios/checking/behaviour.ts';
import { listScenarios } from '../../scenarios/checking/check.ts';
import { loadRequirements } from '../../scenarios/engine/files/catalogue.ts';
import { loadScenarios } from '../../scenarios/engine/files/load.ts';
import { coverageOf } from '../../scenarios/engine/running/coverage.ts';
import type {
  AreaCoverage,
  Coverage,
  Inventory,
  Requirement,
  RobustnessCase,
  RobustnessSection,
  Share,
} from '../../scenarios/index.ts';
import { rulesOf } from '../../scenarios/oracle/rules.ts';
import { casesOf, knownRisks, outcomesText, riskOf, robustnessSections } from '../../scenarios/results.ts';
import { defined, dialects } from '../../scenarios/words.ts';
import { command, type GivenIn, toggle, valued } from '../../sim/command-line/flag.ts';
import { wrap } from '../document/screen.ts';
import { counted, groupedBy } from '../facts/wording.ts';
import { json } from '../flags/common-flags.ts';
import { print, printJson } from '../writing/output-file.ts';

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
  if (flags.json) printJson(value);
  else print(...lines());
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
    tolerable.length > 0 && `tolerable: ${outcomesText(tolerable)}`,
    over !== undefined && 'over TLS only',
    risk !== undefined && `risky: ${risk}`,
  ];
  return `${parts.filter(Boolean).join('; ')} (${clause})`;
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
  const parts = [byRule && 'every exchange', (!byRule || scenarios > 0) && counted(scenarios, 'scenario')];
  const by = untestable === undefined ? parts.filter(Boolean).join(', and ') : 'not testable';
  return [`  ${id}  (${level}, ${by})`, `      ${says}`];
}

export function coverageLines({ areas, unknown, unjudged }: Coverage, rules: Inventory): string[] {
  return [
    'Test purposes of the conformance suite for a CSE that something judged answers',
    ...purposeTable(areas),
    ...wrapped(`of these no purpose is known: ${unknown.join(' ')}`, '  '),
    ...missingLines(areas),
    '',
    `Statements that nothing judges: ${unjudged.length}`,
    ...unjudged.flatMap(({ id, reason }) => [`  ${id}`, ...wrapped(reason ?? 'no reason is given', '      ')]),
    ...Object.entries(rules).flatMap(([dialect, looked]) => ruleLines(dialect, looked)),
  ];
}

const releases = ['1', '2', 'not known'] as const;

/** By the release of the suite that has them; in some there are several. */
function purposeTable(areas: readonly AreaCoverage[]): string[] {
  const total = (parts: readonly Share[]) => ({
    all: parts.reduce((sum, { all }) => sum + all, 0),
    answered: parts.reduce((sum, { answered }) => sum + answered, 0),
  });
  const row = (name: string, of: readonly AreaCoverage[]) => {
    const shares = [...releases.map((release) => total(of.map((area) => area.releases[release]))), total(of)];
    return [name, ...shares.map(({ all, answered }) => (all === 0 ? '-' : `${answered} of ${all}`))];
  };
  const head = ['', 'release 1', 'release 2', 'not known', 'all'];
  const rows = [head, ...areas.map((area) => row(area.area, [area])), row('all', areas)];
  return rows.map(([name = '', ...cells]) => `  ${name.padEnd(6)}${cells.map((cell) => cell.padStart(14)).join('')}`);
}

/** In how many exchanges of a run on the reference CSE a rule looked at each, and of what kinds they were. */
function ruleLines(dialect: string, looked: Inventory['documented']): string[] {
  const rows = Object.entries(looked).flatMap(([id, { exchanges, by }]) => {
    const kinds = Object.entries(by).map(([dimension, values]) => `${dimension} ${Object.keys(values).join(', ')}`);
    return [`  ${id}  ${exchanges}`, ...wrapped(kinds.join('; '), '      ')];
  });
  return [
    '',
    `What rules look at in a run of the ${dialect} dialect: ${Object.keys(looked).length} statements`,
    ...rows,
  ];
}

function missingLines(areas: readonly AreaCoverage[]): string[] {
  const missing = areas.flatMap((area) => area.missing);
  if (missing.length === 0) return [];
  const usual = 'No statement of the catalogue answers it.';
  const byReason = groupedBy(missing, ({ reasons }) => reasons.join(' ') || usual);
  const lines = [...byReason].flatMap(([reason, own]) => [
    ...wrapped(own.map(({ purpose }) => purpose).join(' '), '  '),
    ...wrapped(reason, '      '),
  ]);
  return ['', `Not answered: ${missing.length}`, ...lines];
}

const wrapped = (text: string, indent: string): string[] => wrap(text, 80, indent);
