/** What a doctor has to say of a set-up: no verdict on the CSE is in it. */

/** A flag and a line of a target file that say the same, or a sentence where neither would mend it. */
export type SetupChange =
  | { readonly flag: string; readonly key: string; readonly value: string | boolean }
  | { readonly elsewhere: string };

export interface SetupRemark {
  /** Such as `host name`, or `CSE base`. */
  readonly about: string;
  /** `unknown`: it could not be seen, or nothing was said of it. */
  readonly state: 'right' | 'wrong' | 'unknown';
  /** One sentence. */
  readonly says: string;
  /** What would mend it. */
  readonly change?: SetupChange;
}

/** `interrupted`: what was seen until then. */
export interface Diagnosis {
  readonly url: string;
  readonly outcome: 'right' | 'wrong' | 'interrupted';
  readonly remarks: readonly SetupRemark[];
  /** Number of requests sent. */
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

/** `key`: of a target file, with a dot before what stands in a part of it. */
export const setting = (flag: string, key: string, value: string | boolean): SetupChange => ({ flag, key, value });
export const elsewhere = (sentence: string): SetupChange => ({ elsewhere: sentence });
