/** Remarks of a doctor on a set-up, without a verdict on the CSE. */

/** A flag with the equivalent line of a target file, or a sentence if neither helps. */
export type SetupChange =
  | { readonly flag: string; readonly key: string; readonly value: string | boolean }
  | { readonly elsewhere: string };

export interface SetupRemark {
  /** Such as `host name`, or `CSE base`. */
  readonly about: string;
  /** `unknown`: it could not be determined, or is not configured. */
  readonly state: 'right' | 'wrong' | 'unknown';
  readonly says: string;
  readonly change?: SetupChange;
}

/** `interrupted`: with the remarks so far. */
export interface Diagnosis {
  readonly url: string;
  readonly outcome: 'right' | 'wrong' | 'interrupted';
  readonly remarks: readonly SetupRemark[];
  readonly requests: number;
  /** Milliseconds. */
  readonly took: number;
}

export const right = (about: string, says: string): SetupRemark => ({ about, state: 'right', says });
export const wrong = (about: string, says: string, change: SetupChange): SetupRemark => ({
  about,
  state: 'wrong',
  says,
  change,
});
export const unknown = (about: string, says: string, change?: SetupChange): SetupRemark => ({
  ...{ about, state: 'unknown', says },
  ...(change && { change }),
});

/** `key`: in a target file, with dots between levels. */
export const setting = (flag: string, key: string, value: string | boolean): SetupChange => ({ flag, key, value });
export const elsewhere = (sentence: string): SetupChange => ({ elsewhere: sentence });
