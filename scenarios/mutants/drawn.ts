/** Runs the harness against deviations drawn by a seed: a score that nobody can tune. */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { drawDeviations, drawVariations } from '../../sim/deviations/drawn/draw.ts';
import { type Drawn, describeDeviation } from '../../sim/deviations/drawn/drawn-deviation.ts';
import { isWire } from '../../sim/deviations/drawn/operators.ts';
import { describeVariations, variationClauses } from '../../sim/deviations/drawn/variation-rows.ts';
import { defined } from '../engine/basics/defined.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import type { Shard } from '../engine/files/shard.ts';
import { now, since } from '../engine/messages/target.ts';
import type { TaskResult, WorkerPoolOptions } from '../engine/processes/worker-pool.ts';
import { type DrawnDetection, rowResultOf } from './drawn/drawn-row.ts';
import { drawnSettingsOf, drawnTableOf, isInShard } from './drawn/drawn-table.ts';
import { type PoolChoice, type Progress, poolOf, reasonOf, rowsOf } from './scoring/deviation-work.ts';
import type { DrawnRow, DrawnSettings, DrawnTable } from './scoring/tables.ts';
import type { Proof, ProofTask, ScoreTask } from './worker.ts';

/** By default deviations of the documented dialect, by the seed 1, one by one, with 200 sequences for each. */
export interface DrawnOptions extends PoolChoice, Partial<Omit<DrawnSettings, 'version' | 'count'>> {
  /** How many; only active deviations count. */
  readonly count: number;
  /** Only the part of this shard. */
  readonly shard?: Shard;
  /** A file from which a killed run goes on; nothing is kept when absent. */
  readonly kept?: string;
}

/** What is scored. */
type Candidate = Pick<DrawnRow, 'number' | 'drawn' | 'witness'>;

/** Throws UsageError for a count of 0. */
export async function* drawn(options: DrawnOptions): AsyncGenerator<Progress, DrawnTable> {
  const { count, of = 'deviations', seed = 1, dialect = 'documented' } = options;
  const { inPairs = false, runs = 200, shard, world, differs } = options;
  if (count < 1) throw new UsageError('at least one has to be drawn');
  const question = drawnSettingsOf({ of, dialect, seed, count, inPairs, runs, ...defined({ world, differs }) });
  const startedAt = new Date().toISOString();
  const started = now();
  const pool = poolOf(options);
  const saved = new ResumeFile(options.kept, question);
  const singles = of === 'deviations' ? yield* active(question, saved, pool) : allowed(question);
  const candidates = inPairs ? paired(singles) : singles;
  const own = candidates.filter((_, rank) => isInShard(rank, shard));
  const left = own.filter(({ number }) => !saved.rows.has(number));
  const before = own.length - left.length;
  const task = { dialect, seed, runs, ...defined({ world, differs }) };
  const tasks = left.map(({ number, drawn: what }): ScoreTask => ({ ...task, number, drawn: what }));
  const about = new Map(own.map((one) => [one.number, one]));
  const rowFor = (task: ScoreTask, result: TaskResult<DrawnDetection>) => rowOf(about.get(task.number) ?? task, result);
  let done = before;
  if (done > 0) yield { isKept: true, done, chosen: own.length, says: 'rows are left from an earlier run' };
  for await (const row of rowsOf(tasks, rowFor, pool)) {
    saved.recordRow(row);
    done += 1;
    yield { done, chosen: own.length, says: `drawn, ${row.verdict}: ${row.says}` };
  }
  const rows = own.flatMap(({ number }) => saved.rows.get(number) ?? []);
  const numbers = (singles.at(-1)?.number ?? -1) + 1;
  const work = { startedAt, took: since(started), drawn: numbers, kept: before, shard };
  const table = drawnTableOf(question, work, rows);
  if (!table.interrupted) saved.end();
  return table;
}

function allowed({ dialect, seed, count, world }: DrawnSettings): Candidate[] {
  const found: Candidate[] = [];
  for (const variations of drawVariations(dialect, seed, isWire(world) ? world : undefined)) {
    if (found.length >= count) break;
    found.push({ number: found.length, drawn: { variations } });
  }
  return found;
}

