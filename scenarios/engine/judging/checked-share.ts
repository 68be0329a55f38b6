/** How much of what can be checked a run did check: the word conformant is kept for all of it. */
import type { RequirementResult, Verdict } from '../results/result.ts';

/** Numbers of requirements. */
export interface CheckedShare {
  /** All that the report lists. */
  readonly listed: number;
  /** Of those, what a client can see at some target: all that the catalogue does not call untestable. */
  readonly checkable: number;
  /** Of those, what does not apply to this target as it was reached, such as HTTPS at a plain HTTP address. */
  readonly notApplicable: number;
  /** Of those, what the target was seen to do or not to do. */
  readonly checked: number;
}

const seen: ReadonlySet<Verdict> = new Set(['violated', 'intermittent', 'advisory', 'satisfied', 'observed']);

export function checkedShare(requirements: readonly RequirementResult[]): CheckedShare {
  const checkable = requirements.filter((one) => one.untestable !== true);
  const having = (holds: (verdict: Verdict) => boolean) => checkable.filter(({ verdict }) => holds(verdict)).length;
  return {
    listed: requirements.length,
    checkable: checkable.length,
    notApplicable: having((verdict) => verdict === 'not applicable'),
    checked: having((verdict) => seen.has(verdict)),
  };
}

/** Whether all was checked that could be. */
export function isWhole({ checkable, notApplicable, checked }: CheckedShare): boolean {
  return checked > 0 && checked + notApplicable === checkable;
}

/** As a noun: `the 12 of 581 requirements that were checked`. */
export function shareText(share: CheckedShare): string {
  const { checkable, notApplicable, checked } = share;
  if (!isWhole(share)) return `the ${checked} of ${requirements(checkable)} that were checked`;
  if (notApplicable > 0) return `the ${checked} of ${requirements(checkable)} that apply to this target`;
  return `all ${requirements(checkable)} that can be checked`;
}

function requirements(count: number): string {
  return `${count} requirement${count === 1 ? '' : 's'}`;
}
