import type { RequirementResult, RunResult } from '../../scenarios/index.ts';
import { type Evidence, indexEvidence } from '../evidence.ts';
import { distinctEvidence } from './distinct-evidence.ts';

/** What one target does about a requirement. */
export interface Cell {
  readonly requirement: RequirementResult;
  /** Names of the permitted outcomes that the target takes. */
  readonly variants: readonly string[];
  /** All checks that failed. */
  readonly failures: readonly Evidence[];
  /** What it does where it deviates, or where the specification leaves it open: distinct sentences, each with a check that saw it. */
  readonly does: ReadonlyMap<string, Evidence>;
}

/** One report of a comparison. */
export interface Column {
  /** `A`, `B` and so on: for narrow tables. */
  readonly letter: string;
  /** What tells it from the others, in a few words. */
  readonly label: string;
  readonly result: RunResult;
  /** By the requirements that the report knows. */
  readonly cells: ReadonlyMap<string, Cell>;
}

/** The reports with names: product and version, or address; where those are the same, the run as well. */
export function columnsOf(results: readonly RunResult[]): Column[] {
  const names = results.map(nameOf);
  const products = results.map(withAddress);
  const distinct = new Set(names).size === names.length ? names : products;
  return results.map((result, index) => {
    const label = distinct[index] ?? '';
    const twin = distinct.some((other, at) => at !== index && other === label);
    const told = twin ? `${label}, run ${result.run}` : label;
    return { letter: letterOf(index), label: told, result, cells: cellsIn(result) };
  });
}

function cellsIn(result: RunResult): Map<string, Cell> {
  const index = indexEvidence(result);
  return new Map(
    result.requirements.map((requirement): [string, Cell] => {
      const { id, violations, gaps } = requirement;
      const variants = [...new Set(index.of(id).flatMap(({ check }) => check.variant ?? []))].sort();
      const failures = violations.flatMap((at) => index.at(at) ?? []);
      const seen = gaps.flatMap((at) => index.at(at) ?? []);
      return [id, { requirement, variants, failures, does: distinctEvidence(result, [...failures, ...seen]) }];
    }),
  );
}

function nameOf({ target }: RunResult): string {
  const { kind, url, product, version } = target;
  if (product !== undefined) return version === undefined ? product : `${product} ${version}`;
  return kind === 'url' ? url.replace(/^https?:\/\//, '') : 'reference CSE';
}

function withAddress(result: RunResult): string {
  const { kind, product, url } = result.target;
  return product !== undefined && kind === 'url'
    ? `${nameOf(result)} at ${url.replace(/^https?:\/\//, '')}`
    : nameOf(result);
}

export function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

/** Whether two reports are of one target, as far as they tell. */
export function isSameTarget(a: RunResult, b: RunResult): boolean {
  const key = ({ target: { kind, url, base, cseId, spId, product }, dialect }: RunResult) =>
    JSON.stringify([kind, kind === 'url' ? url : '', base, cseId, spId, product, dialect]);
  return key(a) === key(b);
}