/** The first that do something: the same ones, whichever process ends first. */
async function* active(
  { dialect, seed, count, inPairs, world }: DrawnSettings,
  saved: ResumeFile,
  pool: WorkerPoolOptions,
): AsyncGenerator<Progress, Candidate[]> {
  const chosen = inPairs ? 2 * count : count;
  const found: Candidate[] = [];
  const note = ({ number, toProve: deviation }: Omit<ProofTask, 'dialect' | 'seed'>, { witness }: Proof) => {
    if (witness !== undefined) found.push({ number, drawn: { deviations: [deviation] }, witness });
  };
  const tasks = function* (): Generator<ProofTask> {
    let number = 0;
    for (const deviation of drawDeviations(dialect, seed, world)) {
      if (found.length >= chosen) return;
      const proof = saved.proofs.get(number);
      if (proof === undefined) yield { number, toProve: deviation, dialect, seed };
      else note({ number, toProve: deviation }, proof);
      number += 1;
    }
  };
  // One that no process could prove is replaced like an inactive one.
  const proofFor = (task: ProofTask, answered: TaskResult<Proof>) =>
    [task, 'result' in answered ? answered.result : {}] as const;
  for await (const [task, proof] of rowsOf(tasks(), proofFor, pool)) {
    saved.recordProof(task.number, proof);
    note(task, proof);
    yield { done: Math.min(found.length, chosen), chosen, says: 'deviations proved active' };
  }
  return found.sort((a, b) => a.number - b.number).slice(0, chosen);
}

/** Each with the next. */
function paired(found: readonly Candidate[]): Candidate[] {
  return found.flatMap(({ number, drawn: one }, at) => {
    const other = at % 2 === 0 ? found[at + 1]?.drawn : undefined;
    if (other === undefined || !('deviations' in one && 'deviations' in other)) return [];
    return [{ number, drawn: { deviations: [...one.deviations, ...other.deviations] } }];
  });
}

function rowOf({ number, drawn: what, witness }: Candidate, answered: TaskResult<DrawnDetection>): DrawnRow {
  const allowedBy = 'variations' in what ? { allowedBy: variationClauses(what.variations) } : {};
  const about = { number, drawn: what, says: wordsOf(what), ...allowedBy };
  if ('result' in answered) {
    const shown = answered.result.witness ?? witness;
    return { ...about, ...(shown && { witness: shown }), ...rowResultOf(what, answered.result) };
  }
  const reason = reasonOf(answered, 'the worker');
  const nothing = { violations: [], collateral: [], identified: 0, took: 0 };
  return { ...about, ...(witness && { witness }), verdict: 'not judged', ...nothing, reason };
}

function wordsOf(what: Drawn): string {
  if ('variations' in what) return describeVariations(what.variations);
  return what.deviations.map(describeDeviation).join(' + ');
}

type Line = { readonly proof: Proof & { readonly number: number } } | { readonly row: DrawnRow };

/** Proofs and rows so far, in a file with a line for each: a killed run goes on from there. */
export class ResumeFile {
  readonly proofs = new Map<number, Proof>();
  readonly rows = new Map<number, DrawnRow>();
  readonly #path: string | undefined;

  /** The file of another question is replaced; the count makes no difference. Throws UsageError if it cannot be written. */
  constructor(path: string | undefined, { count: _any, ...question }: DrawnSettings) {
    this.#path = path;
    if (path === undefined) return;
    const head = JSON.stringify(question);
    try {
      const [first, ...lines] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
      for (const line of first === head ? lines : []) this.#note(line);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${head}\n`);
    } catch (error) {
      throw new UsageError(`rows cannot be kept in ${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
    for (const [number, proof] of this.proofs) this.#write({ proof: { number, ...proof } });
    for (const row of this.rows.values()) this.#write({ row });
  }

  recordProof(number: number, proof: Proof): void {
    this.proofs.set(number, proof);
    this.#write({ proof: { number, ...proof } });
  }

  recordRow(row: DrawnRow): void {
    this.rows.set(row.number, row);
    this.#write({ row });
  }

  /** Removes the file. */
  end(): void {
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }

  /** The last line may have been cut off. */
  #note(text: string): void {
    try {
      const line = JSON.parse(text) as Line;
      if ('row' in line) this.rows.set(line.row.number, line.row);
      else this.proofs.set(line.proof.number, line.proof);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }

  #write(line: Line): void {
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}
