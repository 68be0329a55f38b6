import type { DeviationRow } from './schema.ts';
import { at, Scope } from './scope.ts';

/** Expands a row with `each`; others stay as they are. */
export function eachOf({ each, ...row }: DeviationRow): readonly DeviationRow[] {
  return each === undefined ? [row] : each.map((one) => filled(row, one) as DeviationRow);
}

/** A lone `<each>` or `<each.name>` becomes the value, one within a text its text. */
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

/** Words, or words with values of `<each>`. */
export type Options = readonly string[] | Readonly<Record<string, unknown>>;

/** The values of `<each>` by word. */
export function optionsIn(options: Options): ReadonlyMap<string, unknown> {
  return new Map(Array.isArray(options) ? options.map((one) => [one, one]) : Object.entries(options));
}
