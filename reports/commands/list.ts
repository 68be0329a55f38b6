/** `cselab list`: the requirements of the catalogue, and the scenarios that check them. */

import { shippedInventory } from '../../scenarios/checking/behaviour.ts';
import { listScenarios } from '../../scenarios/checking/check.ts';
import { loadRequirements } from '../../scenarios/engine/files/catalogue.ts';
import { coverageOf } from '../../scenarios/engine/files/coverage.ts';
import { loadScenarios } from '../../scenarios/engine/files/load.ts';
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
import { command, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { blank, type Content, group, groupsBy, heading, list, muted, prose, type Table } from '../document/model.ts';
import { counted, groupedBy } from '../facts/wording.ts';
import { color, json } from '../flags/common-flags.ts';
import { printContent } from '../formats/reporting.ts';
import { printJson } from '../writing/output-file.ts';

const flags = {
  '': {
    json,
    risks: toggle('requests that are known to corrupt or kill a deployed CSE, and are left out at live targets'),
    coverage: toggle(
      'test purposes of the conformance suite that are answered, statements without a check, and what rules check',
    ),
    robustness: valued('[numbers...]', 'the robustness cases, or those of these numbers and sections, such as R-3'),
    color,
  },
};

type ListFlags = ValuesOf<typeof flags>;

const examples = `
Examples:
  cselab list
  cselab list --json
  cselab list --robustness      the cases of cselab explore --robustness, with what is right of each
  cselab list --coverage        how far they answer oneM2M's conformance suite
  cselab list --risks           what is not sent to a live target unless --risky is given
  cselab check --list ae        the scenarios behind requirements that start with ae`;

export const define = command({
  help: 'list every requirement of the catalogue with the number of scenarios that check it',
  flags,
  examples,
  run(flags) {
    const { value, content } = outputFor(flags);
    if (flags.json) printJson(value);
    else printContent(content(), flags);
  },
});

/** A list for programs and for people. Throws a UsageError for unknown robustness cases. */
function outputFor({ coverage, robustness, risks }: ListFlags): { readonly value: unknown; content(): Content } {
  if (coverage) return coverageOutput();
  if (robustness) return robustnessOutput(robustness === true ? [] : robustness);
  return risks ? { value: knownRisks, content: riskBlocks } : requirementsOutput();
}

function coverageOutput() {
  const coverage = coverageOf(loadScenarios(), dialects.flatMap(rulesOf));
  const rules = shippedInventory();
  return { value: { ...coverage, rules }, content: () => coverageBlocks(coverage, rules) };
}

/** All cases without numbers or sections. */
function robustnessOutput(numbers: readonly string[]) {
  const selected = new Set(casesOf(numbers));
  const sections = robustnessSections
    .map((section) => ({ ...section, cases: section.cases.filter((one) => selected.has(one)) }))
    .filter(({ cases }) => cases.length > 0);
  return { value: sections.flatMap(casesIn), content: () => sections.map(sectionBlocks) };
}

function casesIn({ title: section, cases }: RobustnessSection) {
  return cases.map((one) => {
    const { number, title, right, tolerable = [], clause, closes, over } = one;
    const facts = { number, section, title, right, tolerable, clause };
    return { ...facts, ...defined({ closes, risk: riskOf(one), over }) };
  });
}

function sectionBlocks({ number, title, cases }: RobustnessSection): Content {
  return group(
    `R-${number} ${title}`,
    cases.map((one) => itemBlocks(`${one.number}  ${one.title}`, expectationText(one))),
  );
}

/** An entry, and text below it. */
const itemBlocks = (item: string, says: string): Content => [prose(item, '  '), muted(says, '      ')];

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

/** Risky requests that are left out at live targets. */
function riskBlocks(): Content {
  return knownRisks.map(({ id, request, effect, product, version, happened, only }) => {
    const where = only === undefined ? '' : `; left out at ${product} only`;
    return itemBlocks(id, `${request} ${effect} ${product} ${version} (${happened})${where}`);
  });
}

function requirementsOutput() {
  const scenarios = checkingScenarios();
  // Those that rules check, in any dialect.
  const ruledIds = new Set(dialects.flatMap(rulesOf).map(({ requirement }) => requirement));
  const listed = [...loadRequirements().requirements.values()].map((requirement) => ({
    ...requirement,
    scenarios: scenarios.get(requirement.id)?.size ?? 0,
    byRule: ruledIds.has(requirement.id),
  }));
  return { value: listed, content: () => groupsBy(listed, ({ section }) => section, requirementBlocks) };
}

/** Ids of scenarios by the requirements that they check, each once for all dialects. */
function checkingScenarios(): Map<string, Set<string>> {
  const checking = new Map<string, Set<string>>();
  for (const { id, requirements } of dialects.flatMap((dialect) => listScenarios({ dialect })))
    for (const one of requirements) checking.set(one, (checking.get(one) ?? new Set()).add(id));
  return checking;
}

/** A rule checks every exchange; without one, checks do. */
function requirementBlocks(one: Requirement & { readonly scenarios: number; readonly byRule: boolean }): Content {
  const { id, level, untestable, says, scenarios, byRule } = one;
  const parts = [byRule && 'every exchange', (!byRule || scenarios > 0) && counted(scenarios, 'scenario')];
  const by = untestable === undefined ? parts.filter(Boolean).join(', and ') : 'not testable';
  return itemBlocks(`${id}  (${level}, ${by})`, says);
}

export function coverageBlocks({ areas, unknown, unchecked: unjudged }: Coverage, rules: Inventory): Content {
  return [
    heading('Test purposes of the suite for CSEs that a checked statement answers'),
    purposeTable(areas),
    'Of these no purpose is known:',
    list(unknown, { ids: 'any' }),
    blank,
    missingBlocks(areas),
    group(
      `Statements that nothing checks: ${unjudged.length}`,
      unjudged.map(({ id, reason }) => itemBlocks(id, reason ?? 'no reason is given')),
    ),
    Object.entries(rules).map(([dialect, inventory]) => ruleBlocks(dialect, inventory)),
  ];
}

const releases = ['1', '2', 'not known'] as const;

/** By the releases of the suite that have them. */
function purposeTable(areas: readonly AreaCoverage[]): Table {
  const total = (parts: readonly Share[]) => ({
    all: parts.reduce((sum, { all }) => sum + all, 0),
    answered: parts.reduce((sum, { answered }) => sum + answered, 0),
  });
  const row = (id: string, of: readonly AreaCoverage[]) => {
    const shares = [...releases.map((release) => total(of.map((area) => area.releases[release]))), total(of)];
    return { id, cells: shares.map(({ all, answered }) => ({ text: all === 0 ? '-' : `${answered} of ${all}` })) };
  };
  const columns = ['release 1', 'release 2', 'not known', 'all releases'].map((name) => ({ name }));
  const rows = [...areas.map((area) => row(area.area, [area])), row('all', areas)];
  return { kind: 'table', columns, groups: [{ rows }] };
}

/** For each, in how many exchanges of a run on the reference CSE a rule checked it, and what these were. */
function ruleBlocks(dialect: string, inventory: Inventory['documented']): Content {
  const items = Object.entries(inventory).map(([id, { exchanges, by }]) => {
    const parts = Object.entries(by).map(([dimension, values]) => `${dimension} ${Object.keys(values).join(', ')}`);
    return itemBlocks(`${id}  ${exchanges}`, parts.join('; '));
  });
  return group(`What rules check in a run of the ${dialect} dialect: ${items.length} statements`, items);
}

function missingBlocks(areas: readonly AreaCoverage[]): Content {
  const missing = areas.flatMap((area) => area.missing);
  const noReason = 'No statement of the catalogue answers it.';
  const byReason = groupedBy(missing, ({ reasons }) => reasons.join(' ') || noReason);
  const blocks = [...byReason].map(([reason, own]) => {
    const purposes = own.map(({ purpose }) => purpose);
    return [list(purposes, { ids: 'any' }), muted(reason, '      ')];
  });
  return missing.length > 0 && group(`Not answered: ${missing.length}`, blocks);
}
