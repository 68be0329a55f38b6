/** @jsxRuntime automatic @jsxImportSource preact */
/** A document as a page of its own, which asks nothing of any server. */
import type { ComponentChildren } from 'preact';
import { searchText } from '../html/anchor.ts';
import { htmlDocument } from '../html/document.ts';
import { Eyebrow, LevelButtons, SearchBox, VerdictButtons } from '../html/page-parts.tsx';
import { Views } from '../html/views.tsx';
import { visibleLines, visibleText } from '../visible-text.ts';
import { percent } from '../wording.ts';
import {
  type Block,
  blocksOf,
  type Cell,
  type Code,
  type Content,
  type Document,
  type Fact,
  type Fold,
  type Row,
  type StepTold,
  type Table,
  textOf,
  type Words,
} from './model.ts';

export function renderPage(document: Document): string {
  return htmlDocument({ title: document.title, body: <Page document={document} /> });
}

/** Views without content are left out; the first one is shown. */
function Page({ document }: { document: Document }) {
  const { views, search, counts, levels = [], nothing } = document;
  const shown = views.filter(({ count }) => count > 0);
  const narrowing = counts?.each.filter(({ narrows }) => narrows !== false) ?? [];
  return (
    <>
      <Head document={document} />
      <main>
        <search class="filters">
          <SearchBox {...search} />
          <VerdictButtons counts={narrowing} />
          <LevelButtons levels={levels} />
        </search>
        <Views
          views={shown.map(({ key, title, count, isPlain, content }) => ({
            ...{ key, title, count, content: <Told content={content} /> },
            ...(isPlain && { plain: true }),
          }))}
        />
        {shown.length === 0 && nothing !== undefined && <p>{nothing}</p>}
      </main>
    </>
  );
}

function Head({
  document: { kind, alarms = [], headline, tone, lead, intro, facts = [], counts },
}: {
  document: Document;
}) {
  const told = counts?.each.filter(({ count }) => count > 0) ?? [];
  const all: Fact[] = [
    ...facts,
    ...told.map(
      ({ mark, name, count }): Fact => [
        `${mark} ${name}`,
        `${count.toLocaleString('en')}, ${percent(count, counts?.of ?? 0)}`,
      ],
    ),
  ];
  return (
    <header class={`page-header ${tone}`}>
      <Eyebrow>{visibleText(kind)}</Eyebrow>
      <h1>{visibleText([...alarms, headline].join('. '))}</h1>
      {lead.length > 0 && <p class="specification">{visibleText(lead.join(' '))}</p>}
      <Told content={intro} />
      {all.length > 0 && (
        <dl class="facts">
          {all.map(([name, ...lines]) => (
            <div key={name}>
              <dt>{visibleText(name)}</dt>
              {lines.map((words, at) => (
                <dd key={at}>
                  <Said words={words} />
                </dd>
              ))}
            </div>
          ))}
        </dl>
      )}
    </header>
  );
}

function isShown(on: string): boolean {
  return on === 'page' || on === 'verbose';
}

export function Told({ content }: { content: Content }): ComponentChildren {
  return blocksOf(content, isShown).map((block, at) => <BlockView key={at} block={block} />);
}

function BlockView({ block }: { block: Block }): ComponentChildren {
  switch (block.kind) {
    case 'heading':
      return <h4>{visibleText(block.text)}</h4>;
    case 'prose':
      return <Paragraph words={block.words} />;
    case 'facts':
      return <Facts facts={block.facts} />;
    case 'list':
      return <List list={block} />;
    case 'code':
      return <CodeView code={block} />;
    case 'steps':
      return <Steps steps={block.steps} />;
    case 'picture':
      return block.node;
    case 'details':
      return (
        <details class="exchange" open={block.isOpen}>
          <summary>
            <Said words={block.summary} />
          </summary>
          <div class="messages">
            <Told content={block.content} />
          </div>
        </details>
      );
    case 'group':
      return (
        <section {...(!block.isPlain && { 'data-group': true })}>
          <h3>{visibleText(block.title)}</h3>
          <Told content={block.content} />
        </section>
      );
    case 'table':
      return block.signs === undefined ? <PlainTable table={block} /> : <SignTable table={block} />;
    case 'fold':
      return block.isOpen ? <Article fold={block} /> : <FoldView fold={block} />;
    case 'only':
      return <Told content={block} />;
  }
}

function Paragraph({ words }: { words: Words }) {
  const isMuted = typeof words === 'object' && 'text' in words && words.as === 'muted';
  return isMuted ? <p class="muted">{visibleText(words.text)}</p> : <p>{<Said words={words} />}</p>;
}

