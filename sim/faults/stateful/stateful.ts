/** Faults that show only after something has happened, at some times, or in some places. */
import type { Fault } from '../fault.ts';

export const stateful: readonly Fault[] = [];
