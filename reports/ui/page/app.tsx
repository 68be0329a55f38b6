/** The page as a whole: what can be run, and what came of it. */
import { render } from 'preact';
import { drawnBy, redraw } from '../../../sim/web/page/frames.ts';
import { Badge, Tab } from '../../../sim/web/parts.tsx';
import {
  attempt,
  causes,
  go,
  keepKnown,
  listed,
  listen,
  run,
  type Shown,
  save,
  state,
  stop,
  type View,
} from './state.ts';

function Page() {
  return (
    <div class="ui">
      <Head />
      <p class="told" role="status">
        {state.notice}
      </p>
      {state.problem !== '' && (
        <div class="problem bad" role="alert">
          <pre>{state.problem}</pre>
          <button type="button" onClick={() => put({ problem: '' })}>
            Close
          </button>
        </div>
      )}
      <main>
        <Choice />
        <Outcome />
      </main>
    </div>
  );
}

function put(changes: Partial<typeof state>): void {
  Object.assign(state, changes);
  redraw();
}

const connections = { connecting: 'connecting', live: 'live', lost: 'connection lost, trying again' };

function Head() {
  const { connection, underWay } = state;
  const marked = state.marked.size;
  return (
    <header class="page-head">
      <h1>
        cselab <span class="muted">check</span>
      </h1>
      <Badge tone={connection === 'live' ? 'good' : 'bad'}>{connections[connection]}</Badge>
      {underWay !== null && (
        <label class="progress">
          <progress max={Math.max(underWay.planned, 1)} value={underWay.finished} />
          {underWay.finished} of {underWay.planned}
        </label>
      )}
      <span class="spring" />
      <label>
        <input type="checkbox" checked={state.isRepeated} onChange={() => put({ isRepeated: !state.isRepeated })} />
        Run again when a file changes
      </label>
      {underWay === null ? (
        <>
          <button type="button" class="main" onClick={() => attempt(() => run([...state.marked]))}>
            {marked > 0 ? `Run ${marked} marked` : 'Run all'}
          </button>
          <button
            type="button"
            disabled={listed().length === 0}
            onClick={() => attempt(() => run(listed().map(({ id }) => id)))}
          >
            Run the {listed().length} listed
          </button>
        </>
      ) : (
        <button type="button" onClick={() => attempt(stop)}>
          Stop
        </button>
      )}
    </header>
  );
}

const kinds: readonly Shown[] = ['all', 'failed', 'passed', 'not run'];

/** The scenarios, by the folders of their ids. */
function Choice() {
  const folders = new Map<string, ReturnType<typeof listed>>();
  for (const one of listed()) {
    const folder = one.id.split('/').slice(0, -1).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), one]);
  }
  const isNarrowed = state.search !== '' || state.shown !== 'all' || state.cause !== '';
  return (
    <section class="choice" aria-label="Scenarios">
      <div class="narrow">
        <label>
          <span>Search</span>
          <input
            type="search"
            value={state.search}
            placeholder="id, title or requirement"
            onInput={({ currentTarget }) => put({ search: currentTarget.value })}
          />
        </label>
        <label>
          <span>State</span>
          <select value={state.shown} onChange={({ currentTarget }) => put({ shown: currentTarget.value as Shown })}>
            {kinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Cause</span>
          <select value={state.cause} onChange={({ currentTarget }) => put({ cause: currentTarget.value })}>
            <option value="">any</option>
            {causes().map(({ id, scenarios }) => (
              <option key={id} value={id}>
                {id} ({scenarios.length})
              </option>
            ))}
          </select>
        </label>
      </div>
      {[...folders].map(([folder, own]) => (
        <Folder key={folder} {...{ folder, own }} isOpen={isNarrowed || folders.size < 4} />
      ))}
    </section>
  );
}

function Folder({ folder, own, isOpen }: { folder: string; own: ReturnType<typeof listed>; isOpen: boolean }) {
  const failed = own.filter(({ id }) => state.states.get(id) === 'failed').length;
  const holdsIt = own.some(({ id }) => id === state.scenario);
  return (
    <details open={isOpen || failed > 0 || holdsIt}>
      <summary>
        {folder} <span class="muted">{own.length}</span>
        {failed > 0 && (
          <Badge tone="bad" mark="✗">
            {failed}
          </Badge>
        )}
      </summary>
      <ul>
        {own.map((one) => (
          <Row key={one.id} {...one} />
        ))}
      </ul>
    </details>
  );
}

const marks = new Map([
  ['passed', { tone: 'good', sign: '✓' }],
  ['failed', { tone: 'bad', sign: '✗' }],
  ['blocked', { tone: 'open', sign: '!' }],
]);

