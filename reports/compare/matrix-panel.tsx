/** @jsxRuntime automatic @jsxImportSource preact */
import { searchText } from '../html/anchor.ts';
import { toneOf } from '../html/badge.tsx';
import { visibleText } from '../visible-text.ts';
import { marks } from '../wording.ts';
import type { Column } from './columns.ts';
import { gapText } from './compare-words.ts';
import { hasDetails } from './details-panel.tsx';
import type { Cell, Matrix, MatrixRow } from './matrix.ts';

interface Props {
  sections: Matrix['sections'];
  columns: readonly Column[];
  /** What is done is said in full. */
  wide?: boolean;
}

/** Requirements by targets. The first column and the head stay while the table scrolls. */
export function MatrixPanel({ sections, columns, wide = false }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
    <section class="scroll" tabIndex={0} aria-label="Requirements by targets">
      <table class={wide ? 'matrix wide' : 'matrix'}>
        <thead>
          <tr>
            <th scope="col">Requirement</th>
            {columns.map(({ letter, label }) => (
              <th key={letter} scope="col">
                <span class="letter">{letter}</span> {visibleText(label)}
              </th>
            ))}
          </tr>
        </thead>
        {sections.map(({ section, rows }) => (
          <tbody key={section} data-group>
            <tr class="section">
              <th scope="rowgroup" colSpan={columns.length + 1}>
                <span>{visibleText(section)}</span>
              </th>
            </tr>
            {rows.map((row) => (
              <Row key={row.requirement.id} row={row} wide={wide} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function Row({ row, wide }: { row: MatrixRow; wide: boolean }) {
  const { requirement, cells } = row;
  const { id, says, section, level } = requirement;
  const found = searchText([
    id,
    says,
    section,
    ...cells.flatMap((cell) => [...(cell?.does ?? []), ...(cell?.variants ?? [])]),
  ]);
  return (
    <tr data-text={found} data-level={level}>
      <th scope="row">
        {hasDetails(row) ? (
          <a href={`#${id}`}>
            <code>{id}</code>
          </a>
        ) : (
          <code>{id}</code>
        )}
        <div class="says">{visibleText(says)}</div>
      </th>
      {cells.map((cell, index) => (
        <CellView key={index} cell={cell} wide={wide} />
      ))}
    </tr>
  );
}

function CellView({ cell, wide }: { cell: Cell | undefined; wide: boolean }) {
  if (cell === undefined) return <td class="quiet">not in the report</td>;
  const { verdict, known, variants, does } = cell;
  const told = wide ? gapText(cell) : variants.length > 0 ? variants.join(', ') : does.join('; ');
  return (
    <td class={toneOf(verdict)}>
      <span class="sign" title={verdict}>
        <span aria-hidden="true">{marks[verdict]}</span> <span class="visually-hidden">{verdict}</span>
      </span>
      {known && <span class="muted">known </span>}
      <span class="told">{visibleText(told)}</span>
    </td>
  );
}
