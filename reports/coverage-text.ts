/** What `cselab list --coverage` prints. */
import type { AreaCoverage, Coverage, Inventory, Share } from '../scenarios/index.ts';
import { groupedBy } from './grouped.ts';
import { wrap } from './terminal/wrap.ts';

const columns = 80;

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
  const byReason = groupedBy(
    missing,
    ({ reasons }) => reasons.join(' ') || 'No statement of the catalogue answers it.',
  );
  const lines = [...byReason].flatMap(([reason, own]) => [
    ...wrapped(own.map(({ purpose }) => purpose).join(' '), '  '),
    ...wrapped(reason, '      '),
  ]);
  return ['', `Not answered: ${missing.length}`, ...lines];
}

function wrapped(text: string, indent: string): string[] {
  return wrap(text, columns, indent);
}
