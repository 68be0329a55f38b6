import { UsageError } from '../engine/files/diagnostics.ts';
import type { Place } from '../engine/result.ts';

/** What is wrong at a place of a recording. Nothing of the recording is shown: a secret may stand there. */
export function unusable({ file, line, column }: Place, says: string): UsageError {
  return new UsageError(`${file}:${line}:${column}: ${says}`);
}
