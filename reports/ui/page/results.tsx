/** The results: the report of a run, the file of a scenario, and all runs. */
import { Badge, Tab } from '../../../sim/web/parts.tsx';
import { Editor } from './editor.tsx';
import { attempt, go, keepKnown, put, run, save, state, type UiView } from './state.ts';

const views: ReadonlyMap<UiView, { readonly name: string; readonly Content: () => ReturnType<typeof Report> }> =
  new Map([
    ['report', { name: 'Report', Content: Report }],
    ['source', { name: 'Scenario file', Content: Source }],
    ['runs', { name: 'Runs', Content: Runs }],
  ] as const);

export function RunResults() {
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

/** In a frame, where answers of a target can do nothing. */
function Report() {
  const { run: number, scenario } = state;
  const known = state.runs.find((one) => one.number === number);
  if (known === undefined) return <p class="muted">{number === 0 ? 'Nothing has run yet.' : 'This run is gone.'}</p>;
  const fragment = scenario === '' ? '' : `#scenario:${scenario}`;
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
      <Frame title={`Report of run ${number}`} address={`/report?run=${number}${fragment}`} />
    </>
  );
}

const Frame = ({ title, address }: { title: string; address: string }) => (
  <iframe key={address} title={title} src={address} sandbox="allow-scripts allow-popups" allow="clipboard-write" />
);

function Source() {
  const { source, scenario } = state;
  if (scenario === '') return <p class="muted">Choose a scenario.</p>;
  if (source === undefined) return <p class="muted">It is being read.</p>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        attempt(async () => {
          if (await save()) await run([scenario]);
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
      <Editor isReadOnly={!source.isOwn} />
    </form>
  );
}

/** The runs of this session; marked ones are compared. */
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
              {startedAt.slice(11, 19)}, {scenarios} {scenarios === 1 ? 'scenario' : 'scenarios'}: {says}
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
