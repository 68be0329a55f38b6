/** @jsxRuntime automatic @jsxImportSource preact */
import { toneOf } from '../html/badge.tsx';
import { Eyebrow, LevelButtons, SearchBox } from '../html/page-parts.tsx';
import { type View, Views } from '../html/views.tsx';
import { visibleText } from '../visible-text.ts';
import { marks, targetText, verdictLine, verdictOrder, verdictTone } from '../wording.ts';
import { ChangesPanel } from './changes-panel.tsx';
import type { Column } from './columns.ts';
import { headlineOf } from './compare-words.ts';
import type { Comparison } from './comparison.ts';
import { DetailsPanel, hasDetails } from './details-panel.tsx';
import { gapDifferences, shownSections } from './matrix.ts';
import { MatrixPanel } from './matrix-panel.tsx';

/** The body of the page. Views without content are left out; the first one is shown. */
export function ComparePage({ comparison }: { comparison: Comparison }) {
  const views = viewsOf(comparison).filter(({ count }) => count > 0);
  return (
    <>
      <Header comparison={comparison} />
      <main>
        <Search comparison={comparison} />
        <Views views={views} />
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
      <Eyebrow>
        cselab {first?.result.tool.version}, {changes === undefined ? 'targets compared' : 'two runs compared'}
      </Eyebrow>
      <h1>{headlineOf(comparison)}</h1>
      <ul class="targets">
        {matrix.columns.map((column) => (
          <Target key={column.letter} column={column} />
        ))}
      </ul>
    </header>
  );
}

function Target({ column: { letter, label, result } }: { column: Column }) {
  return (
    <li class={verdictTone(result)}>
      <span class="letter">{letter}</span>
      <div>
        <strong>{visibleText(label)}</strong>
        <div class="muted">
          {visibleText(targetText(result))}, {result.startedAt.slice(0, 16).replace('T', ' ')} UTC
        </div>
        <div class="verdict">{visibleText(verdictLine(result))}</div>
      </div>
    </li>
  );
}

/** Search box, the buttons that narrow every view by level, and what the signs mean. */
function Search({ comparison: { matrix } }: { comparison: Comparison }) {
  const rows = matrix.sections.flatMap((section) => section.rows);
  const verdicts = verdictOrder.filter((one) => rows.some(({ cells }) => cells.some((cell) => cell?.verdict === one)));
  return (
    <search class="filters">
      <SearchBox label="Search requirements and what targets do" hint="Search ids, sentences, answers" />
      <LevelButtons levels={rows.map(({ requirement }) => requirement.level)} />
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
