import { randomBytes } from 'node:crypto';

/** Short, and safe in names, labels and paths. */
export function runId(): string {
  return randomBytes(4).readUInt32BE().toString(36).padStart(7, '0');
}
