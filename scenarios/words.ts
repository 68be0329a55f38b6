/** The light door: the words of targets and verdicts, for those who are to be ready before the harness is loaded. */
export { defined } from './engine/basics/defined.ts';
export { UsageError } from './engine/basics/diagnostics.ts';
export { type Dialect, dialects } from './engine/grammar/dialects.ts';
export { type Failure, failures } from './engine/results/result.ts';
export { usualLedgers } from './safety/ledger-file.ts';
