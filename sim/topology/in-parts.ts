import { lazy } from '../core/memoize.ts';

/** Ends a part of an installation. */
export type End = () => Promise<void> | void;

/** Starts part after part. `close` ends them, the last first; that is done, too, when starting fails. */
export async function inParts<Started>(
  start: (ends: End[], close: () => Promise<void>) => Promise<Started>,
): Promise<Started> {
  const ends: End[] = [];
  const close = lazy(async () => {
    for (const end of ends.reverse()) await end();
  });
  try {
    return await start(ends, close);
  } catch (error) {
    await close();
    throw error;
  }
}