/** Words of which each looks as it should. */
function Said({ words }: { words: Words }): ComponentChildren {
  if (typeof words === 'string') return visibleText(words);
  if (!('text' in words)) return words.map((one, at) => <Said key={at} words={one} />);
  const { text, as, tone, to } = words;
  const shown = visibleText(text);
  if (to !== undefined) return <a href={`#${to}`}>{as === 'code' ? <code>{shown}</code> : shown}</a>;
  if (as === 'code') return <code>{shown}</code>;
  if (as === 'strong') return <strong>{shown}</strong>;
  if (as === 'badge') return <span class={`badge ${tone}`}>{shown}</span>;
  if (as === 'muted') return <span class="muted">{shown}</span>;
  return tone === undefined ? shown : <span class={`toned ${tone}`}>{shown}</span>;
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="check">
      {facts.map(([label, ...lines]) => (
        <>
          <dt>{visibleText(label)}</dt>
          <dd>
            {lines.map((words, at) => (
              <div key={at}>
                <Said words={words} />
              </div>
            ))}
          </dd>
        </>
      ))}
    </dl>
  );
}

function List({ list: { items, isOrdered, ids } }: { list: Extract<Block, { kind: 'list' }> }) {
  if (ids !== undefined) {
    return (
      <ul class="ids many">
        {items.map((words) => (
          <li key={textOf(words)} data-text={searchText([textOf(words)])} {...(ids !== 'any' && { 'data-level': ids })}>
            <Said words={words} />
          </li>
        ))}
      </ul>
    );
  }
  const each = items.map((words, at) => (
    <li key={at}>
      <Said words={typeof words === 'object' && 'text' in words ? words.text : words} />
    </li>
  ));
  return isOrdered ? <ol>{each}</ol> : <ul class="sentences">{each}</ul>;
}

/** What was sent or answered, or is to be copied. */
function CodeView({ code: { label, text, marked, isCopied } }: { code: Code }) {
  const lines = visibleLines(text);
  const shown = lines.map((line, at) => [at > 0 ? '\n' : '', marked?.has(at) ? <mark>{line}</mark> : line]);
  return (
    <figure class={isCopied ? 'command' : undefined}>
      <figcaption>
        {visibleText(label)}
        {isCopied && (
          <button type="button" class="copy">
            Copy
          </button>
        )}
      </figcaption>
      <pre>{marked === undefined || marked.size === 0 ? lines.join('\n') : shown}</pre>
    </figure>
  );
}

function Steps({ steps }: { steps: readonly StepTold[] }) {
  return (
    <ol class="steps">
      {steps.map(({ anchor, phase, title, content }) => (
        <li key={anchor} id={anchor} tabIndex={-1}>
          <p class="step-title">
            {phase !== '' && <span class="phase">{phase}</span>} {visibleText(title)}
          </p>
          <Told content={content} />
        </li>
      ))}
    </ol>
  );
}

function Article({ fold }: { fold: Fold }) {
  const { id, says, mark, tone = 'quiet', state, narrowedBy = state, level, texts = [], to, content } = fold;
  return (
    <article
      class={`violation ${tone}`}
      data-text={searchText([id, says, ...texts])}
      data-verdict={narrowedBy}
      data-level={level ?? 'documented gap standard'}
    >
      <header>
        {state !== undefined && <Badge {...{ mark, tone, state }} />}
        <h3>{to === undefined ? visibleText(id) : <a href={`#${to}`}>{visibleText(id)}</a>}</h3>
      </header>
      {says !== '' && <p class="says">{visibleText(says)}</p>}
      <Told content={content} />
    </article>
  );
}

function Badge({ mark, tone, state }: Record<'mark' | 'tone' | 'state', string | undefined>) {
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{mark}</span> {state}
    </span>
  );
}

function FoldView({ fold }: { fold: Fold }) {
  const {
    id,
    says,
    mark,
    tone,
    state,
    narrowedBy = state,
    aside = '',
    level,
    levels,
    anchor = id,
    texts = [],
    content,
  } = fold;
  return (
    <details
      class={state === undefined ? 'row plain' : 'row'}
      data-text={searchText([id, says, ...texts])}
      data-verdict={narrowedBy}
      data-level={levels?.join(' ') ?? level}
    >
      <summary {...(anchor !== false && { id: anchor })}>
        {state !== undefined && <Badge {...{ mark, tone, state }} />}
        <span class="subject">
          <code class="id">{visibleText(id)}</code>
          <span class="says">{visibleText(says)}</span>
        </span>
        <span class="aside">{aside}</span>
      </summary>
      <template>
        <Told content={content} />
      </template>
    </details>
  );
}

function PlainTable({ table: { caption, columns, groups } }: { table: Table }) {
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
function SignTable({ table: { columns, groups, signs } }: { table: Table }) {
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
      <span class="told">{visibleText(text === '' || text === 'known' ? `${text} ${more}`.trim() : text)}</span>
    </td>
  );
}
