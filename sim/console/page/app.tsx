/** The page as a whole. */
import { render } from 'preact';
import { redraw, renderWith } from '../../web/page/frames.ts';
import { Badge, Tab } from '../../web/parts.tsx';
import { MessagePanel, ResourcePanel } from './details.tsx';
import { InstallationPanel } from './installation.tsx';
import { counted, dateAndTime } from './labels.ts';
import { listen } from './live.ts';
import { OverviewPanel, showInstallation } from './overview.tsx';
import { Field } from './parts.tsx';
import { attempt, type PageView, type Panel, state, steer } from './state.ts';
import { clock, now } from './time.ts';
import { TrafficPane } from './traffic.tsx';
import { TreePane } from './tree.tsx';

const views: ReadonlyMap<PageView, string> = new Map([
  ['tree', 'Resources'],
  ['traffic', 'Traffic'],
  ['details', 'Details'],
]);

const panels = new Map<
  Panel,
  { readonly name: string; readonly Content: () => ReturnType<typeof OverviewPanel> | null }
>([
  ['overview', { name: 'Overview', Content: OverviewPanel }],
  ['resource', { name: 'Resource', Content: ResourcePanel }],
  ['message', { name: 'Message', Content: MessagePanel }],
  ['installation', { name: 'Installation', Content: InstallationPanel }],
]);

const connections = { connecting: 'connecting', live: 'live', lost: 'connection lost, trying again' };

function ConsolePage() {
  return (
    <div class="board" data-view={state.view}>
      <Head />
      {state.problem !== '' && <Problem />}
      <nav class="views" aria-label="Views">
        {[...views].map(([view, name]) => (
          <button
            {...{ key: view, type: 'button', onClick: () => look(view) }}
            aria-current={state.view === view ? 'page' : undefined}
          >
            {name}
          </button>
        ))}
      </nav>
      <main>
        <TreePane />
        <TrafficPane />
        <DetailsPane />
      </main>
    </div>
  );
}

function look(view: PageView): void {
  state.view = view;
  redraw();
}

/** The connection, the number of messages, and the clock. */
function Head() {
  const { connection, perSecond, count } = state;
  return (
    <header class="page-head">
      <h1>
        cselab <span class="muted">console</span>
      </h1>
      <span role="status">
        <Badge tone={connection === 'live' ? 'good' : 'bad'}>{connections[connection]}</Badge>
      </span>
      <span class="muted counts">
        {counted(count, 'message')}, {perSecond.toLocaleString('en')}/s
      </span>
      <span class="spring" />
      <Clock />
    </header>
  );
}

function Clock() {
  // The action is what the button says, whatever event arrives after it was drawn.
  const action = clock.running ? 'pause' : 'resume';
  return (
    <fieldset class="clock">
      <legend class="visually-hidden">Clock of all CSEs</legend>
      <span>
        UTC <time id="now">{dateAndTime(now())}</time>
      </span>
      <button type="button" onClick={() => attempt(() => steer({ do: action }))}>
        {action === 'pause' ? 'Pause clock' : 'Resume clock'}
      </button>
      <form onSubmit={forward}>
        <Field
          {...{ id: 'forward', name: 'Clock forward by', value: state.forward, size: 5 }}
          title="Such as 90s, 5m, 1h or 2d"
          onText={(text) => {
            state.forward = text;
          }}
        />
        <button type="submit" disabled={state.isMoving}>
          {state.isMoving ? 'Moving …' : 'Move'}
        </button>
      </form>
    </fieldset>
  );
}

function forward(event: Event): void {
  event.preventDefault();
  attempt(() => steer({ do: 'forward', by: state.forward.trim() }));
}

function Problem() {
  const close = (): void => {
    state.problem = '';
    redraw();
  };
  return (
    <p class="note bad problem" role="alert">
      <span>{state.problem}</span>
      <button type="button" onClick={close}>
        Close
      </button>
    </p>
  );
}

function DetailsPane() {
  const Content = panels.get(state.panel)?.Content ?? OverviewPanel;
  return (
    <section class="pane details-pane" aria-label="Details">
      <Tabs />
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
        tabIndex={0}
        key={state.panel}
        class="panel"
        role="tabpanel"
        id="panel"
        aria-labelledby={`tab-${state.panel}`}
      >
        <Content />
      </div>
    </section>
  );
}

function Tabs() {
  return (
    <div role="tablist" aria-label="Details of">
      {[...panels].map(([id, { name }]) => (
        <Tab
          {...{ key: id, id, panel: 'panel', isSelected: state.panel === id }}
          onClick={() => show(id)}
          onKeyDown={(event) => move(event, id)}
        >
          {name}
        </Tab>
      ))}
    </div>
  );
}

function show(id: Panel): void {
  state.panel = id;
  redraw();
  if (id === 'installation') showInstallation();
}

function move(event: KeyboardEvent, id: Panel): void {
  const step = event.key === 'ArrowRight' ? 1 : -1;
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
  event.preventDefault();
  const all = [...panels.keys()];
  const next = all.at((all.indexOf(id) + step) % all.length) ?? id;
  show(next);
  document.getElementById(`tab-${next}`)?.focus();
}

function toFilter(event: KeyboardEvent): void {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if (event.key !== '/' || isTyping) return;
  event.preventDefault();
  document.getElementById('filter')?.focus();
}

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  renderWith(() => render(<ConsolePage />, root));
  listen();
  document.addEventListener('keydown', toFilter);
}
