import type { Deviation, Variation, Witness } from '../../engine/targets/embedded/simulated-deviations.ts';
import type { Sight, Violation } from '../mutant.ts';

/** What a worker made of a deviation that was drawn. */
export interface DrawnSight {
  /** Absent where no sequence showed that it does anything: it is drawn again. */
  readonly witness?: Witness;
  /** What the scenarios of the dialect saw, where it is active. */
  readonly sight?: Sight;
}

/**
 * Of a deviation, `identified`: the first thing told names what deviates; `seen`: something was found, and tells of another thing.
 * Of what everybody has to take, `quiet`: nothing was found.
 */
export type DrawnVerdict = 'identified' | 'seen' | 'not seen' | 'quiet' | 'false alarm' | 'not judged';

/** In the order in which they are told. */
export const drawnVerdicts: Readonly<Record<'deviations' | 'variations', readonly DrawnVerdict[]>> = {
  deviations: ['identified', 'seen', 'not seen', 'not judged'],
  variations: ['quiet', 'false alarm', 'not judged'],
};

export type Drawn = { readonly deviation: Deviation } | { readonly variations: readonly Variation[] };

/** What the harness makes of what was drawn. */
export interface DrawnRow {
  /** Its position among those that were drawn, from 0. */
  readonly number: number;
  readonly drawn: Drawn;
  /** Such as `m2m:cnt, retrieve: drop cni`. */
  readonly says: string;
  /** The operator of a deviation, the kinds of variations. */
  readonly operator: string;
  /** Of a deviation. */
  readonly witness?: Witness;
  readonly verdict: DrawnVerdict;
  readonly violations: readonly Violation[];
  readonly reason?: string;
  /** Milliseconds. */
  readonly took: number;
}

export function verdictOnSound({ violations, scenarios, troubles }: Sight): DrawnVerdict {
  if (violations.length > 0) return 'false alarm';
  return scenarios === 0 || troubles.length > 0 ? 'not judged' : 'quiet';
}

/** By what the first violation says: the attribute; without one, the operation, a list or the code. */
export function verdictOn(
  { violations, scenarios, troubles }: Sight,
  { attributes, does, when }: { readonly attributes: readonly string[] } & Deviation,
): DrawnVerdict {
  const [first] = violations;
  if (first === undefined) return scenarios === 0 || troubles.length > 0 ? 'not judged' : 'not seen';
  const told = [first.requirement, ...first.expected, first.actual].join(' ');
  const words = attributes.length > 0 ? attributes : wordsOfExchange(does, when);
  return words.some((word) => new RegExp(`(^|[^A-Za-z])${word}([^A-Za-z]|$)`, 'i').test(told)) ? 'identified' : 'seen';
}

function wordsOfExchange(does: Deviation['does'], { operation }: Deviation['when']): string[] {
  if ('lose' in does || 'repeat' in does)
    return ['ch', 'children', 'child', 'discovery', 'found', 'list', 'rrf', 'uril'];
  if ('stale' in does || 'pretend' in does) return [operation ?? 'update', 'unchanged', 'changed', 'gone'];
  if ('trust' in does) return ['privilege', 'right', 'refused', '4103', '403'];
  return [operation ?? '', 'status', 'rsc', ...('reject' in does ? [String(does.reject)] : [])].filter(
    (one) => one !== '',
  );
}
