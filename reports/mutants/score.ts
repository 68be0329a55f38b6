/** Shared by the tables of `cselab mutants`: rows with a verdict, and the violations found at each. */

import type { Violation } from '../../scenarios/words.ts';
import { type Content, type Count, type Document, facts, only, type View } from '../document/model.ts';
import { counted, timeText } from '../facts/wording.ts';

/** Look and meaning of a count; its name is the verdict unless given. */
export type CountStyle = Pick<Count, 'mark' | 'tone' | 'says'> & Partial<Pick<Count, 'name'>>;

interface Score<Row extends { readonly verdict: string }>
  extends Pick<Document, 'kind' | 'headline' | 'tone' | 'lead' | 'levels' | 'nothing'> {
  /** Before the headline, in the title. */
  readonly name: string;
  readonly startedAt: string;
  readonly rows: readonly Row[];
  /** Rows that a brief text lists; `restText` is about the number of others. */
  readonly remarkable: readonly Row[];
  readonly restText: readonly [noun: string, what: string];
  /** Keys of the views of these, and of all rows, which has a title of its own. */
  readonly views: readonly [remarkable: string, all: string, allTitle: string];
  rowBlocks(rows: readonly Row[], isAnchored: boolean): Content;
  readonly counts: {
    readonly title: string;
    readonly verdicts: readonly Row['verdict'][];
    readonly looks: Readonly<Record<Row['verdict'], CountStyle>>;
    readonly totals: Readonly<Record<Row['verdict'], number>>;
    /** Shown even for none. */
    readonly always: readonly Row['verdict'][];
    readonly more?: readonly Count[];
  };
  /** What can be searched, in full and in short. */
  readonly search: readonly [label: string, hint: string];
  readonly more?: readonly View[];
}

export function scoreDocument<Row extends { readonly verdict: string }>(score: Score<Row>): Document {
  const { name, startedAt, rows, remarkable, restText, views, rowBlocks, counts, search, more, ...document } = score;
  const { title, verdicts, looks, totals, always } = counts;
  const each = verdicts.map((verdict: Row['verdict']): Count => {
    return { name: verdict, ...looks[verdict], count: totals[verdict], always: always.includes(verdict) };
  });
  const [briefKey, allKey, allTitle] = views;
  const hidden = rows.length - remarkable.length;
  const rest = hidden > 0 && `${counted(hidden, restText[0])} ${restText[1]} (-v shows all).`;
  const brief = [rowBlocks(remarkable, false), only('brief', rest)];
  const [label, hint] = search.map((what) => `Search ${what}`);
  return {
    ...document,
    title: `${name}: ${document.headline}`,
    facts: [['Started', timeText(startedAt)]],
    counts: { title, of: rows.length, each: [...each, ...(counts.more ?? [])] },
    search: { label: label ?? '', hint: hint ?? '' },
    views: [
      { key: briefKey, title: 'To look at', on: 'brief', count: remarkable.length, content: brief },
      { key: allKey, title: allTitle, on: 'verbose', count: rows.length, content: rowBlocks(rows, true) },
      ...(more ?? []),
    ],
  };
}

/** Violations told in full; a deviation that breaks everything has hundreds. */
const most = { text: 3, page: 20 };

/** The violations found, those of unrelated requirements as collateral. */
export function violationBlocks(violations: readonly Violation[], collateral: readonly string[]): Content {
  if (violations.length === 0) return only('page', 'No requirement was found violated.');
  return (['text', 'page'] as const).map((on) => {
    const listed = violations.slice(0, most[on]).map((one) => violationFacts(one, collateral));
    const left = violations.length - most[on];
    return only(on, listed, left > 0 && `and ${counted(left, 'more requirement')}`);
  });
}

function violationFacts({ requirement, scenario, expected, actual }: Violation, collateral: readonly string[]) {
  return facts(
    ['found', [{ text: requirement, as: 'code' }, collateral.includes(requirement) ? ' (collateral)' : '']],
    ['expected', expected.join(' – or – ')],
    ['actual', { text: `${actual} (${scenario})`, tone: 'bad' }],
  );
}

/** `Interrupted: ` before the headline of an incomplete table. */
export const prefix = ({ interrupted }: { readonly interrupted: boolean }) => (interrupted ? 'Interrupted: ' : '');
