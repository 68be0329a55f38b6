/** Scenarios that are repeated for each row of a table. */

import { dataOf, isObject } from '../basics/body.ts';
import { columnsOf, valuesOf } from '../basics/corpus.ts';
import { ownValue } from '../basics/own-value.ts';
import type { Repeated } from '../grammar/grammar.ts';
import type { AskStep, Step } from '../grammar/grammar-step.ts';
import { onlyName, replaceNames } from '../grammar/names.ts';
import { byCodePoint } from './folders.ts';
import type { DataPath, SourceFile } from './source-file.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * Repeats each scenario that mentions `${row.NAME}` for each of its own `rows`, else of those of the file, under the keys of the
 * scenario and the row (`${row.key}`), sorted by name. A row has defaults: the values of the row that it is `like`, then those of
 * `usual` beside the table. A text that is nothing but such a name becomes the value of the row, of whatever type; a list among steps
 * becomes its steps, and `...` is replaced by the members of the objects that it lists.
 */
export function withRows(source: SourceFile): SourceFile {
  const { rows, usual, scenarios, ...file } = isObject(source.value) ? source.value : {};
  if (!isObject(scenarios)) return source;
  const table = tableOf(rows, usual);
  const sources = new Map<string, RowSource>();
  const all = Object.entries(scenarios).flatMap(([key, scenario]) => {
    const { own, rest } = ownRows(scenario);
    if ((own ?? table) === undefined || !JSON.stringify(rest).includes('${row.')) return [[key, scenario] as const];
    return (own ?? table ?? []).map(([name, row]) => {
      const { value, steps } = fillScenario(rest, row);
      sources.set(`${key}-${name}`, { key, steps });
      return [`${key}-${name}`, value] as const;
    });
  });
  if (sources.size === 0 && table === undefined) return source;
  const sourcePath = (path: DataPath) => pathIn(sources, path);
  return {
    ...source,
    value: { ...file, scenarios: Object.fromEntries(all) },
    place: (path) => source.place(sourcePath(path)),
    problem: (path, message, pointAt) => source.problem(sourcePath(path), message, pointAt),
  };
}

type Table = ReadonlyArray<readonly [name: string, row: ReadonlyMap<string, unknown>]>;

/** The rows of a scenario, if it has some, and what else it has. */
function ownRows(scenario: unknown): { own?: Table | undefined; rest: unknown } {
  if (!isObject(scenario) || !isObject(scenario.rows)) return { rest: scenario };
  const { rows, usual, ...rest } = scenario;
  return { own: tableOf(rows, usual), rest };
}

/**
 * Rows as steps refer to them; a missing value is reported like any unknown name. All rows share one line, so that merging the parts of
 * a run keeps their order.
 */
function tableOf(rows: unknown, usual: unknown): Table | undefined {
  if (!isObject(rows)) return undefined;
  const likeOf = (row: unknown) =>
    isObject(row) && typeof row.like === 'string' ? ownValue(rows, row.like) : undefined;
  const named = (key: string, row: unknown) =>
    Object.entries(withColumns({ key, ...Object(usual), ...Object(likeOf(row)), ...Object(row) } as Data));
  return Object.entries(rows)
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([name, row]) => [name, new Map(named(name, row).map(([key, value]) => [`row.${key}`, value]))]);
}

/** With the columns from the forms of its attributes (`of`), beside its own values. */
function withColumns(row: Data): Data {
  if (!isObject(row.of)) return row;
  const columns = Object.entries(columnsOf(row.of)).map(([name, values]) => [
    name,
    { ...values, ...Object(ownValue(row, name)) },
  ]);
  return { ...row, ...Object.fromEntries(columns) };
}

/** A scenario's key in the file, and the index of each of its steps there. */
interface RowSource {
  readonly key: string;
  readonly steps: readonly number[];
}

