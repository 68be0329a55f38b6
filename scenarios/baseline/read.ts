import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Problem, ScenarioFilesError, UsageError } from '../engine/basics/diagnostics.ts';
import { validate } from '../engine/files/issues.ts';
import { readSource, type SourceFile } from '../engine/files/source-file.ts';
import type { SourceLocation } from '../engine/results/result.ts';
import { BaselineFile, type ExcusedDeviation } from './grammar.ts';

/** A deviation of a baseline, with its position. */
export interface BaselineEntry extends ExcusedDeviation {
  readonly place: SourceLocation;
}

export interface Baseline {
  /** For display. */
  readonly file: string;
  readonly path: string;
  readonly entries: readonly BaselineEntry[];
}

/** Throws UsageError if there is no such file, ScenarioFilesError if it is invalid. */
export function readBaseline(file: string): Baseline {
  const path = resolve(file);
  const remedy = `Write one: cselab baseline update ${file} --report REPORT.json`;
  if (!existsSync(path)) throw new UsageError(`there is no baseline ${file}. ${remedy}`);
  const { source, problems } = readSource(path);
  const { baseline, problems: errors } = source === undefined ? { problems } : baselineIn(source);
  if (baseline === undefined || errors.length > 0) throw new ScenarioFilesError(errors);
  return baseline;
}

export function baselineIn(source: SourceFile): { baseline?: Baseline; problems: Problem[] } {
  const { value, problems } = validate(BaselineFile, source);
  if (value === undefined) return { problems };
  const entries = value.deviations.map((one, at) => ({ ...one, place: source.place(['deviations', at]) }));
  return { baseline: { file: source.name, path: source.path, entries }, problems: duplicates(value, source) };
}

/** Duplicate entries, of which one would never be used. */
function duplicates({ deviations }: BaselineFile, source: SourceFile): Problem[] {
  const seen = new Set<string>();
  return deviations.flatMap((entry, at) => {
    const { scenario, requirement, step, nth, signature, when } = entry;
    const key = JSON.stringify([scenario, requirement, step, nth, signature.slice(0, 10), when]);
    const again = seen.has(key);
    seen.add(key);
    return again ? [source.problem(['deviations', at, 'scenario'], 'this deviation stands in the file already')] : [];
  });
}
