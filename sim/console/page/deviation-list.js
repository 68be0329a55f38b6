// @ts-check
/** What a CSE does wrong on purpose: switched on and off, found by words. */
import { redraw } from './frames.js';
import { h } from './preact.js';
import { act } from './requests.js';
import { attempt, readOverview, state } from './state.js';
import { switched } from './switch.js';
import { counted } from './words.js';

/** So many are listed. */
const listed = 30;

/** @param {{ deviations: string[] }} station */
export function deviationList({ deviations: on }) {
  const words = state.deviationSearch.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = state.deviations.filter(({ id, says }) =>
    words.every((word) => `${id} ${says}`.toLowerCase().includes(word)),
  );
  const off = words.length === 0 ? [] : matching.filter(({ id }) => !on.includes(id));
  const isOn = state.deviations.filter(({ id }) => on.includes(id));
  const found = `${counted(matching.length, 'deviation')} found${matching.length > listed ? `, ${listed} shown` : ''}`;
  return [
    h(
      'h4',
      {},
      'Deviations ',
      h('span', { class: 'muted' }, `${state.deviations.length.toLocaleString('en')} can be switched on`),
    ),
    searchField(),
    words.length > 0 && h('p', { class: 'muted', role: 'status' }, found),
    words.length + isOn.length === 0 && h('p', { class: 'muted' }, 'None is on. Find one by a word of what it breaks.'),
    h(
      'div',
      { class: 'deviations' },
      [...isOn, ...off.slice(0, listed)].map((deviation) => deviationSwitch(deviation, on)),
    ),
  ];
}

function searchField() {
  return h('input', {
    ...{ type: 'search', id: 'deviation-search', 'aria-label': 'Find a deviation', value: state.deviationSearch },
    placeholder: 'Find a deviation: creation time, notification …',
    onInput: (/** @type {any} */ event) => {
      state.deviationSearch = event.target.value;
      redraw();
    },
  });
}

/**
 * @param {{ id: string, says: string }} deviation
 * @param {string[]} on
 */
function deviationSwitch({ id, says }, on) {
  const isOn = on.includes(id);
  const ids = isOn ? on.filter((one) => one !== id) : [...on, id];
  const turn = () =>
    attempt(async () => {
      await act('deviations', { cse: state.cse, ids });
      await readOverview();
    });
  return h('div', { key: id, class: 'deviation-row' }, switched(id, isOn, turn), h('p', { class: 'muted' }, says));
}
