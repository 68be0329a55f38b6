/** Pages of demands: requirements by area, robustness cases, obligations of the bindings. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { getOrAdd } from '../scenarios/engine/basics/memoize.ts';
import { type Dialect, loadRequirements, type Requirement, robustnessSections } from '../scenarios/index.ts';
import { rulesOf } from '../scenarios/oracle/rules.ts';
import { type Pages, slugOf } from './guide-pages.ts';

/** Text escaped for Markdown. */
export const plain = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;');

const dialectOf = ({ id }: Requirement): Dialect => (id.startsWith('std.') ? 'onem2m' : 'documented');
const levelSays = {
  documented: 'the interface specification',
  standard: 'the oneM2M standard',
  gap: 'implementation-defined',
};

/** The page and anchor of each requirement, by id. */
export function ruleLinks(): Map<string, string> {
  return new Map(
    [...loadRequirements().requirements.values()].map((one) => [one.id, `/${pageOf(one)}#${anchorOf(one.id)}`]),
  );
}

const pageOf = (one: Requirement) => `rules/${dialectOf(one)}/${slugOf(one.section)}.md`;
const anchorOf = (id: string): string => id.replaceAll('.', '-');

export function rulePages(): Pages {
  const ruledIds = new Set(
    (['documented', 'onem2m'] as const).flatMap((dialect) => rulesOf(dialect).map((one) => one.requirement)),
  );
  const areas = new Map<string, Requirement[]>();
  for (const one of loadRequirements().requirements.values()) getOrAdd(areas, pageOf(one), () => []).push(one);
  const pages: Pages = new Map();
  for (const [page, rules] of areas) {
    const [{ section, specification } = { section: '', specification: '' }] = rules;
    const head = `---\noutline: false\npageClass: rules\n---\n\n# ${section}\n\n${specification}: ${rules.length} requirements.`;
    pages.set(page, [head, ...rules.map((one) => ruleText(one, ruledIds.has(one.id)))].join('\n\n'));
  }
  pages.set('rules/index.md', indexText(areas));
  return pages;
}

function ruleText(one: Requirement, isRule: boolean): string {
  const { id, level, source, says, since, answers, untestable } = one;
  const facts = [
    `**${level}**, ${levelSays[level]}`,
    ...(since === undefined ? [] : [`since release ${since}`]),
    plain(source),
    ...(answers === undefined ? [] : [`answers ${plain(answers.join(', '))}`]),
    ...(isRule ? ['a rule judges every exchange by it'] : []),
  ];
  const tryLink =
    untestable === undefined
      ? `[Try it](/playground?dialect=${dialectOf(one)}&check=${id})`
      : `Not tested: ${plain(untestable)}`;
  return `## \`${id}\` {#${anchorOf(id)}}\n\n${plain(says)}\n\n<small>${facts.join(' · ')} · ${tryLink}</small>`;
}

function indexText(areas: ReadonlyMap<string, readonly Requirement[]>): string {
  const rows = [...areas].flatMap(([page, rules]) => {
    const testable = rules.filter((one) => one.untestable === undefined).length;
    const [first] = rules;
    return first ? [`| [${first.section}](/${page}) | ${dialectOf(first)} | ${rules.length} | ${testable} |`] : [];
  });
  return [
    '# Rules',
    'Every statement that a CSE can keep or break, by area.',
    ['| area | dialect | rules | testable |', '|---|---|--:|--:|', ...rows].join('\n'),
  ].join('\n\n');
}

export function robustnessPage(): string {
  const sections = robustnessSections.map(({ number, title, cases }) => {
    const rows = cases.map((one) => {
      const sent = `${plain(one.title)}<br><small>${plain(one.clause)}</small>`;
      return `| ${one.number} | ${sent} | ${one.right.join(', ')} | ${(one.tolerable ?? []).join(', ')} |`;
    });
    const head = '| number | sent is | right | tolerable |\n|---|---|---|---|';
    return [`## R-${number}: ${title}\n`, head, ...rows].join('\n');
  });
  const about = 'Malformed requests that `cselab check --robustness` sends. A number stays with its case for ever.';
  return ['---\noutline: [2, 2]\n---\n\n# Robustness', about, ...sections].join('\n\n');
}

interface BindingClause {
  readonly says: string;
  readonly rule?: string;
  readonly sim?: string;
  readonly harness?: string;
  readonly run?: string;
  readonly none?: string;
}

export function obligationsPage(links: ReadonlyMap<string, string>): string {
  const tables = ['mqtt', 'coap', 'websocket'].map((name) => {
    const text = readFileSync(`scenarios/reference/${name}-clauses.yaml`, 'utf8');
    const { document, statements } = parse(text) as { document: string; statements: Record<string, BindingClause[]> };
    const rows = Object.entries(statements).flatMap(([clause, all]) =>
      all.map((one) => `| ${clause} | ${plain(one.says)} | ${judgedBy(one, links)} |`),
    );
    return [`## ${document}`, '', '| clause | says | judged by |', '|---|---|---|', ...rows].join('\n');
  });
  return [
    '# Obligations of the bindings',
    'Each "shall" of the documents on MQTT, CoAP and WebSocket, in our own words, with the rule or test that fails where it is not kept, or why there is none.',
    ...tables,
  ].join('\n\n');
}

function judgedBy({ rule, sim, harness, run, none }: BindingClause, links: ReadonlyMap<string, string>): string {
  const link = rule === undefined ? undefined : links.get(rule);
  const tests = [sim, harness, run].flatMap((title) => (title === undefined ? [] : [`test: ${plain(title)}`]));
  return [
    ...(rule === undefined ? [] : [link ? `[\`${rule}\`](${link})` : `\`${rule}\``]),
    ...tests,
    ...(none === undefined ? [] : [`nothing: ${plain(none)}`]),
  ].join('<br>');
}
