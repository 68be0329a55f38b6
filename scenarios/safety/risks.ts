import { effectOf, type RiskMark, type TargetRisk } from '../engine/grammar/grammar-risk.ts';
import type { RawRequest, RequestMessage } from '../engine/targets/target.ts';
import { type KnownRisk, knownRisks } from './known-risks.ts';
import { partsOf } from './request-parts.ts';
import { isSelected } from './risk-match.ts';

/** What of all that is known to corrupt or kill a deployed CSE a target may be sent, and what is known of it beyond that. */
export interface RiskChoice {
  /** `all`: everything is sent; else the ids of `knownRisks` that are. Nothing when absent. */
  readonly risky?: 'all' | readonly string[];
  readonly risks?: readonly TargetRisk[];
  /** What the target is, where its file or its CSE base says so. */
  readonly product?: string;
  /** What it seems to be. */
  readonly looksLike?: string;
}

interface Row {
  readonly when: TargetRisk['when'];
  /** In a list. */
  readonly what: string;
  readonly says: string;
}

const remedy = '--risky sends it';

/** Decides of each request to a live target whether it is left out, since it is known to corrupt or kill a deployed CSE. */
export class Risks {
  readonly #rows: readonly Row[];
  /** Each request is asked about more than once. */
  readonly #counted = new WeakSet<object>();
  readonly #numbers = new Map<string, number>();

  constructor(choice: RiskChoice = {}) {
    const { risky, risks = [], product = choice.looksLike ?? 'this target' } = choice;
    const own = risks.map((risk) => rowOfTarget(risk, product));
    this.#rows = risky === 'all' ? [] : [...own, ...knownRisks.filter((one) => isLeftOut(one, choice)).map(rowOf)];
  }

  /** Why a request is left out, as a sentence. `isRemoved`: whether a path leads by identifier to what is gone. */
  reason(request: RequestMessage | RawRequest, isRemoved: (path: string) => boolean): string | undefined {
    if (this.#rows.length === 0) return undefined;
    const parts = partsOf(request);
    const row = this.#rows.find(({ when }) => isSelected(when, parts, () => isRemoved(parts.target)));
    if (row !== undefined) this.#count(request, row);
    return row?.says;
  }

  /** What was left out, as sentences. */
  notes(): string[] {
    const kinds = [...this.#numbers].map(([what, number]) => `${number} × ${what}`);
    return kinds.length === 0 ? [] : [`left out as a risk: ${kinds.join('; ')}. ${remedy}`];
  }

  #count(request: object, { what }: Row): void {
    if (this.#counted.has(request)) return;
    this.#counted.add(request);
    this.#numbers.set(what, (this.#numbers.get(what) ?? 0) + 1);
  }
}

/** Why a step or a scenario that is marked so is left out, as a sentence. */
export function reasonOfMark(mark: RiskMark): string {
  const { effect, reason } = effectOf(mark);
  return `it ${effect} a deployed CSE (${reason}); ${remedy}`;
}

function isLeftOut({ id, product, only }: KnownRisk, { risky = [], ...target }: RiskChoice): boolean {
  if (risky.includes(id)) return false;
  return only === undefined || [target.product, target.looksLike].includes(product);
}

function rowOf({ when, request, effect, product, version, happened }: KnownRisk): Row {
  const says = `${request} ${effect} ${product} ${version} (${happened}); ${remedy}`;
  return { when, what: `${request} (${effect} ${product} ${version})`, says };
}

function rowOfTarget(risk: TargetRisk, product: string): Row {
  const { effect, reason } = effectOf(risk);
  const what = `what by its target file ${effect} ${product} (${reason})`;
  return { when: risk.when, what, says: `${what}; ${remedy}` };
}
