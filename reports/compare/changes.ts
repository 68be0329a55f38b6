/** The changes between two runs of one target, requirement by requirement. */
import { type Exit, normaliserOf, type RequirementResult, type RunResult } from '../../scenarios/words.ts';
import type { CheckEvidence } from '../facts/evidence.ts';
import type { Column, ComparedRequirement } from './comparison.ts';

/**
 * `broken`: passed before, fails now. `new`: fails now, was not checked before. `fixed`: failed before, passes now. `gone`: failed
 * before, is not checked now. `still failing`: failed before and fails now.
 */
export const changeKinds = ['broken', 'new', 'still failing', 'fixed', 'gone'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface RequirementChange {
  readonly kind: ChangeKind;
  readonly requirement: RequirementResult;
  /** Failed checks of the earlier and of the later run: one for each different observation. */
  readonly before: readonly CheckEvidence[];
  readonly after: readonly CheckEvidence[];
  /** Why it was not checked: for `new` before, for `gone` now. */
  readonly reason?: string;
  /** For `still failing`: whether it fails differently, or elsewhere. */
  readonly otherwise: boolean;
}

export interface Changes {
  /** In the order of `changeKinds`, then of the report. */
  readonly changes: readonly RequirementChange[];
  /** Requirements that passed and are no longer checked. */
  readonly lost: readonly RequirementResult[];
  /** Why the later run has no verdict, if that is a change for the worse. */
  readonly noVerdict?: string;
}

export function changesBetween(before: Column, after: Column): Changes {
  const ids = [...new Set([...after.cells.keys(), ...before.cells.keys()])];
  const changes = ids.flatMap((id) => changeOf(id, before, after) ?? []);
  const lost = ids.flatMap((id) => {
    const [was, is] = [before.cells.get(id), after.cells.get(id)];
    const isLost = was?.requirement.verdict === 'satisfied' && standingOf(is) === 'not checked';
    return isLost ? [(is ?? was).requirement] : [];
  });
  const order = changes.toSorted((a, b) => changeKinds.indexOf(a.kind) - changeKinds.indexOf(b.kind));
  const noVerdict = losesVerdict(before.result.exit, after.result.exit) && { noVerdict: after.result.exit.reason };
  return { changes: order, lost, ...noVerdict };
}

/** No verdict is worse than any, and an unreachable target worse than an inconclusive run. */
function losesVerdict(before: Exit, after: Exit): boolean {
  if (after.code === 0 || after.code === 1) return false;
  return after.code !== 4 || before.code === 0 || before.code === 1;
}

function changeOf(id: string, before: Column, after: Column): RequirementChange | undefined {
  const [was, is] = [before.cells.get(id), after.cells.get(id)];
  const requirement = (is ?? was)?.requirement;
  const kind = kindOf(standingOf(was), standingOf(is));
  if (kind === undefined || requirement === undefined) return undefined;
  const unchecked = { gone: is?.requirement.reason ?? 'not in the report', new: was?.requirement.reason };
  const reason = kind === 'gone' || kind === 'new' ? unchecked[kind] : undefined;
  return {
    kind,
    requirement,
    before: distinctIn(was, before),
    after: distinctIn(is, after),
    otherwise: kind === 'still failing' && signatureOf(was, before) !== signatureOf(is, after),
    ...(reason !== undefined && { reason }),
  };
}

type ChangeStanding = 'fails' | 'kept' | 'not checked';

function standingOf(cell: ComparedRequirement | undefined): ChangeStanding {
  const verdict = cell?.requirement.verdict;
  if (verdict === 'violated' || verdict === 'intermittent') return 'fails';
  return verdict === 'satisfied' || verdict === 'implementation-defined' ? 'kept' : 'not checked';
}

function kindOf(was: ChangeStanding, is: ChangeStanding): ChangeKind | undefined {
  if (is === 'fails') return was === 'kept' ? 'broken' : was === 'fails' ? 'still failing' : 'new';
  if (was !== 'fails') return undefined;
  return is === 'kept' ? 'fixed' : 'gone';
}

/** Where and how it fails, without what differs in each run. Rules that repeat a check or a rule add nothing. */
function signatureOf(cell: ComparedRequirement | undefined, { result }: Column): string {
  const all = (cell?.failures ?? []).map((one) => ({ ...one, actual: stableActual(result, one) }));
  const byCheck = all.filter(({ check }) => check.byRule !== true);
  const actuals = new Set(byCheck.map(({ actual }) => actual));
  const byRule = all.filter(({ check, actual }) => check.byRule === true && !actuals.has(actual));
  const positions = byCheck.map(({ scenario, stepNumber, actual }) => [scenario.id, stepNumber, actual]);
  const texts = [...positions, ...byRule.map(({ actual }) => [actual])].map((place) => JSON.stringify(place));
  return [...new Set(texts)].sort().join();
}

function distinctIn(cell: ComparedRequirement | undefined, { result }: Column): CheckEvidence[] {
  return [...distinctEvidence(result, cell?.failures ?? []).values()];
}

/** Distinct observations, without what differs in each run, in a fixed order; each with its first check. */
export function distinctEvidence(result: RunResult, evidence: readonly CheckEvidence[]): Map<string, CheckEvidence> {
  const first = new Map(evidence.toReversed().map((one) => [stableActual(result, one), one]));
  return new Map([...first].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a check saw, without what differs in each run. */
export function stableActual(result: RunResult, { scenario, check }: CheckEvidence): string {
  // A merged report has the names of several runs.
  const names = new RegExp(`cl-(?:${result.run.split('+').join('|')})-\\d+`, 'g');
  // A long value may be cut within such a name: its last word is dropped.
  const text = check.actual.replace(names, () => '${name}').replace(/[^\s/"']*…/g, '…');
  return normaliserOf(result, scenario)(text);
}
