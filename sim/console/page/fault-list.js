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

/** @param {{ faults: string[] }} station */
export function faultList({ faults: on }) {
  const words = state.faultSearch.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = state.faults.filter(({ id, says }) =>
    words.every((word) => `${id} ${says}`.toLowerCase().includes(word)),
  );
  const off = words.length === 0 ? [] : matching.filter(({ id }) => !on.includes(id));
  const isOn = state.faults.filter(({ id }) => on.includes(id));
  const found = `${counted(matching.length, 'fault')} found${matching.length > listed ? `, ${listed} shown` : ''}`;
  return [
    h(
      'h4',
      {},
      'Faults ',
      h('span', { class: 'muted' }, `${state.faults.length.toLocaleString('en')} can be switched on`),
    ),
    searchField(),
    words.length > 0 && h('p', { class: 'muted', role: 'status' }, found),
    words.length + isOn.length === 0 && h('p', { class: 'muted' }, 'None is on. Find one by a word of what it breaks.'),
    h(
      'div',
      { class: 'faults' },
      [...isOn, ...off.slice(0, listed)].map((fault) => faultSwitch(fault, on)),
    ),
  ];
}

function searchField() {
  return h('input', {
    ...{ type: 'search', id: 'fault-search', 'aria-label': 'Find a fault', value: state.faultSearch },
    placeholder: 'Find a fault: creation time, notification …',
    onInput: (/** @type {any} */ event) => {
      state.faultSearch = event.target.value;
      redraw();
    },
  });
}

/**
 * @param {{ id: string, says: string }} fault
 * @param {string[]} on
 */
function faultSwitch({ id, says }, on) {
  const isOn = on.includes(id);
  const ids = isOn ? on.filter((one) => one !== id) : [...on, id];
  const turn = () =>
    attempt(async () => {
      await act('faults', { cse: state.cse, ids });
      await readOverview();
    });
  return h('div', { key: id, class: 'fault-row' }, switched(id, isOn, turn), h('p', { class: 'muted' }, says));
}
