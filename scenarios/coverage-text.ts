/** What `cselab list --coverage` prints. */
import type { Coverage, GroupCoverage } from './index.ts';
import type { Inventory } from './reference/behaviour.ts';

const columns = 80;

export function coverageText({ groups, unchecked }: Coverage, rules: Inventory): string {
  const sum = (key: 'all' | 'answered') => groups.reduce((total, group) => total + group[key], 0);
  const lines = [
    'Test purposes of the conformance suite that a check answers',
    ...groups.map(countLine),
    countLine({ group: 'all', all: sum('all'), answered: sum('answered') }),
    ...missingLines(groups),
    '',
    `Statements without a check: ${unchecked.length}`,
    ...unchecked.flatMap(({ id, reason }) => [`  ${id}`, ...wrapped(reason ?? 'no reason is given', '      ')]),
    ...Object.entries(rules).flatMap(([dialect, looked]) => ruleLines(dialect, looked)),
  ];
  return `${lines.join('\n')}\n`;
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

function countLine({ group, all, answered }: Pick<GroupCoverage, 'group' | 'all' | 'answered'>): string {
  return `  ${group.padEnd(6)}${String(answered).padStart(4)} of ${String(all).padStart(3)}`;
}

function missingLines(groups: readonly GroupCoverage[]): string[] {
  const missing = groups.flatMap((group) => group.missing);
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
