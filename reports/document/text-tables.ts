/** The tables of a text. */

import { visibleText } from '../facts/wording.ts';
import type { Cell, Table } from './model.ts';
import { cut, dimmed, displayWidth, type Screen, toned, wrap, wrapped } from './screen.ts';

const minNameWidth = 30;

/** Columns of short texts. */
export function tableLines(screen: Screen, { caption, columns, groups }: Table): string[] {
  const nameWidth = Math.max(minNameWidth, ...groups.flatMap(({ rows }) => rows.map(({ id }) => id.length)));
  const line = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(nameWidth)}${cells.map((text, at) => text.padStart((columns[at]?.name.length ?? 0) + 2)).join('')}`.trimEnd();
  return [
    ...(caption === undefined ? [] : [screen.colors.bold(caption)]),
    ...dimmed(screen, [line('', columns.map(columnName))]),
    ...groups.flatMap(({ rows }) => rows.map(({ id, cells }) => line(id, cells.map(cellText)))),
    '',
  ];
}

const nameColumns = 14;

/** Long texts side by side, in columns of equal width. */
export function wideLines(screen: Screen, { columns, groups }: Table, indent: string): string[] {
  const available = screen.columns - indent.length - nameColumns - 3;
  const width = Math.max(Math.floor(available / columns.length) - 2, 12);
  const line = (mark: string, name: string, cells: readonly string[]) => {
    const columnsText = cells.map((text) => `  ${padded(cut(visibleText(text), width), width)}`).join('');
    return `${indent} ${mark} ${padded(cut(visibleText(name), nameColumns), nameColumns)}${columnsText}`.trimEnd();
  };
  const lines = groups.flatMap(({ rows }) =>
    rows.map(({ id, mark = '', cells }) => {
      const text = line(mark.padEnd(1), id, cells.map(cellText));
      return mark === '' ? text : screen.colors.yellow(text);
    }),
  );
  return [line(' ', '', columns.map(columnName)), ...lines];
}

const columnName = ({ name }: Table['columns'][number]): string => name;
const cellText = (cell: Cell | undefined): string => cell?.text ?? '';

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(width - displayWidth(text), 0));

/** Signs and their meaning; each stays on one line. */
export function legendLines(
  screen: Screen,
  entries: ReadonlyArray<readonly [mark: string, word: string, ...unknown[]]>,
) {
  const legend = entries.map(([mark, word]) => `${mark} ${word}`.replaceAll(' ', '\u00a0')).join('   ');
  return dimmed(screen, wrap(legend, screen.columns, '  ')).map((line) => line.replaceAll('\u00a0', ' '));
}

/** A sign for each column, then the row's name; texts of cells only if they differ. */
export function signLines(screen: Screen, { columns, groups, signs }: Table): string[] {
  const indent = ' '.repeat(3 + columns.length * 2);
  return [
    screen.colors.bold(`  ${columns.map(({ name }) => name.padEnd(2)).join('')} requirement`),
    ...legendLines(screen, signs?.legend ?? []),
    '',
    ...groups.flatMap(({ title = '', rows }) => [
      ...wrapped(screen, title, '').map(screen.colors.bold),
      ...rows.flatMap(({ id, cells }) => {
        const marks = cells.map((cell) => `${toned(screen, cell?.tone)(cell?.mark ?? ' ')} `);
        const texts = cells.map(cellText);
        const differing =
          new Set(texts).size < 2
            ? []
            : texts.flatMap((text, at) =>
                text === '' ? [] : wrapped(screen, text, `${indent}${columns[at]?.name}: `),
              );
        return [`  ${marks.join('')} ${id}`, ...dimmed(screen, differing)];
      }),
      '',
    ]),
  ];
}
