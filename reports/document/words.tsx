/** @jsxRuntime automatic @jsxImportSource preact */
/** The textual parts of a page: sentences, facts, lists, messages. */
import type { ComponentChildren } from 'preact';
import { Badge, Verbatim } from '../../sim/web/parts.tsx';
import { visibleLines, visibleText } from '../facts/wording.ts';
import { isMuted } from './by-kind.ts';
import {
  type Cell,
  type Code,
  type DocumentBlock,
  type Fact,
  type Row,
  type Table,
  textOf,
  type Words,
} from './model.ts';

export function Paragraph({ words }: { words: Words }) {
  return (
    <p class={isMuted(words) ? 'muted' : undefined}>
      <InlineText words={words} isIn={isMuted(words) ? 'muted' : undefined} />
    </p>
  );
}

/** Styled words; `isIn`: the style of the surrounding element. */
export function InlineText({ words, isIn }: { words: Words; isIn?: 'muted' | undefined }): ComponentChildren {
  if (typeof words === 'string') return visibleText(words);
  if (!('text' in words)) return words.map((one, at) => <InlineText key={at} words={one} isIn={isIn} />);
  const { text, as, tone, to, url } = words;
  const visible = visibleText(text);
  if (url !== undefined) return <a {...{ href: url, rel: 'noreferrer' }}>{visible}</a>;
  if (to !== undefined) return <a href={`#${to}`}>{as === 'code' ? <code>{visible}</code> : visible}</a>;
  if (as !== undefined && as === isIn) return visible;
  if (as === 'code') return <code>{visible}</code>;
  if (as === 'strong') return <strong>{visible}</strong>;
  if (as === 'badge') return <Badge tone={tone}>{visible}</Badge>;
  if (as === 'muted') return <span class="muted">{visible}</span>;
  return tone === undefined ? visible : <span class={`toned ${tone}`}>{visible}</span>;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="check">
      {facts.map(([label, ...lines]) => (
        <>
          <dt>{visibleText(label)}</dt>
          <dd>
            {lines.map((words, at) => (
              <div key={at}>
                <InlineText words={words} />
              </div>
            ))}
          </dd>
        </>
      ))}
    </dl>
  );
}

export function List({ list: { items, isOrdered, isIndex, ids } }: { list: Extract<DocumentBlock, { kind: 'list' }> }) {
  if (ids !== undefined) {
    return (
      <ul class="ids many">
        {items.map((words) => (
          <li key={textOf(words)} data-level={ids === 'any' ? undefined : ids}>
            <InlineText words={words} />
          </li>
        ))}
      </ul>
    );
  }
  const each = items.map((words, at) => (
    <li key={at}>
      <InlineText words={typeof words === 'object' && 'text' in words ? words.text : words} />
    </li>
  ));
  return isOrdered ? <ol class={isIndex ? 'index' : undefined}>{each}</ol> : <ul class="sentences">{each}</ul>;
}

/** Lines above which a text scrolls on a narrow screen, and so needs keyboard focus. */
const [highest, narrow] = [20, 40];

/** A message, or text to copy. */
export function CodeView({ code: { label, text, marked, isCopied } }: { code: Code }) {
  const lines = visibleLines(text);
  const height = lines.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / narrow)), 0);
  const markedLines = lines.map((line, at) => [at > 0 ? '\n' : '', marked?.has(at) ? <mark>{line}</mark> : line]);
  return (
    <Verbatim
      name={visibleText(label)}
      class={isCopied ? 'command' : undefined}
      aside={isCopied && <Copy />}
      {...(height > highest && { tabIndex: 0 })}
    >
      {marked === undefined ? lines.join('\n') : markedLines}
    </Verbatim>
  );
}

function Copy() {
  return (
    <button type="button" class="copy">
      Copy
    </button>
  );
}

export function PlainTable({ table: { caption, columns, groups } }: { table: Table }) {
  return (
    <table class="figures">
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          <td />
          {columns.map(({ name }) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      {groups.map(({ rows }, at) => (
        <tbody key={at}>
          {rows.map(({ id, cells }) => (
            <tr key={id}>
              <th scope="row">{visibleText(id)}</th>
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

/** First column and head stay in place while the table scrolls. */
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
                <SignRow key={row.id} row={row} columns={columns} />
              ))}
            </tbody>
          ))}
        </table>
      </section>
    </>
  );
}

function SignRow({ row: { id, says = '', leads, level, cells }, columns }: { row: Row } & Pick<Table, 'columns'>) {
  return (
    <tr data-level={level}>
      <th scope="row">
        <InlineText words={{ text: id, as: 'code', ...(leads && { to: id }) }} />
        <div class="says">{visibleText(says)}</div>
      </th>
      {cells.map((cell, at) => (
        <SignCell key={at} cell={cell} name={columns[at]?.name} />
      ))}
    </tr>
  );
}

function SignCell({ cell, name }: { cell: Cell | undefined; name: string | undefined }) {
  if (cell === undefined) {
    return (
      <td class="quiet" data-label={name}>
        not in the report
      </td>
    );
  }
  const { mark, tone, state, text, more = '' } = cell;
  return (
    <td class={tone} data-label={name}>
      <span class="sign" title={state}>
        <span aria-hidden="true">{mark}</span> <span class="visually-hidden">{state}</span>
      </span>
      <span class="told">{visibleText(`${text} ${more}`.trim())}</span>
    </td>
  );
}
