/** What `implementation-defined.yaml` says: in which parts of an answer targets may differ, and what leaves them open. */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { lazy } from '../../engine/basics/memoize.ts';
import type { AttemptResponse } from '../moves/move.ts';
import type { ComparedAnswer, SequenceHistory } from './part-difference.ts';

interface Rule {
  readonly says: string;
  /** Requirements that leave it open, if the catalogue has any. */
  readonly gaps?: readonly string[];
}

/** A difference that is not reported, and how many comparisons showed it. */
export interface Normalised extends Rule {
  readonly rule: string;
  readonly times: number;
}

/** The file explains its keys. */
interface PartRow {
  readonly gap: string;
  readonly part: string;
  readonly operation?: string;
  readonly kind?: string;
  readonly outcome?: 'refusal';
  readonly after?: 'removed' | 'limited';
  readonly content?: 'json' | 'beyond ASCII';
}

interface ImplementationDefined {
  readonly normalised: Readonly<Record<string, Rule>>;
  readonly parts: readonly PartRow[];
}

/** Read only when targets are compared. */
const file = new URL('implementation-defined.yaml', import.meta.url);
export const implementationDefined = lazy(() => parse(readFileSync(file, 'utf8')) as ImplementationDefined);

/** How often each rule applied. */
export class RulesUsed {
  readonly #rules = new Map(Object.entries(implementationDefined().normalised));
  readonly #times = new Map<string, number>();

  /** Throws a TypeError for an unknown rule. */
  note(rule: string): void {
    if (!this.#rules.has(rule)) throw new TypeError(`implementation-defined.yaml has no ${rule}`);
    this.#times.set(rule, (this.#times.get(rule) ?? 0) + 1);
  }

  /** Rules that applied. */
  all(): Normalised[] {
    return [...this.#rules].flatMap(([rule, facts]) => {
      const times = this.#times.get(rule);
      return times === undefined ? [] : [{ rule, ...facts, times }];
    });
  }
}

/** The gap of the catalogue that leaves a part of an answer open, by one of the two; undefined if none does. */
export function gapOf(part: string, answer: ComparedAnswer, history: SequenceHistory): string | undefined {
  const { response } = answer;
  const { about } = answer.attempt;
  const outcome = response.outcome === 'success' ? undefined : 'refusal';
  const content = contentOf(response);
  const found = implementationDefined().parts.find(
    (row) =>
      row.part === (part === 'root' ? 'body' : part) &&
      row.outcome === outcome &&
      (row.operation ?? about.operation) === about.operation &&
      (row.kind ?? about.type) === about.type &&
      (row.after === undefined || history[row.after]) &&
      (row.content ?? content) === content,
  );
  return found?.gap;
}

function contentOf({ view: { attributes } }: AttemptResponse): PartRow['content'] {
  if (attributes?.cnf === 'application/json:1') return 'json';
  return /^[\x20-\x7e]*$/.test(String(attributes?.con)) ? undefined : 'beyond ASCII';
}
