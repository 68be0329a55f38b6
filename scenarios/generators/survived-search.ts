import { defined } from '../engine/defined.ts';
import type { FoundSequence, Searched } from './search.ts';
import type { Survivor } from './survivor.ts';

export interface Found {
  readonly found?: FoundSequence;
  /** Why the target is lost. */
  readonly lost?: string;
}

/** So often a request may fail to reach a target that is alive right after, before it counts as lost. */
const mostUnexplained = 2;

/** Searches on after each death of the target that no sequence causes by itself. `searched`: from the sequence of that number. */
export async function survivedSearch(
  searched: (from: number) => Promise<Searched>,
  { survivor, runs, enough }: { readonly survivor: Survivor; readonly runs: number; readonly enough: () => boolean },
): Promise<Found> {
  let unexplained = 0;
  for (let from = 0; from < runs && !enough(); ) {
    const { found, suspects, lost, next } = await searched(from);
    if (lost !== undefined && !survivor.isDown) unexplained += 1;
    const failing = (await survivor.killerAmong(suspects)) ?? found;
    if (failing !== undefined) return { found: failing };
    const over = survivor.over ?? (unexplained > mostUnexplained ? lost?.says : undefined);
    if (over !== undefined) return defined({ lost: over });
    from = lost?.at ?? next;
  }
  return {};
}
