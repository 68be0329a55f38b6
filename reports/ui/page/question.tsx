/** What a person is asked while a run goes on. */
import type { PageQuestion } from '../page-questions.ts';
import { answer, attempt, handIn, mebibytes, state } from './state.ts';

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
