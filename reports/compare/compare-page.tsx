/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { toneOf } from '../html/badge.tsx';
import { visibleText } from '../visible-text.ts';
import { levelWords, marks, targetText, verdictLine, verdictOrder } from '../wording.ts';
import { ChangesPanel } from './changes-panel.tsx';
import type { Column } from './columns.ts';
import { headlineOf } from './compare-words.ts';
import type { Comparison } from './comparison.ts';
import { DetailsPanel, hasDetails } from './details-panel.tsx';
import { gapDifferences, shownSections } from './matrix.ts';
import { MatrixPanel } from './matrix-panel.tsx';

interface View {
  readonly key: string;
  readonly title: string;
  readonly count: number;
  readonly content: ComponentChildren;
}

/** The body of the page. Views without content are left out; the first one is shown. */
export function ComparePage({ comparison }: { comparison: Comparison }) {
  const views = viewsOf(comparison).filter(({ count }) => count > 0);
  return (
    <>
      <Header comparison={comparison} />
      <main>
        <Search comparison={comparison} />
        <div role="tablist" aria-label="Views">
          {views.map(({ key, title, count }, index) => (
            <button
              key={key}
              type="button"
              role="tab"
              id={`tab-${key}`}
              aria-controls={`view-${key}`}
              aria-selected={index === 0}
              tabIndex={index === 0 ? 0 : -1}
            >
              {title} <span class="count">{count}</span>
            </button>
          ))}
        </div>
        <p id="matches" class="visually-hidden" role="status" />
        {views.map(({ key, content, title }, index) => (
          <section key={key} role="tabpanel" id={`view-${key}`} aria-labelledby={`tab-${key}`} hidden={index !== 0}>
            <h2 class="visually-hidden">{title}</h2>
            {content}
            <p class="nothing" hidden>
              Nothing here matches the search and filters. <button type="button">Show everything</button>
            </p>
          </section>
        ))}
        {views.length === 0 && <p>All of them do the same.</p>}
      </main>
    </>
  );
}

function viewsOf({ matrix, changes, all }: Comparison): View[] {
  const { columns } = matrix;
  const sections = shownSections(matrix, all);
  const rows = sections.flatMap((section) => section.rows);
  const gaps = gapDifferences(matrix);
  const told = [...new Set([...rows, ...gaps])].filter(hasDetails);
  const open = [{ section: 'What the specification leaves open, and what each does', rows: gaps }];
  return [
    ...(changes === undefined
      ? []
      : [
          {
            key: 'changes',
            title: 'Changes',
            count: changes.changes.length,
            content: <ChangesPanel changes={changes} columns={columns} />,
          },
        ]),
    {
      key: 'matrix',
      title: all ? 'Requirements' : 'Differences',
      count: rows.length,
      content: <MatrixPanel sections={sections} columns={columns} />,
    },
    {
      key: 'gaps',
      title: 'Left open',
      count: gaps.length,
      content: <MatrixPanel sections={open} columns={columns} wide />,
    },
    {
      key: 'details',
      title: 'What each did',
      count: told.length,
      content: <DetailsPanel rows={told} columns={columns} />,
    },
  ];
}

function Header({ comparison }: { comparison: Comparison }) {
  const { matrix, changes } = comparison;
  const [first] = matrix.columns;
  return (
    <header class="page-header quiet">
      <div class="eyebrow">
        <span>
          cselab {first?.result.tool.version}, {changes === undefined ? 'targets compared' : 'two runs compared'}
        </span>
        <button type="button" id="theme" aria-label="Switch between light and dark">
          <span aria-hidden="true">◐</span>
        </button>
      </div>
      <h1>{headlineOf(comparison)}</h1>
      <ul class="targets">
        {matrix.columns.map((column) => (
          <Target key={column.letter} column={column} />
        ))}
      </ul>
    </header>
  );
}

const tones = { 0: 'good', 1: 'bad', 2: 'open', 3: 'open', 4: 'open', 130: 'open' } as const;

function Target({ column: { letter, label, result } }: { column: Column }) {
  const [word = '', reason = ''] = verdictLine(result).split(': ');
  return (
    <li class={tones[result.exit.code]}>
      <span class="letter">{letter}</span>
      <div>
        <strong>{visibleText(label)}</strong>
        <div class="muted">
          {visibleText(targetText(result))}, {result.startedAt.slice(0, 16).replace('T', ' ')} UTC
        </div>
        <div class="verdict">
          {word}: {visibleText(reason)}
        </div>
      </div>
    </li>
  );
}

/** Search box, the buttons that narrow every view by level, and what the signs mean. */
function Search({ comparison: { matrix } }: { comparison: Comparison }) {
  const rows = matrix.sections.flatMap((section) => section.rows);
  const levels = [...new Set(rows.map(({ requirement }) => requirement.level))];
  const verdicts = verdictOrder.filter((one) => rows.some(({ cells }) => cells.some((cell) => cell?.verdict === one)));
  return (
    <search class="filters">
      <label class="search">
        <span class="visually-hidden">Search requirements and what targets do</span>
        <input id="search" type="search" placeholder="Search ids, sentences, answers" autocomplete="off" />
      </label>
      {levels.length > 1 && (
        <fieldset>
          <legend class="visually-hidden">Level</legend>
          {levels.map((level) => (
            <button key={level} type="button" class="quiet" data-filter-level={level} aria-pressed="false">
              {levelWords[level]}
            </button>
          ))}
        </fieldset>
      )}
      <ul class="legend" aria-label="Signs">
        {verdicts.map((verdict) => (
          <li key={verdict} class={toneOf(verdict)}>
            <span aria-hidden="true">{marks[verdict]}</span> {verdict}
          </li>
        ))}
      </ul>
    </search>
  );
}
