/** The light door: the words of targets and verdicts, for those who are to be ready before the harness is loaded. */
export { defined } from './engine/defined.ts';
export { type Failure, failures } from './engine/failures.ts';
export { UsageError } from './engine/files/diagnostics.ts';
export { type Dialect, dialects } from './engine/grammar/dialects.ts';
export { usualLedgers } from './safety/ledger-file.ts';
