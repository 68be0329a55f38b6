/** The latest remarks, equal ones in one line. */
import type { JournalEntry } from '../../journal/entry.ts';
import { headOf, refusalOf } from './refusal.ts';

export type Weight = 'noted' | 'refused' | 'failed' | 'undelivered';

export interface Remark {
  readonly weight: Weight;
  readonly cse: string;
  readonly text: string;
  /** Why a request was refused. */
  readonly reason?: string;
  /** Milliseconds since 1970 UTC, by the system's time, of the last one. */
  readonly at: number;
  readonly times: number;
}

export class Latest {
  readonly #most: number;
  readonly #now: () => number;
  #remarks: Remark[] = [];

  constructor(most: number, now: () => number = Date.now) {
    this.#most = most;
    this.#now = now;
  }

  /** The oldest first. */
  get remarks(): readonly Remark[] {
    return this.#remarks;
  }

  add(weight: Weight, cse: string, text: string, reason?: string): void {
    const isEqual = (one: Remark) =>
      one.cse === cse && one.weight === weight && one.text === text && one.reason === reason;
    const times = (this.#remarks.find(isEqual)?.times ?? 0) + 1;
    const others = this.#remarks.filter((one) => !isEqual(one));
    const remark = { weight, cse, text, at: this.#now(), times, ...(reason !== undefined && { reason }) };
    this.#remarks = [...others, remark].slice(-this.#most);
  }

  refusal(cse: string, entry: JournalEntry): void {
    const refusal = refusalOf(entry);
    this.add(refusal.status < 500 ? 'refused' : 'failed', cse, headOf(refusal), refusal.reason);
  }
}
