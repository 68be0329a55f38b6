/** The whole page: scenarios, and results. */
import { render } from 'preact';
import { renderWith } from '../../../sim/web/page/frames.ts';
import { Badge } from '../../../sim/web/parts.tsx';
import { Choice } from './choice.tsx';
import { Question } from './question.tsx';
import { RunResults } from './results.tsx';
import { attempt, listed, listen, put, run, state, stop } from './state.ts';

function Page() {
  return (
    <div class="ui">
      <Head />
      <p class="told" role="status">
        {state.notice}
      </p>
      {state.problem !== '' && (
        <div class="problem bad" role="alert">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
          <pre tabIndex={0}>{state.problem}</pre>
          <button type="button" onClick={() => put({ problem: '' })}>
            Close
          </button>
        </div>
      )}
      <div aria-live="polite">
        {state.question !== null && <Question key={state.question.number} question={state.question} />}
      </div>
      <main>
        <Choice />
        <RunResults />
      </main>
    </div>
  );
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
      {/* One button, so that it stays where the keyboard is. */}
      <button
        type="button"
        class={underWay === null ? 'main' : undefined}
        onClick={() => attempt(() => (underWay === null ? run([...state.marked]) : stop()))}
      >
        {underWay !== null ? 'Stop' : marked > 0 ? `Run ${marked} marked` : 'Run all'}
      </button>
      <button
        type="button"
        disabled={underWay !== null || listed().length === 0}
        onClick={() => attempt(() => run(listed().map(({ id }) => id)))}
      >
        Run the {listed().length} listed
      </button>
    </header>
  );
}

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  renderWith(() => render(<Page />, root));
  listen();
}
