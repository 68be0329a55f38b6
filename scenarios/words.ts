/** Light entry point: vocabulary of targets, results and verdicts, without loading the harness. */

export { type Normalise, normaliserOf } from './baseline/normalise.ts';
export { defined } from './engine/basics/defined.ts';
export { didYouMean, UsageError, unreadable } from './engine/basics/diagnostics.ts';
export { version } from './engine/basics/version.ts';
export { byCodePoint, ownFolders } from './engine/files/folders.ts';
export { type Durations, durationsOf, type Shard, shardIn, shardOfJob } from './engine/files/shard.ts';
export { type Dialect, dialects, serializations } from './engine/grammar/dialects.ts';
export {
  type CheckedShare,
  checkedShare,
  contradictedIn,
  deathSentence,
  dialectHint,
  isWhole,
  notSelected,
  requestText,
  unmetIn,
} from './engine/judging/exit-words.ts';
export type * from './engine/results/exchange.ts';
export type * from './engine/results/requirement-result.ts';
export { CheckReference } from './engine/results/requirement-result.ts';
export type * from './engine/results/result.ts';
export { runShape } from './engine/results/result.ts';
export type * from './engine/results/run-context.ts';
export { type Failure, failures } from './engine/results/run-context.ts';
export { lastOf } from './engine/running/last-of.ts';
export { bySide as deathsBySide } from './generators/differential/difference.ts';
export { isOfBinding } from './ics/over-wire.ts';
export { exitOfGenerated, generatedTotalsOf } from './mutants/generated/generated-table.ts';
export { exitOf, totalsOf } from './mutants/kill-table.ts';
export {
  type DrawnRow,
  type DrawnTable,
  type DrawnVerdict,
  drawnShape,
  drawnVerdicts,
  type Figure,
  type GeneratedRow,
  type GeneratedTable,
  type GeneratedVerdict,
  generatedShape,
  generatedVerdicts,
  type KillRow,
  type KillTable,
  type KillVerdict,
  killShape,
  killVerdicts,
  type Violation,
} from './mutants/scoring/tables.ts';
export { usualLedgers } from './safety/ledger-file.ts';
export { Redactor } from './secrets/redactor.ts';
