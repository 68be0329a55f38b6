/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { searchText } from '../html/anchor.ts';
import { Fact } from '../html/page-parts.tsx';
import { visibleText } from '../visible-text.ts';
import { percent } from './mutants-words.ts';

/** How a page shows its verdicts. */
export interface VerdictLook<Verdict extends string> {
  readonly mark: (verdict: Verdict) => string;
  readonly tone: (verdict: Verdict) => string;
}

interface VerdictFactsProps<Verdict extends string> {
  /** In this order; those that nothing has are left out. */
  readonly verdicts: readonly Verdict[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** How many have a verdict in all. */
  readonly of: number;
  readonly look: VerdictLook<Verdict>;
}

/** When the work began, and how many have which verdict. */
export function VerdictFacts<Verdict extends string>(
  props: VerdictFactsProps<Verdict> & { startedAt: string; children?: ComponentChildren },
) {
  const { verdicts, counts, of, look, startedAt, children } = props;
  return (
    <dl class="facts">
      <Fact name="Started" value={`${startedAt.slice(0, 19).replace('T', ' ')} UTC`} />
      {verdicts
        .filter((verdict) => counts[verdict] > 0)
        .map((verdict) => (
          <Fact
            key={verdict}
            name={`${look.mark(verdict)} ${verdict}`}
            value={`${counts[verdict].toLocaleString('en')}, ${percent(counts[verdict], of)}`}
          />
        ))}
      {children}
    </dl>
  );
}

interface VerdictRowProps<Verdict extends string> {
  readonly verdict: Verdict;
  readonly look: VerdictLook<Verdict>;
  readonly id: string;
  readonly says: string;
  readonly aside: string;
  /** By what the search finds it. */
  readonly texts: readonly string[];
  readonly level?: string;
  /** Where a link leads to. */
  readonly anchor?: string;
  /** What is shown once it is opened. */
  readonly children: ComponentChildren;
}

export function VerdictRow<Verdict extends string>(props: VerdictRowProps<Verdict>) {
  const { verdict, look, id, says, aside, texts, level, anchor, children } = props;
  return (
    <details class="row" data-text={searchText(texts)} data-verdict={verdict} data-level={level}>
      <summary id={anchor}>
        <span class={`badge ${look.tone(verdict)}`}>
          <span aria-hidden="true">{look.mark(verdict)}</span> {verdict}
        </span>
        <span class="subject">
          <code class="id">{visibleText(id)}</code>
          <span class="says">{visibleText(says)}</span>
        </span>
        <span class="aside">{aside}</span>
      </summary>
      <template>{children}</template>
    </details>
  );
}

/** Requests, one after the other. */
export function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol>
      {steps.map((step, at) => (
        <li key={at}>{visibleText(step)}</li>
      ))}
    </ol>
  );
}
