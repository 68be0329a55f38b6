/** What `left-open.yaml` says: in which parts of an answer targets may differ, and what leaves them open. */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { lazy } from '../../engine/basics/kept.ts';
import type { Came } from '../moves/move.ts';
import type { ComparedAnswer, Course } from './parted.ts';

interface Rule {
  readonly says: string;
  /** Requirements that leave it open, where the catalogue has any. */
  readonly gaps?: readonly string[];
}

/** Something that may differ without being told, and in how many comparisons it did. */
export interface Normalised extends Rule {
  readonly rule: string;
  readonly times: number;
}

/** What its keys mean stands in the file. */
interface PartRow {
  readonly gap: string;
  readonly part: string;
  readonly operation?: string;
  readonly kind?: string;
  readonly outcome?: 'refusal';
  readonly after?: 'removed' | 'limited';
  readonly content?: 'json' | 'beyond ASCII';
}

interface LeftOpen {
  readonly normalised: Readonly<Record<string, Rule>>;
  readonly parts: readonly PartRow[];
}

/** Read when two targets are compared, and not before. */
export const leftOpen = lazy(() => parse(readFileSync(new URL('left-open.yaml', import.meta.url), 'utf8')) as LeftOpen);

/** How often each rule had something to do. */
export class RulesUsed {
  readonly #rules = new Map(Object.entries(leftOpen().normalised));
  readonly #times = new Map<string, number>();

  /** Throws a TypeError for a rule that is none. */
  note(rule: string): void {
    if (!this.#rules.has(rule)) throw new TypeError(`left-open.yaml has no ${rule}`);
    this.#times.set(rule, (this.#times.get(rule) ?? 0) + 1);
  }

  /** Those that had anything to do. */
  all(): Normalised[] {
    return [...this.#rules].flatMap(([rule, facts]) => {
      const times = this.#times.get(rule);
      return times === undefined ? [] : [{ rule, ...facts, times }];
    });
  }
}

/** The gap of the catalogue that leaves a part of an answer open, by one of the two; undefined where none speaks of it. */
export function gapOf(part: string, { attempt: { about }, came }: ComparedAnswer, course: Course): string | undefined {
  const outcome = came.outcome === 'success' ? undefined : 'refusal';
  const content = contentOf(came);
  const found = leftOpen().parts.find(
    (row) =>
      row.part === (part === 'root' ? 'body' : part) &&
      row.outcome === outcome &&
      (row.operation ?? about.operation) === about.operation &&
      (row.kind ?? about.kind) === about.kind &&
      (row.after === undefined || course[row.after]) &&
      (row.content ?? content) === content,
  );
  return found?.gap;
}

function contentOf({ view: { attributes } }: Came): PartRow['content'] {
  if (attributes?.cnf === 'application/json:1') return 'json';
  return /^[\x20-\x7e]*$/.test(String(attributes?.con)) ? undefined : 'beyond ASCII';
}
