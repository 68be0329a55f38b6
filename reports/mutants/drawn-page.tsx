/** @jsxRuntime automatic @jsxImportSource preact */
import { type DrawnRow, type DrawnTable, type DrawnVerdict, drawnVerdicts } from '../../scenarios/index.ts';
import { Eyebrow, SearchBox, VerdictButtons } from '../html/page-parts.tsx';
import { Views } from '../html/views.tsx';
import { visibleText } from '../visible-text.ts';
import { counted, durationText } from '../wording.ts';
import {
  differenceOf,
  drawnHeadline,
  drawnHow,
  drawnMarks,
  drawnSentences,
  drawnTones,
  exploredText,
  figureColumns,
} from './drawn-words.ts';
import { ViolationList } from './faults-panel.tsx';
import { Steps, VerdictFacts, type VerdictLook, VerdictRow } from './verdict-parts.tsx';

const look: VerdictLook<DrawnVerdict> = {
  mark: (verdict) => drawnMarks[verdict],
  tone: (verdict) => drawnTones[verdict],
};

/** The body of the page: what was not seen first, then all, and the figures. */
export function DrawnPage({ table }: { table: DrawnTable }) {
  const { of, rows, totals, figures } = table;
  const bad = rows.filter(({ verdict }) => ['bad', 'fault'].includes(drawnTones[verdict]));
  return (
    <>
      <Header table={table} />
      <main>
        <search class="filters">
          <SearchBox
            label="Search what was drawn, requirements and answers"
            hint="Search draws, requirements, answers"
          />
          <VerdictButtons verdicts={drawnVerdicts[of]} counts={totals.verdicts} {...look} />
        </search>
        <Views
          views={[
            { key: 'bad', title: 'To look at', count: bad.length, content: <Rows rows={bad} anchors={false} /> },
            { key: 'all', title: 'All drawn', count: rows.length, content: <Rows rows={rows} anchors /> },
            {
              key: 'figures',
              title: 'Figures',
              count: figures.length,
              plain: true,
              content: <Figures table={table} />,
            },
          ]}
        />
      </main>
    </>
  );
}

function Header({ table }: { table: DrawnTable }) {
  const { of, totals, rows, startedAt, interrupted } = table;
  const isBad = totals.verdicts['not seen'] + totals.verdicts['false alarm'] > 0;
  return (
    <header class={`page-header ${interrupted ? 'open' : isBad ? 'bad' : 'good'}`}>
      <Eyebrow>cselab, {of} drawn by a seed</Eyebrow>
      <h1>{drawnHeadline(table)}</h1>
      <p class="specification">{[...drawnSentences(table), drawnHow(table)].join(' ')}</p>
      <VerdictFacts verdicts={drawnVerdicts[of]} counts={totals.verdicts} {...{ of: rows.length, look, startedAt }} />
    </header>
  );
}

function Rows({ rows, anchors }: { rows: readonly DrawnRow[]; anchors: boolean }) {
  return (
    <section data-group>
      {rows.map((row) => (
        <VerdictRow
          key={row.number}
          {...{ verdict: row.verdict, look, id: row.says, says: `draw ${row.number}` }}
          {...(anchors && { anchor: `drawn-${row.number}` })}
          texts={[row.says, ...row.violations.flatMap(({ requirement, actual }) => [requirement, actual])]}
          aside={row.by === 'explore' ? 'by explore' : durationText(row.took)}
        >
          <RowDetails row={row} />
        </VerdictRow>
      ))}
    </section>
  );
}

function RowDetails({ row }: { row: DrawnRow }) {
  const { violations, collateral, explored, witness, reason } = row;
  return (
    <>
      {reason !== undefined && (
        <p>
          <strong>But:</strong> {visibleText(reason)}
        </p>
      )}
      <p class="muted">
        {violations.length === 0 ? 'No violation was reported' : counted(violations.length, 'violation')}
        {collateral.length > 0 && `, ${collateral.length} of them collateral`}
        {explored !== undefined && `; ${exploredText(row)}`}.
      </p>
      {explored?.steps !== undefined && <Steps steps={explored.steps} />}
      <ViolationList violations={violations} noise={collateral} noun="collateral" />
      {witness !== undefined && (
        <>
          <h4>What shows it</h4>
          <Steps steps={witness.requests} />
          <dl class="check">
            <dt>Sound</dt>
            <dd>{visibleText(differenceOf(witness)[0])}</dd>
            <dt>But</dt>
            <dd class="actual-bad">{visibleText(differenceOf(witness)[1])}</dd>
          </dl>
        </>
      )}
    </>
  );
}

function Figures({ table: { of, figures } }: { table: DrawnTable }) {
  const columns = Object.entries(figureColumns).filter(([name]) => of === 'deviations' || name === 'drawn');
  return (
    <>
      {[...new Set(figures.map(({ by }) => by))].map((by) => (
        <table key={by} class="figures">
          <caption>By {by}</caption>
          <thead>
            <tr>
              <th />
              {columns.map(([name]) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures
              .filter((figure) => figure.by === by)
              .map((figure) => (
                <tr key={figure.is}>
                  <th>{figure.is}</th>
                  {columns.map(([name, count]) => (
                    <td key={name} data-label={name}>
                      {count(figure)}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      ))}
    </>
  );
}
