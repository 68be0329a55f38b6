/** Scenarios that are repeated for each row of the table of their file. */
import { replaced } from './repeated-steps.ts';
import { byCodePoint } from './rooms.ts';
import type { DataPath, SourceFile } from './source-file.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * The file with each scenario that speaks of `${row.NAME}` once for each row of its `rows`, under the key of the scenario and that of
 * the row, in the order of their names. What is nothing but such a name becomes the value of the row, of whatever type; a list
 * among steps becomes its steps.
 */
export function withRows(source: SourceFile): SourceFile {
  const { rows, scenarios, ...file } = isData(source.value) ? source.value : {};
  if (!isData(rows) || !isData(scenarios)) return source;
  const written = new Map<string, Written>();
  const all = Object.entries(scenarios).flatMap(([key, scenario]) => {
    if (!JSON.stringify(scenario).includes('${row.')) return [[key, scenario] as const];
    return inOrder(rows).map(([name, row]) => {
      const { value, steps } = filled(scenario, namesIn(isData(row) ? row : {}));
      written.set(`${key}-${name}`, { key, steps });
      return [`${key}-${name}`, value] as const;
    });
  });
  const asWritten = (path: DataPath) => pathIn(written, path);
  return {
    ...source,
    value: { ...file, scenarios: Object.fromEntries(all) },
    place: (path) => source.place(asWritten(path)),
    problem: (path, message, pointAt) => source.problem(asWritten(path), message, pointAt),
  };
}

/** All of them are written at one line, so that parts of a run can be merged in no other order. */
function inOrder(rows: Data): [string, unknown][] {
  return Object.entries(rows).sort(([a], [b]) => byCodePoint(a, b));
}

/** Where a scenario stands in the file: its key there, and for each of its steps which one that is. */
interface Written {
  readonly key: string;
  readonly steps: readonly number[];
}

function pathIn(written: ReadonlyMap<string, Written>, path: DataPath): DataPath {
  const [first, key, part, at, ...rest] = path;
  const found = first === 'scenarios' ? written.get(String(key)) : undefined;
  if (found === undefined) return path;
  if (part === undefined) return [first as string, found.key];
  if (part !== 'steps' || at === undefined) return [first as string, found.key, ...path.slice(2)];
  return [first as string, found.key, part, found.steps[Number(at)] ?? 0, ...rest];
}

/** A row as steps refer to it; what it does not have is told like any name that is not known. */
function namesIn(row: Data): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(row).map(([name, value]) => [`row.${name}`, value]));
}

function filled(scenario: unknown, row: ReadonlyMap<string, unknown>): { value: unknown; steps: number[] } {
  if (!isData(scenario) || !Array.isArray(scenario.steps)) return { value: replaced(scenario, row), steps: [] };
  const steps = scenario.steps.flatMap((step, at) => {
    const made = replaced(step, row);
    return (Array.isArray(made) ? made : [made]).map((one) => ({ one, at }));
  });
  const value = { ...(replaced(scenario, row) as Data), steps: steps.map(({ one }) => one) };
  return { value, steps: steps.map(({ at }) => at) };
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
