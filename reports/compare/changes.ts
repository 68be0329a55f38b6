/** Two runs of one target: what became of each requirement. */
import { type Exit, normaliserOf, type RequirementResult, type RunResult } from '../../scenarios/words.ts';
import type { CheckEvidence } from '../facts/evidence.ts';
import type { Column, ComparedRequirement } from './comparison.ts';

/**
 * `broken`: kept before, fails now. `new`: fails now, and was not judged before. `fixed`: failed before, kept now. `gone`: failed
 * before, and is not judged now. `still failing`: failed before and fails now.
 */
export const changeKinds = ['broken', 'new', 'still failing', 'fixed', 'gone'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface RequirementChange {
  readonly kind: ChangeKind;
  readonly requirement: RequirementResult;
  /** The failed checks of the run before, and of the one after: one for each different thing that they saw. */
  readonly before: readonly CheckEvidence[];
  readonly after: readonly CheckEvidence[];
  /** Why it is not judged, for `new` that of before, for `gone` that of now. */
  readonly reason?: string;
  /** For `still failing`: true when it fails in another way, or at another place. */
  readonly otherwise: boolean;
}

export interface Changes {
  /** In the order of `changeKinds`, then of the report. */
  readonly changes: readonly RequirementChange[];
  /** Requirements that were kept and are not judged any more. */
  readonly lost: readonly RequirementResult[];
  /** Why the later run came to no verdict, where that is a change for the worse. */
  readonly noVerdict?: string;
}

export function changesBetween(before: Column, after: Column): Changes {
  const ids = [...new Set([...after.cells.keys(), ...before.cells.keys()])];
  const changes = ids.flatMap((id) => changeOf(id, before, after) ?? []);
  const lost = ids.flatMap((id) => {
    const [was, is] = [before.cells.get(id), after.cells.get(id)];
    const isLost = was?.requirement.verdict === 'satisfied' && standingOf(is) === 'not judged';
    return isLost ? [(is ?? was).requirement] : [];
  });
  const order = changes.toSorted((a, b) => changeKinds.indexOf(a.kind) - changeKinds.indexOf(b.kind));
  const noVerdict = losesVerdict(before.result.exit, after.result.exit) && { noVerdict: after.result.exit.reason };
  return { changes: order, lost, ...noVerdict };
}

/** None is worse than any, and what nothing was seen of is worse than what is inconclusive. */
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

type ChangeStanding = 'fails' | 'kept' | 'not judged';

function standingOf(cell: ComparedRequirement | undefined): ChangeStanding {
  const verdict = cell?.requirement.verdict;
  if (verdict === 'violated' || verdict === 'intermittent') return 'fails';
  return verdict === 'satisfied' || verdict === 'implementation-defined' ? 'kept' : 'not judged';
}

function kindOf(was: ChangeStanding, is: ChangeStanding): ChangeKind | undefined {
  if (is === 'fails') return was === 'kept' ? 'broken' : was === 'fails' ? 'still failing' : 'new';
  if (was !== 'fails') return undefined;
  return is === 'kept' ? 'fixed' : 'gone';
}

/** Where it fails and how, without what differs in each run. A rule that says what a check says, or the same again, says nothing more. */
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

/** What checks saw, without what differs in each run, in a fixed order; each with the first check that saw it. */
export function distinctEvidence(result: RunResult, evidence: readonly CheckEvidence[]): Map<string, CheckEvidence> {
  const first = new Map(evidence.toReversed().map((one) => [stableActual(result, one), one]));
  return new Map([...first].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a check saw, as it would read in any other run. */
export function stableActual(result: RunResult, { scenario, check }: CheckEvidence): string {
  // A merged report has the names of several runs.
  const names = new RegExp(`cl-(?:${result.run.split('+').join('|')})-\\d+`, 'g');
  // A long value is cut somewhere, perhaps in the middle of such a name: that word says nothing.
  const text = check.actual.replace(names, () => '${name}').replace(/[^\s/"']*…/g, '…');
  return normaliserOf(result, scenario)(text);
}
