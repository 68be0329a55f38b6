/** @jsxRuntime automatic @jsxImportSource preact */
/** The blocks of a page. */

import { type ComponentChildren, createContext, Fragment } from 'preact';
import { useContext } from 'preact/hooks';
import { Badge } from '../../sim/web/parts.tsx';
import { visibleText } from '../facts/wording.ts';
import { type ByKind, blocksOf, byKind } from './by-kind.ts';
import type { Content, DocumentStep, Fold } from './model.ts';
import { CodeView, Facts, InlineText, List, Paragraph, PlainTable, SignTable } from './words.tsx';

/** Whether there are several levels to filter by. */
export const Levels = createContext(true);
/** The element of a heading below that of the view or block. */
const Heading = createContext<'h3' | 'h4'>('h3');

const isVisible = (on: string): boolean => on === 'page' || on === 'verbose';

export function Blocks({ content }: { content: Content }): ComponentChildren {
  return blocksOf(content, isVisible).map((block, at) => <Fragment key={at}>{byKind(views, block)}</Fragment>);
}

const views: ByKind<[], ComponentChildren> = {
  heading: ({ text }) => (
    <Heading.Consumer>{(Level) => <Level class="heading">{visibleText(text)}</Level>}</Heading.Consumer>
  ),
  prose: ({ words }) => <Paragraph words={words} />,
  facts: ({ facts }) => <Facts facts={facts} />,
  list: (block) => <List list={block} />,
  code: (block) => <CodeView code={block} />,
  steps: ({ steps }) => <Steps steps={steps} />,
  picture: ({ node }) => node,
  details: ({ isOpen, summary, content }) => (
    <details class="exchange" open={isOpen}>
      <summary>
        <InlineText words={summary} />
      </summary>
      <div class="messages">
        <Blocks content={content} />
      </div>
    </details>
  ),
  group: ({ isPlain, title, content }) =>
    isPlain ? (
      <section>
        <h3>{visibleText(title)}</h3>
        <Below content={content} />
      </section>
    ) : (
      <details class="group" data-group={hasFailed(content) ? 'open' : ''} open={hasFailed(content)}>
        <summary>
          <h3>{visibleText(title)}</h3> <span class="count">{blocksOf(content, isVisible).length}</span>
        </summary>
        <Below content={content} />
      </details>
    ),
  table: (block) => (block.signs === undefined ? <PlainTable table={block} /> : <SignTable table={block} />),
  fold: (block) => (block.isOpen ? <Article fold={block} /> : <FoldView fold={block} />),
};

/** Content below its own heading. */
const Below = ({ content }: { content: Content }) => (
  <Heading.Provider value="h4">
    <Blocks content={content} />
  </Heading.Provider>
);

/** A section is closed if nothing in it failed. */
const hasFailed = (content: Content) =>
  blocksOf(content, isVisible).some((one) => 'tone' in one && (one.tone === 'bad' || one.tone === 'fault'));

/** The script of the page gives each an id: that of its fold, and the number. */
function Steps({ steps }: { steps: readonly DocumentStep[] }) {
  return (
    <ol class="steps">
      {steps.map(({ number, phase, title, content }) => (
        <li key={number} value={number} tabIndex={-1}>
          <p class="step-title">
            {phase !== '' && <span class="phase">{phase}</span>} {visibleText(title)}
          </p>
          <Blocks content={content} />
        </li>
      ))}
    </ol>
  );
}

function Article({ fold }: { fold: Fold }) {
  const { id, says, mark, tone = 'quiet', state, narrowedBy, level, to, anchor, content } = fold;
  return (
    <article
      class={`violation ${tone}`}
      id={anchor || undefined}
      tabIndex={anchor ? -1 : undefined}
      data-verdict={narrowedBy}
      data-level={level ?? 'documented gap standard'}
    >
      <header>
        {state !== undefined && <Badge {...{ mark, tone }}>{state}</Badge>}
        <h3>{to === undefined ? visibleText(id) : <a href={`#${to}`}>{visibleText(id)}</a>}</h3>
      </header>
      {says !== '' && <p class="says">{visibleText(says)}</p>}
      <Below content={content} />
    </article>
  );
}

function FoldView({ fold }: { fold: Fold }) {
  const { id, says, mark, tone, state, narrowedBy, aside = '', content } = fold;
  const { level, levels, anchor = id } = fold;
  return (
    <details
      class={state === undefined ? 'row plain' : 'row'}
      data-verdict={narrowedBy === state ? undefined : narrowedBy}
      data-level={useContext(Levels) ? (levels?.join(' ') ?? level) : undefined}
    >
      <summary id={anchor || undefined}>
        {state !== undefined && <Badge {...{ mark, tone }}>{state}</Badge>}
        <code>{visibleText(id)}</code>
        <span>{visibleText(says)}</span>
        <i>{aside}</i>
      </summary>
      <template>
        <Blocks content={content} />
      </template>
    </details>
  );
}
