import type { Evidence } from '../evidence.ts';
import { visibleJson } from '../json/json-reporter.ts';
import type { Cell } from './columns.ts';
import type { Comparison } from './comparison.ts';

/** The comparison as JSON; it can be shown in a terminal as it is. */
export function renderComparisonJson({ columns, shown, changes }: Comparison): string {
  const targets = columns.map(({ letter, label, result }) => {
    const { run, startedAt, dialect, target, exit, summary, deaths } = result;
    const about = { letter, label, run, startedAt, dialect, target, ...(deaths && { deaths }) };
    return { ...about, exit, verdicts: summary.verdicts };
  });
  const requirements = shown.map(({ requirement, cells, differs }) => {
    const { id, says, section, source, level } = requirement;
    const told = cells.map((cell) => (cell === undefined ? null : cellTold(cell)));
    return { id, says, section, source, level, differs, targets: told };
  });
  const changed = changes?.changes.map(({ kind, requirement, before, after, otherwise, reason }) => ({
    kind,
    requirement: requirement.id,
    otherwise,
    ...(reason !== undefined && { reason }),
    before: before.map(placeOf),
    after: after.map(placeOf),
  }));
  const lost = changes?.lost.map(({ id }) => id);
  const value = { targets, requirements, ...(changed && { changes: changed, lost }) };
  return `${visibleJson(value, 2)}\n`;
}

function cellTold({ requirement, variants, does }: Cell) {
  const { verdict, known = false, reason } = requirement;
  const about = { verdict, known, variants, does: [...does.keys()], ...(reason !== undefined && { reason }) };
  return { ...about, evidence: [...does.values()].map(placeOf) };
}

function placeOf({ scenario, stepNumber, check }: Evidence) {
  const { expected, actual, variant } = check;
  return { scenario: scenario.id, step: stepNumber, expected, actual, ...(variant !== undefined && { variant }) };
}
