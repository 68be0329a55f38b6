// @ts-check
/** The sequence picture: who asked whom, and what was answered, the latest at the end. */
import { redraw } from './frames.js';
import { List } from './list.js';
import { h } from './preact.js';
import { act } from './requests.js';
import { attempt, mostMessages, showMessage, state } from './state.js';
import { counted, timeOfDay, toneOf, tookText } from './words.js';

/** @typedef {import('./state.js').Summary} Summary */

/** So many gateways have a line of their own. */
const mostLines = 4;
const others = 'other gateways';

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
  const { filter, messages, skipped } = state;
  const left = skipped === 0 ? '' : `, ${counted(skipped, 'more', 'more')} not shown: they came too fast`;
  const few = count === messages.size ? counted(count, 'message') : `${count} of ${counted(messages.size, 'message')}`;
  return h(
    'header',
    { class: 'pane-head' },
    h('h2', { id: 'traffic-title' }, 'Traffic'),
    h('span', { class: 'muted', title: `The latest ${mostMessages} are kept` }, few + left),
    h('input', {
      ...{ type: 'search', id: 'filter', 'aria-label': 'Filter messages', placeholder: 'Filter' },
      value: filter.text,
      onInput: (/** @type {any} */ event) => set({ text: event.target.value }),
    }),
    h(
      'div',
      { class: 'buttons', role: 'group', 'aria-label': 'Which messages' },
      choice('all', 'All'),
      choice('changes', 'Changes'),
      choice('failed', 'Failed'),
    ),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', 'aria-pressed': state.holding, onClick: hold }, state.holding ? 'Held' : 'Hold'),
      h('button', { type: 'button', onClick: forget }, 'Clear'),
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
      row: (/** @type {number} */ place) => row(/** @type {Summary} */ (shown[place]), lanes, place === active),
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

/**
 * @param {Summary} summary
 * @param {string[]} lanes
 * @param {boolean} isActive
 */
function row(summary, lanes, isActive) {
  const { at, method, target, from, to } = summary;
  const [start, end] = [laneOf(from, lanes), laneOf(to, lanes)];
  const [left, right] = [Math.min(start, end), Math.max(start, end)];
  const width = `${((right - left) * span) / Math.max(1, lanes.length - 1)}%`;
  const way = start <= end ? 'rightward' : 'leftward';
  const answer = answerText(summary);
  return {
    attributes: {
      ...{ role: 'option', class: `message ${toneOf(summary)}`, 'aria-selected': isActive },
      'aria-label': `${timeOfDay(at)}, ${from} to ${to}: ${method} ${target}, ${answer}`,
    },
    children: [
      h('span', { class: 'time' }, timeOfDay(at)),
      h(
        'div',
        { class: 'lane-lines' },
        lanes.map((_, place) => h('i', { class: 'lane', style: { left: placeOf(place, lanes) } })),
        h('div', { class: `arrows ${way}`, style: { left: placeOf(left, lanes), width } }),
        h('div', { class: 'words', style: wordsPlace(left, right, lanes) }, [
          h('span', { class: 'asked' }, h('b', {}, method), ' ', target),
          h('span', { class: 'answered' }, answer),
        ]),
      ),
    ],
  };
}

/** @param {Summary} summary */
function answerText({ status, rsc, took, problem }) {
  if (problem !== undefined) return `no answer: ${problem}`;
  if (status === undefined) return 'waiting …';
  return `${status}${rsc === undefined ? '' : ` (${rsc})`} in ${tookText(took ?? 0)}`;
}

function lanesOf() {
  const gateways = state.cses.filter(({ role }) => role === 'gateway').map(({ cseId }) => cseId);
  const backends = state.cses.filter(({ role }) => role === 'backend').map(({ cseId }) => cseId);
  const more = gateways.length > mostLines ? [others] : [];
  return ['applications', ...gateways.slice(0, mostLines), ...more, ...backends];
}

/**
 * @param {string} party
 * @param {string[]} lanes
 */
function laneOf(party, lanes) {
  const at = lanes.indexOf(party);
  return at >= 0 ? at : Math.max(0, lanes.indexOf(others));
}

/** Percent of the width between the first line and the last, and before the first. */
const [span, edge] = [80, 10];

/**
 * @param {number} at
 * @param {string[]} lanes
 */
const placeOf = (at, lanes) => `${edge + (at * span) / Math.max(1, lanes.length - 1)}%`;

/**
 * Words begin at an arrow and may be longer than it is, to where there is more room.
 * @param {number} left
 * @param {number} right
 * @param {string[]} lanes
 */
function wordsPlace(left, right, lanes) {
  const last = lanes.length - 1;
  if (left <= last - right) return { left: placeOf(left, lanes), right: '0' };
  return { left: '0', right: `calc(100% - ${placeOf(right, lanes)})`, textAlign: 'right' };
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
const textOf = ({ method, target, from, to, originator = '', status = '', rsc = '', problem = '' }) =>
  `${method} ${target} ${from} ${to} ${originator} ${status} ${rsc} ${problem}`.toLowerCase();
