/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { exitOf, type KillTable, killVerdicts } from '../../scenarios/index.ts';
import { searchText } from '../html/anchor.ts';
import { visibleText } from '../visible-text.ts';
import { levelWords } from '../wording.ts';
import { FaultsPanel, tones } from './faults-panel.tsx';
import {
  breadthText,
  choiceText,
  generatorsText,
  headlineOf,
  isRemarkable,
  killMarks,
  percent,
  timeText,
} from './mutants-words.ts';

interface View {
  readonly key: string;
  readonly title: string;
  readonly count: number;
  readonly content: ComponentChildren;
}

/** The body of the page. Views without content are left out; the first one is shown. */
export function MutantsPage({ table }: { table: KillTable }) {
  const views = viewsOf(table).filter(({ count }) => count > 0);
  return (
    <>
      <Header table={table} />
      <main>
        <Search table={table} />
        <div role="tablist" aria-label="Views">
          {views.map(({ key, title, count }, index) => (
            <button
              key={key}
              type="button"
              role="tab"
              id={`tab-${key}`}
              aria-controls={`view-${key}`}
              aria-selected={index === 0}
              tabIndex={index === 0 ? 0 : -1}
            >
              {title} <span class="count">{count}</span>
            </button>
          ))}
        </div>
        <p id="matches" class="visually-hidden" role="status" />
        {views.map(({ key, content, title }, index) => (
          <section key={key} role="tabpanel" id={`view-${key}`} aria-labelledby={`tab-${key}`} hidden={index !== 0}>
            <h2 class="visually-hidden">{title}</h2>
            {content}
            <p class="nothing" hidden>
              Nothing here matches the search and filters. <button type="button">Show everything</button>
            </p>
          </section>
        ))}
        {views.length === 0 && <p>No fault was judged.</p>}
      </main>
    </>
  );
}

function viewsOf(table: KillTable): View[] {
  const { rows, levels, leftToGenerators } = table;
  const remarkable = rows.filter(isRemarkable);
  const unbroken = levels.flatMap((level) => level.unbroken);
  return [
    {
      key: 'remarkable',
      title: 'To look at',
      count: remarkable.length,
      content: <FaultsPanel rows={remarkable} anchors={false} />,
    },
    { key: 'faults', title: 'All faults', count: rows.length, content: <FaultsPanel rows={rows} anchors /> },
    {
      key: 'generators',
      title: 'Left to generators',
      count: leftToGenerators.length,
      content: <GeneratorsPanel table={table} />,
    },
    { key: 'unbroken', title: 'Without a fault', count: unbroken.length, content: <UnbrokenPanel levels={levels} /> },
  ];
}

function Header({ table }: { table: KillTable }) {
  const { totals, rows, startedAt } = table;
  const code = exitOf(table);
  const tone = code === 0 ? 'good' : code === 1 ? 'bad' : 'open';
  const choice = choiceText(table);
  return (
    <header class={`page-header ${tone}`}>
      <div class="eyebrow">
        <span>cselab, kill table of the harness</span>
        <button type="button" id="theme" aria-label="Switch between light and dark">
          <span aria-hidden="true">◐</span>
        </button>
      </div>
      <h1>{headlineOf(table)}</h1>
      <p class="specification">{breadthText(table)}</p>
      <dl class="facts">
        <Fact name="Started" value={`${startedAt.slice(0, 19).replace('T', ' ')} UTC`} />
        <Fact name="Took" value={timeText(table)} />
        {killVerdicts
          .filter((verdict) => totals.verdicts[verdict] > 0)
          .map((verdict) => (
            <Fact
              key={verdict}
              name={`${killMarks[verdict]} ${verdict}`}
              value={`${totals.verdicts[verdict].toLocaleString('en')}, ${percent(totals.verdicts[verdict], rows.length)}`}
            />
          ))}
        <Fact name="≈ noisy" value={`${totals.noisy.toLocaleString('en')}, ${percent(totals.noisy, rows.length)}`} />
        {choice !== undefined && <Fact name="Chosen" value={choice} />}
      </dl>
    </header>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{visibleText(value)}</dd>
    </div>
  );
}

/** Search box, and the buttons that narrow every view. No button pressed means everything. */
function Search({ table: { rows, totals } }: { table: KillTable }) {
  const levels = [...new Set(rows.map(({ level }) => level))];
  return (
    <search class="filters">
      <label class="search">
        <span class="visually-hidden">Search faults, requirements and what was found</span>
        <input id="search" type="search" placeholder="Search faults, requirements, answers" autocomplete="off" />
      </label>
      <fieldset>
        <legend class="visually-hidden">Verdict</legend>
        {killVerdicts
          .filter((verdict) => totals.verdicts[verdict] > 0)
          .map((verdict) => (
            <button
              key={verdict}
              type="button"
              class={tones[verdict]}
              data-filter-verdict={verdict}
              aria-pressed="false"
            >
              <span aria-hidden="true">{killMarks[verdict]}</span> {totals.verdicts[verdict].toLocaleString('en')}{' '}
              {verdict}
            </button>
          ))}
      </fieldset>
      {levels.length > 1 && (
        <fieldset>
          <legend class="visually-hidden">Level</legend>
          {levels.map((level) => (
            <button key={level} type="button" class="quiet" data-filter-level={level} aria-pressed="false">
              {levelWords[level]}
            </button>
          ))}
        </fieldset>
      )}
    </search>
  );
}

function GeneratorsPanel({ table }: { table: KillTable }) {
  return (
    <section data-group>
      <h3>{generatorsText(table)}</h3>
      <ul class="ids left">
        {table.leftToGenerators.map(({ id, violates, says }) => (
          <li key={id} data-text={searchText([id, violates, says])}>
            <code>{id}</code> {visibleText(says)} <code class="muted">{violates}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function UnbrokenPanel({ levels }: { levels: KillTable['levels'] }) {
  return (
    <>
      {levels
        .filter(({ unbroken }) => unbroken.length > 0)
        .map(({ level, testable, unbroken }) => (
          <section key={level} data-group>
            <h3>
              {levelWords[level]}: {percent(testable - unbroken.length, testable)} of {testable.toLocaleString('en')}{' '}
              testable requirements have a fault that breaks them
            </h3>
            <ul class="ids unbroken">
              {unbroken.map((id) => (
                <li key={id} data-text={id} data-level={level}>
                  <code>{id}</code>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </>
  );
}
