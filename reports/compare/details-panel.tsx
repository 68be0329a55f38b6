/** @jsxRuntime automatic @jsxImportSource preact */
import { type Evidence, placeText } from '../evidence.ts';
import { searchText } from '../html/anchor.ts';
import { Badge } from '../html/badge.tsx';
import { CheckView } from '../html/check-view.tsx';
import { ExchangeView, ReceivedViews, TriggerView } from '../html/exchange-view.tsx';
import { visibleText } from '../visible-text.ts';
import { triggerOf } from '../waiting.ts';
import type { Column } from './columns.ts';
import type { Cell, MatrixRow } from './matrix.ts';

/** Different behaviours of one target that are shown in full. */
const mostShown = 3;

export function hasDetails({ cells }: MatrixRow): boolean {
  return cells.some((cell) => cell !== undefined && (cell.evidence.length > 0 || cell.reason !== undefined));
}

/** Each requirement with what every target did about it, folded. */
export function DetailsPanel({ rows, columns }: { rows: readonly MatrixRow[]; columns: readonly Column[] }) {
  return (
    <>
      {rows.map((row) => (
        <Details key={row.requirement.id} row={row} columns={columns} />
      ))}
    </>
  );
}

function Details({ row: { requirement, cells }, columns }: { row: MatrixRow; columns: readonly Column[] }) {
  const { id, says, section, source, level } = requirement;
  const found = searchText([id, says, section, ...cells.flatMap((cell) => cell?.does ?? [])]);
  return (
    <details class="row compared" data-text={found} data-level={level}>
      <summary id={id}>
        <span class="subject">
          <code class="id">{id}</code>
          <span class="says">{visibleText(says)}</span>
        </span>
        <span class="aside" />
      </summary>
      <template>
        <p class="muted">
          {visibleText(section)}, {visibleText(source)}
        </p>
        {columns.map(({ letter, label }, index) => (
          <TargetDetails key={letter} heading={`${letter} ${label}`} cell={cells[index]} />
        ))}
      </template>
    </details>
  );
}

function TargetDetails({ heading, cell }: { heading: string; cell: Cell | undefined }) {
  return (
    <section class="target">
      <h3>
        {visibleText(heading)} {cell !== undefined && <Badge state={cell.verdict} />}
      </h3>
      {cell === undefined && <p>Its report does not know this requirement.</p>}
      {cell?.reason !== undefined && (
        <p>
          <strong>Why:</strong> {visibleText(cell.reason)}
        </p>
      )}
      {cell?.variants.length !== undefined && cell.variants.length > 0 && (
        <p>{visibleText(cell.variants.join(', '))}</p>
      )}
      {cell?.evidence.slice(0, mostShown).map((evidence) => (
        <EvidenceView key={evidence.check.actual} evidence={evidence} />
      ))}
    </section>
  );
}

/** One check: expected and actual, where, and what was sent and answered. */
export function EvidenceView({ evidence }: { evidence: Evidence }) {
  const { check, scenario, step, stepNumber } = evidence;
  const trigger = triggerOf(scenario, step);
  return (
    <>
      <CheckView check={check} />
      <p>
        {visibleText(scenario.title)}, step {stepNumber} <code class="muted">{placeText(check)}</code>
      </p>
      <ReceivedViews step={step} trigger={trigger} />
      {trigger !== undefined && <TriggerView trigger={trigger} />}
      {step.exchange !== undefined && <ExchangeView exchange={step.exchange} open={false} />}
    </>
  );
}
