import type { DeviationRow } from './schema.ts';
import { at, Scope } from './scope.ts';

/** The rows that a row with `each` stands for; itself where it has none. */
export function eachOf({ each, ...row }: DeviationRow): readonly DeviationRow[] {
  return each === undefined ? [row] : each.map((one) => filled(row, one) as DeviationRow);
}

/** `<each>` and `<each.name>` are the value where nothing stands beside them, and its text where something does. */
export function filled(value: unknown, each: unknown): unknown {
  if (typeof value === 'string') return filledText(value, each);
  if (Array.isArray(value)) return value.map((one) => filled(one, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [String(filledText(name, each)), filled(one, each)]),
  );
}

function filledText(text: string, each: unknown): unknown {
  const scope = new Scope({ each: () => each });
  const whole = /^<(each[\w.-]*)>$/.exec(text)?.[1];
  return whole === undefined
    ? text.replace(/<(each[\w.-]*)>/g, (_all, path: string) => String(at(path, scope)))
    : at(whole, scope);
}

/** Words, or words with what `<each>` stands for. */
export type Options = readonly string[] | Readonly<Record<string, unknown>>;

/** What `<each>` stands for, by the words. */
export function optionsIn(options: Options): ReadonlyMap<string, unknown> {
  return new Map(Array.isArray(options) ? options.map((one) => [one, one]) : Object.entries(options));
}
