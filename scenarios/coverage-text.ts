/** What `cselab list --coverage` prints. */
import type { AreaCoverage, Coverage, Share } from './index.ts';
import type { Inventory } from './reference/behaviour.ts';

const columns = 80;

export function coverageText({ areas, unknown, unjudged }: Coverage, rules: Inventory): string {
  const lines = [
    'Test purposes of the conformance suite for a CSE that something judged answers',
    ...purposeTable(areas),
    ...wrapped(`of these no purpose is known: ${unknown.join(' ')}`, '  '),
    ...missingLines(areas),
    '',
    `Statements that nothing judges: ${unjudged.length}`,
    ...unjudged.flatMap(({ id, reason }) => [`  ${id}`, ...wrapped(reason ?? 'no reason is given', '      ')]),
    ...Object.entries(rules).flatMap(([dialect, looked]) => ruleLines(dialect, looked)),
  ];
  return `${lines.join('\n')}\n`;
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
  const byReason = new Map<string, string[]>();
  for (const { purpose, reasons } of missing) {
    const reason = reasons.join(' ') || 'No statement of the catalogue answers it.';
    byReason.set(reason, [...(byReason.get(reason) ?? []), purpose]);
  }
  const lines = [...byReason].flatMap(([reason, purposes]) => [
    ...wrapped(purposes.join(' '), '  '),
    ...wrapped(reason, '      '),
  ]);
  return ['', `Not answered: ${missing.length}`, ...lines];
}

/** The words of a text in lines of at most 80 characters. */
function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + longer.length > columns) {
      lines.push(indent + line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, indent + line];
}
