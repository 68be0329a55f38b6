import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../engine/files/diagnostics.ts';
import type { Proof } from '../worker.ts';
import type { DrawnRow } from './drawn-row.ts';
import type { DrawnQuestion } from './drawn-table.ts';

type Line = { readonly proof: Proof & { readonly number: number } } | { readonly row: DrawnRow };

/** What was proved and judged so far, in a file of a line for each: a run that was killed goes on from there. */
export class Kept {
  readonly proofs = new Map<number, Proof>();
  readonly rows = new Map<number, DrawnRow>();
  readonly #path: string | undefined;

  /** What another question left there is replaced; how many are asked for makes no difference. Throws UsageError where nothing can be kept. */
  constructor(path: string | undefined, { count: _any, ...question }: DrawnQuestion) {
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

  proved(number: number, proof: Proof): void {
    this.proofs.set(number, proof);
    this.#write({ proof: { number, ...proof } });
  }

  judged(row: DrawnRow): void {
    this.rows.set(row.number, row);
    this.#write({ row });
  }

  /** Nothing is left to go on from. */
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
