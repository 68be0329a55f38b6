/** @jsxRuntime automatic @jsxImportSource preact */
/** A document as a self-contained page. */

import { h } from 'preact';
import { Tab } from '../../sim/web/parts.tsx';
import { levelWords, percent, visibleText } from '../facts/wording.ts';
import { htmlDocument } from '../html/document.ts';
import { Blocks, Levels } from './blocks.tsx';
import type { Count, Document, Fact, View } from './model.ts';
import { InlineText } from './words.tsx';

export function renderPage(document: Document): string {
  const page = (
    <Levels.Provider value={new Set(document.levels).size > 1}>
      <Page document={document} />
    </Levels.Provider>
  );
  return htmlDocument(document.title, page);
}

/** Views without content are left out; the first one is shown. */
function Page({ document }: { document: Document }) {
  const { views, search, counts, levels = [], nothing } = document;
  const visible = views.filter(({ count }) => count > 0);
  return (
    <>
      <Head document={document} />
      <main>
        <search class="filters">
          <label class="search">
            <span class="visually-hidden">{search.label}</span>
            <input id="search" type="search" placeholder={search.hint} autocomplete="off" />
          </label>
          {!counts?.isBar && <VerdictButtons counts={counts?.each.filter(({ narrows }) => narrows !== false) ?? []} />}
          <LevelButtons levels={levels} />
        </search>
        <div role="tablist" aria-label="Views">
          {visible.map((view, at) => (
            <Tab key={view.key} id={view.key} panel={`view-${view.key}`} isSelected={at === 0}>
              {view.title} {!view.isPlain && <span class="count">{view.count}</span>}
            </Tab>
          ))}
        </div>
        <p id="matches" class="visually-hidden" role="status" />
        {visible.map((view, at) => (
          <Panel key={view.key} view={view} isFirst={at === 0} />
        ))}
        {visible.length === 0 && nothing !== undefined && <p>{nothing}</p>}
      </main>
    </>
  );
}

function Panel({ view: { key, title, isPlain, isPacked, content }, isFirst }: { view: View; isFirst: boolean }) {
  return (
    <section role="tabpanel" id={`view-${key}`} aria-labelledby={`tab-${key}`} hidden={!isFirst}>
      <h2 class="visually-hidden">{title}</h2>
      {isPacked ? h('x-packed', {}, <Blocks content={content} />) : <Blocks content={content} />}
      {!isPlain && (
        <p class="nothing" hidden>
          Nothing here matches the search and filters. <button type="button">Show everything</button>
        </p>
      )}
    </section>
  );
}

function Head({ document }: { document: Document }) {
  const { kind, alarms = [], headline, tone, lead, intro, facts = [], counts } = document;
  const present = counts?.each.filter(({ count }) => count > 0) ?? [];
  const counted = present.map(({ mark, name, count }): Fact => {
    return [`${mark} ${name}`, `${count.toLocaleString('en')}, ${percent(count, counts?.of ?? 0)}`];
  });
  return (
    <header class={`page-header ${tone}`}>
      <div class="eyebrow">
        <span>{visibleText(kind)}</span>
        <button type="button" id="theme" aria-label="Switch between light and dark">
          <span aria-hidden="true">◐</span>
        </button>
      </div>
      {alarms.map((alarm) => (
        <p key={alarm}>
          <strong>{visibleText(alarm)}</strong>
        </p>
      ))}
      <h1>{visibleText(headline)}</h1>
      <Blocks content={intro} />
      {lead.length > 0 && <p class="specification">{visibleText(lead.join(' '))}</p>}
      <HeadFacts facts={counts?.isBar ? facts : [...facts, ...counted]} />
      {counts?.isBar && (
        <>
          <Bar counts={counts} />
          <VerdictButtons counts={counts.each} />
        </>
      )}
    </header>
  );
}

/** Facts of several lines take the whole width. */
function HeadFacts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(([name, ...lines]) => (
        <div key={name} class={lines.length > 1 ? 'wide' : undefined}>
          <dt>{visibleText(name)}</dt>
          {lines.map((words, at) => (
            <dd key={at}>
              <InlineText words={words} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** The counts as one bar. The buttons below are its legend. */
function Bar({ counts: { title, each } }: { counts: NonNullable<Document['counts']> }) {
  const total = each.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  let start = 0;
  const parts = each.map((one) => {
    const part = { ...one, x: (start / total) * 100, width: (one.count / total) * 100 };
    start += one.count;
    return part;
  });
  return (
    <svg class="proportions" role="img" aria-label={title}>
      {parts.map(({ name, tone, count, x, width }) => (
        <rect key={name} class={tone} x={`${x}%`} width={`${width}%`} height="100%">
          <title>{`${count} ${name}`}</title>
        </rect>
      ))}
    </svg>
  );
}

/** Buttons that filter every view by the verdicts present. No button pressed means everything. */
function VerdictButtons({ counts }: { counts: readonly Count[] }) {
  const present = counts.filter(({ count }) => count > 0);
  const each = present.map(({ name, mark, tone, count }) => {
    return { name, tone, says: `${mark} ${count.toLocaleString('en')} ${name}` };
  });
  return each.length > 0 && <FilterButtons kind="verdict" title="Verdict" each={each} />;
}

/** The same by level, if there are several. */
function LevelButtons({ levels }: { levels: Iterable<keyof typeof levelWords> }) {
  const each = [...new Set(levels)].map((name) => ({ name, tone: 'quiet', says: levelWords[name] }));
  return each.length > 1 && <FilterButtons kind="level" title="Level" each={each} />;
}

interface FilterProps {
  readonly kind: 'verdict' | 'level';
  readonly title: string;
  readonly each: ReadonlyArray<{ readonly name: string; readonly tone: string; readonly says: string }>;
}

const FilterButtons = ({ kind, title, each }: FilterProps) => (
  <fieldset>
    <legend class="visually-hidden">{title}</legend>
    {each.map(({ name, tone, says }) => (
      <button key={name} type="button" class={tone} {...{ [`data-filter-${kind}`]: name }} aria-pressed="false">
        {says}
      </button>
    ))}
  </fieldset>
);