function Row({ id, title, without }: ReturnType<typeof listed>[number]) {
  const own = state.states.get(id);
  const { tone = 'quiet', sign = '·' } = marks.get(own ?? '') ?? {};
  const mark = () => {
    if (!state.marked.delete(id)) state.marked.add(id);
    redraw();
  };
  return (
    <li>
      <input type="checkbox" aria-label={`Mark ${id}`} checked={state.marked.has(id)} onChange={mark} />
      <Badge tone={tone}>
        {sign}
        <span class="visually-hidden">{own ?? 'not run'}</span>
      </Badge>
      <button
        type="button"
        class="plain"
        title={without ?? title}
        aria-current={id === state.scenario ? 'true' : undefined}
        onClick={() => go({ scenario: id })}
      >
        {id.split('/').at(-1)}
      </button>
      <button type="button" class="small" aria-label={`Run ${id}`} onClick={() => attempt(() => run([id]))}>
        ▶
      </button>
    </li>
  );
}

const views: ReadonlyMap<View, { readonly name: string; readonly Content: () => ReturnType<typeof Report> }> = new Map([
  ['report', { name: 'Report', Content: Report }],
  ['source', { name: 'Scenario file', Content: Source }],
  ['runs', { name: 'Runs', Content: Runs }],
] as const);

function Outcome() {
  const { Content = Report } = views.get(state.view) ?? {};
  return (
    <section class="outcome" aria-label="What came of it">
      <div role="tablist" aria-label="Views" onKeyDown={({ key }) => turn(key)}>
        {[...views].map(([view, { name }]) => (
          <Tab key={view} id={view} panel="panel" isSelected={view === state.view} onClick={() => go({ view })}>
            {name}
          </Tab>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${state.view}`}>
        <Content />
      </div>
    </section>
  );
}

/** The arrow keys go from one view to the next. */
function turn(key: string): void {
  const step = new Map([
    ['ArrowRight', 1],
    ['ArrowLeft', views.size - 1],
  ]).get(key);
  if (step === undefined) return;
  const all = [...views.keys()];
  const view = all[(all.indexOf(state.view) + step) % all.length] ?? 'report';
  go({ view });
  document.getElementById(`tab-${view}`)?.focus();
}

/** In a frame: what a target has answered stands there, and can do nothing. */
function Report() {
  const { run: number, scenario } = state;
  const known = state.runs.find((one) => one.number === number);
  if (known === undefined) return <p class="muted">{number === 0 ? 'Nothing has run yet.' : 'This run is gone.'}</p>;
  const goal = scenario === '' ? '' : `#scenario:${scenario}`;
  return (
    <>
      <p class="buttons">
        <span>
          Run {number}: {known.says}
        </span>
        <button type="button" onClick={() => attempt(() => keepKnown())}>
          Keep its failures as known
        </button>
        {scenario !== '' && (
          <button type="button" onClick={() => attempt(() => keepKnown(scenario))}>
            Only those of {scenario.split('/').at(-1)}
          </button>
        )}
      </p>
      <Frame title={`Report of run ${number}`} address={`/report?run=${number}${goal}`} />
    </>
  );
}

const Frame = ({ title, address }: { title: string; address: string }) => (
  <iframe key={address} title={title} src={address} sandbox="allow-scripts allow-popups" allow="clipboard-write" />
);

function Source() {
  const { source, scenario, text } = state;
  if (scenario === '') return <p class="muted">Choose a scenario.</p>;
  if (source === undefined) return <p class="muted">It is being read.</p>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        attempt(async () => {
          await save();
          await run([scenario]);
        });
      }}
    >
      <p class="buttons">
        <code>{source.file}</code>
        {source.isOwn ? (
          <button type="submit" class="main">
            Save and run
          </button>
        ) : (
          <span class="muted">It belongs to the package, and is not changed here.</span>
        )}
      </p>
      <textarea
        aria-label="Scenario file"
        spellcheck={false}
        readOnly={!source.isOwn}
        value={text}
        onInput={({ currentTarget }) => put({ text: currentTarget.value })}
      />
    </form>
  );
}

/** What ran in this sitting; marked ones are put beside each other. */
function Runs() {
  const { runs, compared } = state;
  if (runs.length === 0) return <p class="muted">Nothing has run yet.</p>;
  const mark = (number: number) =>
    put({
      compared: compared.includes(number)
        ? compared.filter((one) => one !== number)
        : [...compared, number].sort((a, b) => a - b),
    });
  return (
    <>
      <ul class="runs">
        {runs.toReversed().map(({ number, startedAt, says, code, scenarios }) => (
          <li key={number}>
            <input
              type="checkbox"
              aria-label={`Compare run ${number}`}
              checked={compared.includes(number)}
              onChange={() => mark(number)}
            />
            <Badge tone={code === 0 ? 'good' : 'bad'}>{code === 0 ? '✓' : '✗'}</Badge>
            <button type="button" class="plain" onClick={() => go({ run: number, view: 'report' })}>
              Run {number}
            </button>
            <span>
              {startedAt.slice(11, 19)}, {scenarios} scenarios: {says}
            </span>
          </li>
        ))}
      </ul>
      {compared.length < 2 ? (
        <p class="muted">Mark two runs or more: they are put beside each other.</p>
      ) : (
        <Frame
          title={`Runs ${compared.join(', ')} beside each other`}
          address={`/compare?runs=${compared.join(',')}`}
        />
      )}
    </>
  );
}

const root = document.getElementById('ui');
if (root !== null) {
  root.replaceChildren();
  drawnBy(() => render(<Page />, root));
  listen();
}
