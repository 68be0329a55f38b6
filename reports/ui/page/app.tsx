/** The whole page: scenarios, and results. */
import { render } from 'preact';
import { renderWith } from '../../../sim/web/page/frames.ts';
import { Badge } from '../../../sim/web/parts.tsx';
import type { PageQuestion } from '../page-questions.ts';
import { Choice } from './choice.tsx';
import { RunResults } from './results.tsx';
import { answer, attempt, handIn, listed, listen, mebibytes, put, run, state, stop } from './state.ts';

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

/** What a person is asked while a run goes on. */
export function Question({ question }: { question: PageQuestion }) {
  const { scenario, text, choice, upload, countdown } = question;
  const Controls = countdown !== undefined ? Countdown : choice ? Choices : upload ? Upload : Text;
  return (
    <section class="asked" aria-label="Question to you">
      <p>
        <strong>{text}</strong> <span class="muted">{scenario}</span>
      </p>
      <Controls question={question} />
    </section>
  );
}

const say = (text: string) => attempt(() => answer({ text }));

const CannotTell = () => (
  <button type="button" onClick={() => say('cannot tell')}>
    Cannot tell
  </button>
);

function Choices({ question: { choice = [] } }: { question: PageQuestion }) {
  return (
    <p class="buttons">
      {choice.map((one) => (
        <button key={one} type="button" class="main" onClick={() => say(one)}>
          {one}
        </button>
      ))}
      <CannotTell />
    </p>
  );
}

function Text() {
  return (
    <form
      class="buttons"
      onSubmit={(event) => {
        event.preventDefault();
        say(String(new FormData(event.currentTarget).get('answer') ?? ''));
      }}
    >
      <label>
        Answer <input name="answer" maxLength={2000} autocomplete="off" />
      </label>
      <button type="submit" class="main">
        Answer
      </button>
      <CannotTell />
    </form>
  );
}

function Upload({ question: { largest = 0 } }: { question: PageQuestion }) {
  return (
    <form
      class="buttons"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.querySelector('input');
        attempt(() => handIn(field?.files?.[0]));
      }}
    >
      <label>
        File, {mebibytes(largest)} at most <input type="file" />
      </label>
      <button type="submit" class="main">
        Hand in
      </button>
      <CannotTell />
    </form>
  );
}

function Countdown() {
  const left = Math.max(0, Math.ceil((state.ends - performance.now()) / 1000));
  return (
    <p class="buttons">
      <span role="timer">{left} s left</span>
      <button type="button" class="main" onClick={() => attempt(() => answer({}))}>
        Continue
      </button>
    </p>
  );
}

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  renderWith(() => render(<Page />, root));
  listen();
}
