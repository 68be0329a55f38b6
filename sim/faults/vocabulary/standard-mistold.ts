/** Attributes that a resource which is read does not tell, or tells with another value. */

import { readTimestamp, writeTimestamp } from '../../dialects/timestamp.ts';
import type { Fault } from '../fault.ts';
import { breaking } from './breaking.ts';
import { showingAs } from './standard-changes.ts';
import type { Which } from './standard-wanted.ts';

export interface Mistold {
  readonly attribute: string;
  /** The last part of the requirement, where it is not the attribute. */
  readonly requirement?: string;
  readonly what: string;
  /** Completes a sentence that begins with the resource: `tells its type as a text`. */
  readonly says: string;
  readonly value: (was: unknown) => unknown;
}

/** `area` is what the requirements begin with, `subject` what the sentences do. */
export function mistelling(area: string, subject: string, reading: Which, rows: readonly Mistold[]): Fault[] {
  return rows.map(({ attribute, requirement = attribute, what, says, value }) =>
    breaking(`${area}.${requirement}`, what, `${subject} ${says}.`, showingAs(reading, attribute, value)),
  );
}

/** A time with dashes and colons. */
export function extended(time: unknown): unknown {
  const moment = typeof time === 'string' ? readTimestamp(time) : undefined;
  return moment === undefined ? time : writeTimestamp(moment);
}
