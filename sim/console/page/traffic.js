// @ts-check
/** The sequence picture: who asked whom, and what was answered, the latest at the end. */
import { redraw } from './frames.js';
import { List } from './list.js';
import { lanesOf, messageRow, placeOf } from './message-row.js';
import { h } from './preact.js';
import { act } from './requests.js';
import { attempt, mostMessages, readMessages, showMessage, state } from './state.js';
import { counted } from './words.js';

/** @typedef {import('./state.js').Summary} Summary */

export function trafficPane() {
  const lanes = lanesOf();
  const shown = filtered();
  const active = shown.findIndex(({ id }) => id === state.messageId);
  return h(
    'section',
    { class: 'pane traffic-pane', 'aria-labelledby': 'traffic-title' },
    head(shown.length),
    shown.length === 0 ? empty() : picture(lanes, shown, active),
  );
}

/** @param {number} count */
function head(count) {
  const { messages, skipped, holding } = state;
  const left = skipped === 0 ? '' : `, ${counted(skipped, 'more', 'more')} came too fast`;
  const few = count === messages.size ? counted(count, 'message') : `${count} of ${counted(messages.size, 'message')}`;
  return h(
    'header',
    { class: 'pane-head' },
    h('h2', { id: 'traffic-title' }, 'Traffic'),
    h('span', { class: 'muted kept', title: `The latest ${mostMessages} are kept` }, few + left),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', 'aria-pressed': holding, onClick: hold }, holding ? 'Held' : 'Hold'),
      h('button', { type: 'button', onClick: forget }, 'Clear'),
    ),
    finding(),
  );
}

function finding() {
  return h(
    'div',
    { class: 'finding', role: 'search' },
    h('input', {
      ...{ type: 'search', id: 'filter', 'aria-label': 'Filter messages', placeholder: 'Filter: POST 404 building' },
      ...{ value: state.filter.text, title: 'Press / to come here' },
      onInput: (/** @type {any} */ event) => set({ text: event.target.value }),
    }),
    h(
      'div',
      { class: 'buttons', role: 'group', 'aria-label': 'Which messages' },
      choice('all', 'All'),
      choice('changes', 'Changes'),
      choice('failed', 'Failed'),
    ),
  );
}

/**
 * @param {string} only
 * @param {string} name
 */
function choice(only, name) {
  const pressed = state.filter.only === only;
  return h('button', { type: 'button', 'aria-pressed': pressed, onClick: () => set({ only }) }, name);
}

/** @param {object} change */
function set(change) {
  state.filter = { ...state.filter, ...change };
  redraw();
}

function hold() {
  state.holding = !state.holding;
  redraw();
  // What came meanwhile was not taken.
  if (!state.holding) attempt(readMessages);
}

function forget() {
  state.messages.clear();
  state.skipped = 0;
  attempt(() => act('forget', {}));
}

function empty() {
  if (state.messages.size > 0) {
    return h('div', { class: 'empty' }, h('p', {}, 'No message matches the filter. Empty it, or choose All.'));
  }
  const url = state.cses[0]?.url;
  return h(
    'div',
    { class: 'empty' },
    h('p', {}, 'Nothing has been sent yet. Requests appear here as they come:'),
    url && h('pre', {}, `curl ${url}/${state.cses[0].base}`),
    h('p', { class: 'muted' }, 'Or choose a resource and create something below it.'),
  );
}

/**
 * @param {string[]} lanes
 * @param {Summary[]} shown
 * @param {number} active
 */
function picture(lanes, shown, active) {
  return [
    h(
      'div',
      { class: 'lanes', 'aria-hidden': true },
      h('span', { class: 'time' }),
      h(
        'div',
        { class: 'lane-names' },
        lanes.map((lane, at) => h('span', { style: { left: placeOf(at, lanes) } }, lane)),
      ),
    ),
    h(List, {
      ...{
        id: 'messages',
        label: 'Messages, the latest last',
        role: 'listbox',
        count: shown.length,
        rowHeight: 52,
        active,
      },
      ...{ follows: true, shifted: state.dropped, current: () => shown.findIndex(({ id }) => id === state.messageId) },
      row: (/** @type {number} */ place) =>
        messageRow(/** @type {Summary} */ (shown[place]), lanes, place === active, [place + 1, shown.length]),
      keyOf: (/** @type {number} */ place) => shown[place]?.id ?? place,
      choose: (/** @type {number} */ place) => openMessage(shown[place]),
      onKey: (/** @type {string} */ key, /** @type {number} */ place) => key === 'Enter' && openMessage(shown[place]),
    }),
  ];
}

/** @param {Summary | undefined} summary */
function openMessage(summary) {
  if (summary === undefined) return false;
  if (matchMedia('(max-width: 899px)').matches) state.view = 'details';
  attempt(() => showMessage(summary.id));
  return true;
}

function filtered() {
  const { text, only } = state.filter;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [...state.messages.values()];
  if (words.length === 0 && only === 'all') return all;
  return all.filter((one) => isKind(one, only) && words.every((word) => textOf(one).includes(word)));
}

/**
 * @param {Summary} summary
 * @param {string} only
 */
function isKind(summary, only) {
  if (only === 'failed') return summary.problem !== undefined || (summary.status ?? 0) >= 400;
  return only === 'all' || !['GET', 'HEAD', 'OPTIONS'].includes(summary.method);
}

/** @param {Summary} summary */
const textOf = ({ method, target, from, to, originator = '', status, rsc = '', reason = '', problem = '' }) =>
  `${method} ${target} ${from} ${to} ${originator} ${status ?? ''} ${rsc} ${reason} ${problem}`.toLowerCase();
