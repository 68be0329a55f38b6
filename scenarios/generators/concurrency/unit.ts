import type { State } from './state.ts';

/** What a request may do to a CSE, by the specification. */
export interface Possible {
  readonly state: State;
  /** Requirements that a CSE would break by it. */
  readonly broken: readonly string[];
}

/**
 * A part of a request that happens at one moment between its call and its answer. What a request changes is one part; each thing that
 * its answer shows is another, since the specification nowhere says that one answer shows everything as of the same moment.
 */
export interface Unit {
  /** Index of the request in its history. */
  readonly call: number;
  readonly from: number;
  readonly to: number;
  /** Whether it may just as well never have happened. */
  readonly optional: boolean;
  /** Whether nothing changes by it, whatever the state. */
  readonly readOnly: boolean;
  /** Requirements by which its answer is judged. */
  readonly about: readonly string[];
  /** What it may do in a state. */
  readonly possible: (state: State) => readonly Possible[];
}

/** Nothing changes, and these requirements are broken. */
export function nothingChanges(state: State, ...broken: readonly string[]): Possible[] {
  return [{ state, broken }];
}
