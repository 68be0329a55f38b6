/** @jsxRuntime automatic @jsxImportSource preact */
/** The tables of a page. */
import { searchText } from '../html/anchor.ts';
import { visibleText } from '../visible-text.ts';
import type { Cell, Row, Table } from './model.ts';
import { Said } from './words.tsx';

export function PlainTable({ table: { caption, columns, groups } }: { table: Table }) {
  return (
    <table class="figures">
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          <th />
          {columns.map(({ name }) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      {groups.map(({ rows }, at) => (
        <tbody key={at}>
          {rows.map(({ id, cells }) => (
            <tr key={id}>
              <th>{visibleText(id)}</th>
              {cells.map((cell, column) => (
                <td key={column} data-label={columns[column]?.name}>
                  {visibleText(cell?.text ?? '')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** The first column and the head stay while the table scrolls. */
export function SignTable({ table: { columns, groups, signs } }: { table: Table }) {
  return (
    <>
      <ul class="legend" aria-label="Signs">
        {signs?.legend.map(([mark, word, tone]) => (
          <li key={word} class={tone}>
            <span aria-hidden="true">{mark}</span> {word}
          </li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Requirements by targets">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Requirement</th>
              {columns.map(({ name, label = '' }) => (
                <th key={name} scope="col">
                  <span class="letter">{name}</span> {visibleText(label)}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(({ title = '', rows }) => (
            <tbody key={title} data-group>
              <tr class="section">
                <th scope="rowgroup" colSpan={columns.length + 1}>
                  <span>{visibleText(title)}</span>
                </th>
              </tr>
              {rows.map((row) => (
                <SignRow key={row.id} row={row} />
              ))}
            </tbody>
          ))}
        </table>
      </section>
    </>
  );
}

function SignRow({ row: { id, says = '', leads, level, texts = [], cells } }: { row: Row }) {
  return (
    <tr data-text={searchText([id, says, ...texts])} data-level={level}>
      <th scope="row">
        <Said words={{ text: id, as: 'code', ...(leads && { to: id }) }} />
        <div class="says">{visibleText(says)}</div>
      </th>
      {cells.map((cell, at) => (
        <SignCell key={at} cell={cell} />
      ))}
    </tr>
  );
}

function SignCell({ cell }: { cell: Cell | undefined }) {
  if (cell === undefined) return <td class="quiet">not in the report</td>;
  const { mark, tone, state, text, more = '' } = cell;
  return (
    <td class={tone}>
      <span class="sign" title={state}>
        <span aria-hidden="true">{mark}</span> <span class="visually-hidden">{state}</span>
      </span>
      <span class="told">{visibleText(`${text} ${more}`.trim())}</span>
    </td>
  );
}
