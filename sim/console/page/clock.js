// @ts-check
/** The head of the page: what runs, how much, and the time there. */
import { redraw } from './frames.js';
import { h } from './preact.js';
import { attempt, state, steer } from './state.js';
import { clock, now } from './time.js';
import { counted, dateAndTime } from './words.js';

/** @type {Record<string, string>} */
const connections = { connecting: 'connecting', live: 'live', lost: 'connection lost, trying again' };

export function pageHead() {
  const { connection, perSecond, count } = state;
  // What is done is what the button says, whatever is told after it was drawn.
  const wanted = clock.going ? 'pause' : 'resume';
  return h(
    'header',
    { class: 'page-head' },
    h('h1', {}, 'cselab ', h('span', { class: 'muted' }, 'console')),
    h('span', { class: `badge ${connection === 'live' ? 'good' : 'bad'}`, role: 'status' }, connections[connection]),
    h('span', { class: 'muted counts' }, `${counted(count, 'message')}, ${perSecond.toLocaleString('en')}/s`),
    h('span', { class: 'spring' }),
    h(
      'div',
      { class: 'clock', role: 'group', 'aria-label': 'Clock' },
      h('time', { id: 'now', title: 'The time of all CSEs, UTC' }, dateAndTime(now())),
      h(
        'button',
        { type: 'button', onClick: () => attempt(() => steer({ do: wanted })) },
        wanted === 'pause' ? 'Pause' : 'Go on',
      ),
      h(
        'form',
        { onSubmit: forward },
        forwardInput(),
        h('button', { type: 'submit', disabled: state.isMoving }, state.isMoving ? 'Moving …' : 'Forward'),
      ),
    ),
  );
}

function forwardInput() {
  return h('input', {
    ...{ id: 'forward', 'aria-label': 'Forward by, such as 90s, 5m, 1h or 2d', value: state.forward, size: 5 },
    onInput: (/** @type {any} */ event) => {
      state.forward = event.target.value;
      redraw();
    },
  });
}

/** @param {Event} event */
function forward(event) {
  event.preventDefault();
  attempt(() => steer({ do: 'forward', by: state.forward.trim() }));
}
