import { parseTimestamp } from '../../engine/judging/timestamp.ts';

/** Microseconds by which times of one target may lie before each other, since some are written to the second. */
const tolerance = 1_000_000n;

/** The times that one target has shown. */
export class KnownTimes {
  /** By the identifier of what was created then, as it was compared. */
  readonly #created = new Map<string, bigint>();
  #latest: bigint | undefined;

  /** Of `ct`: now, or as this resource has shown it before. */
  created(value: string, resource: string): string {
    const time = parseTimestamp(value);
    if (time === undefined) return 'no time';
    const before = this.#created.get(resource);
    if (before !== undefined) return time === before ? 'as before' : 'changed';
    this.#created.set(resource, time);
    const latest = this.#latest ?? time;
    if (time >= latest) this.#latest = time;
    return time < latest - tolerance ? 'before now' : 'now';
  }
}

/** Of `lt` and `et`: whether it comes before what was shown as `ct` beside it. */
export function sinceCreation(value: string, created: unknown): string {
  const time = parseTimestamp(value);
  if (time === undefined) return 'no time';
  const from = typeof created === 'string' ? parseTimestamp(created) : undefined;
  if (from === undefined) return 'a time';
  return time < from - tolerance ? 'before ct' : 'after ct';
}
