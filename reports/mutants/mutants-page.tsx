/** @jsxRuntime automatic @jsxImportSource preact */
import { exitOf, type KillTable, killVerdicts } from '../../scenarios/index.ts';
import { searchText } from '../html/anchor.ts';
import { Eyebrow, Fact, LevelButtons, SearchBox, VerdictButtons } from '../html/page-parts.tsx';
import { type View, Views } from '../html/views.tsx';
import { visibleText } from '../visible-text.ts';
import { levelWords } from '../wording.ts';
import { FaultsPanel, look } from './faults-panel.tsx';
import {
  breadthText,
  choiceText,
  generatorsText,
  headlineOf,
  isRemarkable,
  percent,
  timeText,
} from './mutants-words.ts';
import { VerdictFacts } from './verdict-parts.tsx';

/** The body of the page. Views without content are left out; the first one is shown. */
export function MutantsPage({ table }: { table: KillTable }) {
  const views = viewsOf(table).filter(({ count }) => count > 0);
  return (
    <>
      <Header table={table} />
      <main>
        <Search table={table} />
        <Views views={views} />
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
      <Eyebrow>cselab, kill table of the harness</Eyebrow>
      <h1>{headlineOf(table)}</h1>
      <p class="specification">{breadthText(table)}</p>
      <VerdictFacts verdicts={killVerdicts} counts={totals.verdicts} {...{ of: rows.length, look, startedAt }}>
        <Fact name="Took" value={timeText(table)} />
        <Fact name="≈ noisy" value={`${totals.noisy.toLocaleString('en')}, ${percent(totals.noisy, rows.length)}`} />
        {choice !== undefined && <Fact name="Chosen" value={choice} />}
      </VerdictFacts>
    </header>
  );
}

/** Search box, and the buttons that narrow every view. */
function Search({ table: { rows, totals } }: { table: KillTable }) {
  return (
    <search class="filters">
      <SearchBox label="Search faults, requirements and what was found" hint="Search faults, requirements, answers" />
      <VerdictButtons verdicts={killVerdicts} counts={totals.verdicts} {...look} />
      <LevelButtons levels={rows.map(({ level }) => level)} />
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
