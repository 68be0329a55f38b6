// @ts-check
/** One message of the sequence picture: an arrow to who was asked, one back, and words at them. */
import { h } from './preact.js';
import { state } from './state.js';
import { timeOfDay, toneOf, tookText } from './words.js';

/** @typedef {import('./state.js').Summary} Summary */

/** So many gateways have a line of their own. */
const mostLines = 4;
const others = 'other gateways';

/** Those between whom there are messages, from left to right. */
export function lanesOf() {
  const gateways = state.cses.filter(({ role }) => role === 'gateway').map(({ cseId }) => cseId);
  const backends = state.cses.filter(({ role }) => role === 'backend').map(({ cseId }) => cseId);
  const more = gateways.length > mostLines ? [others] : [];
  return ['applications', ...gateways.slice(0, mostLines), ...more, ...backends];
}

/**
 * @param {Summary} summary
 * @param {string[]} lanes
 * @param {boolean} isActive
 * @param {[number, number]} place of how many
 */
export function messageRow(summary, lanes, isActive, [place, size]) {
  const { at, method, target, from, to, wire } = summary;
  const [start, end] = [laneOf(from, lanes), laneOf(to, lanes)];
  const [left, right] = [Math.min(start, end), Math.max(start, end)];
  const width = `${((right - left) * span) / Math.max(1, lanes.length - 1)}%`;
  const way = start <= end ? 'rightward' : 'leftward';
  const answer = answerText(summary);
  return {
    attributes: {
      ...{ role: 'option', class: `message ${toneOf(summary)}`, 'aria-selected': isActive },
      ...{ 'aria-posinset': place, 'aria-setsize': size },
      'aria-label': `${timeOfDay(at)}, ${from} to ${to}${wire ? ` over ${wire}` : ''}: ${method} ${target}, ${answer}`,
    },
    children: [
      h('span', { class: 'time' }, timeOfDay(at).slice(0, 8), h('i', {}, timeOfDay(at).slice(8))),
      h(
        'div',
        { class: 'lane-lines' },
        lanes.map((_, lane) => h('i', { class: 'lane', style: { left: placeOf(lane, lanes) } })),
        h('div', { class: `arrows ${way}`, style: { left: placeOf(left, lanes), width } }),
        h('div', { class: 'words', style: wordsPlace(left, right, lanes) }, [
          h('span', { class: 'asked' }, h('b', {}, method), ' ', target, wire && h('small', {}, ` ${wire}`)),
          h('span', { class: 'answered' }, answer),
        ]),
      ),
    ],
  };
}

/** @param {Summary} summary */
function answerText({ status, rsc, reason, took, problem }) {
  if (problem !== undefined) return `no answer: ${problem}`;
  if (status === undefined) return 'waiting …';
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${status}${rsc === undefined ? '' : ` (${rsc})`} in ${tookText(took ?? 0)}${why}`;
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
export const placeOf = (at, lanes) => `${edge + (at * span) / Math.max(1, lanes.length - 1)}%`;

/**
 * Words begin at an arrow and may be longer than it is, to where there is more room.
 * @param {number} left
 * @param {number} right
 * @param {string[]} lanes
 */
function wordsPlace(left, right, lanes) {
  const last = lanes.length - 1;
  if (left <= last - right) return { left: placeOf(left, lanes), right: '0' };
  return { left: '0', right: `calc(100% - ${placeOf(right, lanes)})`, justifyItems: 'end' };
}