function pathIn(sources: ReadonlyMap<string, RowSource>, path: DataPath): DataPath {
  const [first, key, part, at, ...rest] = path;
  const found = first === 'scenarios' ? sources.get(String(key)) : undefined;
  if (found === undefined) return path;
  if (part === undefined) return [first as string, found.key];
  if (part !== 'steps' || at === undefined) return [first as string, found.key, ...path.slice(2)];
  return [first as string, found.key, part, found.steps[Number(at)] ?? 0, ...rest];
}

function fillScenario(scenario: unknown, row: ReadonlyMap<string, unknown>): { value: unknown; steps: number[] } {
  if (!isObject(scenario) || !Array.isArray(scenario.steps)) return { value: fillNames(scenario, row), steps: [] };
  const steps = scenario.steps.flatMap((step, at) => {
    const made = fillNames(step, row);
    return (Array.isArray(made) ? made : [made]).map((one) => ({ one, at }));
  });
  const value = { ...(fillNames(scenario, row) as Data), steps: steps.map(({ one }) => one) };
  return { value, steps: steps.map(({ at }) => at) };
}

// Steps that are written once and repeated for each value of a table.

interface StepAt<S = Step> {
  readonly step: S;
  readonly path: DataPath;
}

/** Each step as often as it is repeated, with its path in the file. */
export function repeatedSteps(steps: ReadonlyArray<Step | Repeated>, above: DataPath): StepAt[] {
  return steps.flatMap((step, index) => {
    const path = [...above, index];
    if (!('each' in step)) return [{ step, path }];
    const [[name = '', table = []] = []] = Object.entries(step.each);
    return valuesOf(table).flatMap((value, at) => {
      const known = new Map<string, unknown>(
        [value, at + 1, encodeURIComponent(String(value))].map((one, which) => [namesFor(name)[which] ?? '', one]),
      );
      return step.steps.map((inner, n) => ({ step: repeatStep(inner, known, at + 1), path: [...path, 'steps', n] }));
    });
  });
}

/** Answers are texts, and each name ends with the position of its value, so that a file of answers can refer to it. */
function repeatStep(step: Step, known: ReadonlyMap<string, unknown>, at: number): Step {
  if (!('ask' in step)) return fillNames(step, known) as Step;
  const texts = new Map([...known].map(([name, value]) => [name, String(value)]));
  return { ...(fillNames(step, texts) as AskStep), answer: `${step.answer}.${at}` };
}

/** Each step once, as read, with the names that only it knows. */
export function writtenSteps(
  steps: unknown,
  above: DataPath,
): ReadonlyArray<StepAt<unknown> & { names: readonly string[] }> {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: unknown, index) => {
    const path = [...above, index];
    if (typeof step !== 'object' || step === null || !('each' in step)) return [{ step, path, names: [] }];
    const names = Object.keys(Object(step.each)).flatMap(namesFor);
    const inner = 'steps' in step ? writtenSteps(step.steps, [...path, 'steps']) : [];
    return inner.map((one) => ({ ...one, names }));
  });
}

function namesFor(name: string): string[] {
  return [name, `${name}.at`, `${name}.encoded`];
}

/** Replaces known names by their values, of whatever type where a text is nothing but the name; unknown names stay. */
export function fillNames(value: unknown, known: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => fillNames(one, known));
  if (isObject(value)) {
    const made = Object.entries(value).map(([key, inner]) => [replaceIn(key, known), fillNames(inner, known)] as const);
    return Object.fromEntries(
      made.flatMap((one) =>
        one[0] === '...' ? [one[1]].flat().flatMap((inner) => Object.entries(dataOf(inner))) : [one],
      ),
    );
  }
  if (typeof value !== 'string') return value;
  const only = onlyName(value);
  if (only !== undefined && known.has(only)) return known.get(only);
  return replaceIn(value, known);
}

function replaceIn(text: string, known: ReadonlyMap<string, unknown>): string {
  return replaceNames(text, (name) => (known.has(name) ? String(known.get(name)) : `\${${name}}`));
}
