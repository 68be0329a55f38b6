/** Steps that are written once and done for each value of a table. */
import { valuesOf } from '../corpus.ts';
import type { Repeated } from '../grammar/grammar-repeated.ts';
import type { Step } from '../grammar/grammar-step.ts';
import { onlyName, replaceNames } from '../grammar/names.ts';
import type { DataPath } from './source-file.ts';

export interface StepAt<S = Step> {
  readonly step: S;
  readonly path: DataPath;
}

/** Each step as often as it is to be done, with where it is written. */
export function repeatedSteps(steps: ReadonlyArray<Step | Repeated>, above: DataPath): StepAt[] {
  return steps.flatMap((step, index) => {
    const path = [...above, index];
    if (!('each' in step)) return [{ step, path }];
    const [[name = '', table = []] = []] = Object.entries(step.each);
    return valuesOf(table).flatMap((value, at) => {
      const known = new Map<string, unknown>(
        [value, at + 1, encodeURIComponent(String(value))].map((one, which) => [namesFor(name)[which] ?? '', one]),
      );
      return step.steps.map((inner, n) => ({ step: replaced(inner, known) as Step, path: [...path, 'steps', n] }));
    });
  });
}

/** Each step once, as it is read, with the names that are known for it alone. */
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

/** With what is known in the place of its name, of whatever type where a text is nothing but the name; what is known only later stays as it is. */
export function replaced(value: unknown, known: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => replaced(one, known));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [replacedText(key, known), replaced(inner, known)]),
    );
  if (typeof value !== 'string') return value;
  const only = onlyName(value);
  if (only !== undefined && known.has(only)) return known.get(only);
  return replacedText(value, known);
}

function replacedText(text: string, known: ReadonlyMap<string, unknown>): string {
  return replaceNames(text, (name) => (known.has(name) ? String(known.get(name)) : `\${${name}}`));
}
