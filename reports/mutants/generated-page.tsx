/** @jsxRuntime automatic @jsxImportSource preact */
import {
  exitOfGenerated,
  type GeneratedRow,
  type GeneratedTable,
  type GeneratedVerdict,
  generatedVerdicts,
} from '../../scenarios/index.ts';
import { Eyebrow, SearchBox, VerdictButtons } from '../html/page-parts.tsx';
import { Views } from '../html/views.tsx';
import { visibleLines, visibleText } from '../visible-text.ts';
import { counted, durationText } from '../wording.ts';
import { doubtText, effortText, generatedHeadline, generatedMarks, huntText } from './generated-words.ts';
import { Steps, VerdictFacts, type VerdictLook, VerdictRow } from './verdict-parts.tsx';

const tones: Readonly<Record<GeneratedVerdict, string>> = {
  found: 'good',
  'not confirmed': 'open',
  'not found': 'bad',
  'not judged': 'fault',
};

const look: VerdictLook<GeneratedVerdict> = {
  mark: (verdict) => generatedMarks[verdict],
  tone: (verdict) => tones[verdict],
};

/** The body of the page: one view, which the search and the verdicts narrow. */
export function GeneratedPage({ table }: { table: GeneratedTable }) {
  return (
    <>
      <Header table={table} />
      <main>
        <Search table={table} />
        <Views
          views={[
            { key: 'faults', title: 'Faults', count: table.rows.length, content: <FaultsPanel rows={table.rows} /> },
          ]}
        />
      </main>
    </>
  );
}

function Header({ table }: { table: GeneratedTable }) {
  const { totals, rows, startedAt } = table;
  const tone = { 0: 'good', 1: 'bad', 130: 'open' }[exitOfGenerated(table)];
  return (
    <header class={`page-header ${tone}`}>
      <Eyebrow>cselab, what generators find alone</Eyebrow>
      <h1>{generatedHeadline(table)}</h1>
      <p class="specification">{huntText(table)}</p>
      <VerdictFacts verdicts={generatedVerdicts} counts={totals.verdicts} {...{ of: rows.length, look, startedAt }} />
    </header>
  );
}

/** Search box, and the buttons that narrow the view. */
function Search({ table: { totals } }: { table: GeneratedTable }) {
  return (
    <search class="filters">
      <SearchBox label="Search faults, requirements and requests" hint="Search faults, requirements, requests" />
      <VerdictButtons verdicts={generatedVerdicts} counts={totals.verdicts} {...look} />
    </search>
  );
}

function FaultsPanel({ rows }: { rows: readonly GeneratedRow[] }) {
  return (
    <section data-group>
      {rows.map((row) => (
        <RowView key={row.fault.id} row={row} />
      ))}
    </section>
  );
}

function RowView({ row }: { row: GeneratedRow }) {
  const { fault, verdict, level, trophy } = row;
  const found = [fault.violates, trophy?.requirement ?? '', trophy?.actual ?? '', ...(trophy?.steps ?? [])];
  return (
    <VerdictRow
      {...{ verdict, look, level, id: fault.id, says: fault.says, anchor: fault.id }}
      texts={[fault.id, fault.says, ...found]}
      aside={trophy === undefined ? durationText(row.searched) : counted(trophy.steps.length, 'request')}
    >
      <RowDetails row={row} />
    </VerdictRow>
  );
}

function RowDetails({ row }: { row: GeneratedRow }) {
  const { fault, trophy, reason, dialect, pair, originators } = row;
  const doubt = doubtText(row) ?? reason;
  return (
    <>
      <p class="muted">
        Breaks <code>{fault.violates}</code>. {effortText(row)}, in the dialect {dialect}
        {pair && ', of a pair of CSEs'}
        {originators !== undefined && `, asked by ${originators} originators at the same time`}.
      </p>
      {doubt !== undefined && (
        <p>
          <strong>But:</strong> {visibleText(doubt)}
        </p>
      )}
      {trophy === undefined ? (
        <p>No counterexample was found.</p>
      ) : (
        <>
          <Steps steps={trophy.steps} />
          <dl class="check">
            <dt>Cites</dt>
            <dd>
              <code>{trophy.requirement}</code>
            </dd>
            <dt>Expected</dt>
            <dd>{visibleText(trophy.expected)}</dd>
            <dt>Actual</dt>
            <dd class="actual-bad">{visibleText(trophy.actual)}</dd>
          </dl>
          <p class="muted">
            {counted(trophy.operations.found, 'operation')} at first, {trophy.operations.left} after{' '}
            {counted(trophy.attempts, 'attempt')}. As a scenario:
          </p>
          <pre>{visibleLines(trophy.scenario).join('\n')}</pre>
        </>
      )}
    </>
  );
}
