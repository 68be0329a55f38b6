// @ts-check
/** One CSE as it is installed: who is registered, who is told, and what is wrong on purpose. */
import { breakage } from './breakage.js';
import { deviationList } from './deviation-list.js';
import { h } from './preact.js';
import { attempt, readHeld, select, state } from './state.js';
import { kindName } from './words.js';

export function installationPanel() {
  const station = state.cses.find(({ cseId }) => cseId === state.cse);
  if (station === undefined) return h('div', { class: 'empty' }, h('p', {}, 'Nothing is started.'));
  return [
    state.cses.length > 1 && chooser(),
    h(
      'p',
      { class: 'eyebrow' },
      `${station.role}${station.imitates ? `, ${station.imitates}` : ''} at `,
      h('code', {}, station.url ?? 'no port'),
    ),
    station.registrations.map(registration),
    ...held(
      'Registered here',
      'registrations',
      'No application and no CSE is registered. Create an application below the CSE base.',
    ),
    ...held('Subscriptions', 'subscriptions', 'Nobody is told of anything. Create a subscription below a container.'),
    ...breakage(station),
    ...deviationList(station),
  ];
}

function chooser() {
  const chosen = (/** @type {any} */ event) => {
    state.cse = event.target.value;
    state.held = undefined;
    attempt(readHeld);
  };
  return h(
    'label',
    { class: 'chooser' },
    h('span', {}, 'CSE'),
    h(
      'select',
      { id: 'cse', value: state.cse, onChange: chosen },
      state.cses.map(({ cseId }) => h('option', { value: cseId }, cseId)),
    ),
  );
}

/** @param {{ remote: string, registered: boolean, problem?: string }} one */
function registration({ remote, registered, problem }) {
  const tone = registered ? 'good' : 'bad';
  const says = registered ? `registered at ${remote}` : `not registered at ${remote}${problem ? `: ${problem}` : ''}`;
  return h('p', {}, h('span', { class: `badge ${tone}` }, says));
}

/**
 * @param {string} title
 * @param {'registrations' | 'subscriptions'} name
 * @param {string} advice
 */
function held(title, name, advice) {
  const list = state.held?.cse === state.cse ? state.held[name] : [];
  if (list.length === 0) return [h('h4', {}, title), h('p', { class: 'muted' }, advice)];
  return [
    h('h4', {}, `${title} `, h('span', { class: 'muted' }, list.length)),
    h(
      'ul',
      { class: 'held' },
      list.map((/** @type {any} */ one) => heldItem(one)),
    ),
  ];
}

/** @param {{ id: string, path: string, kind: string, says: string[] }} one */
function heldItem({ id, path, kind, says }) {
  return h(
    'li',
    { key: id },
    h('button', { type: 'button', class: 'plain', onClick: () => attempt(() => select(state.cse, id)) }, `/${path}`),
    h('span', { class: 'muted' }, [kindName(kind), ...says].join(', ')),
  );
}
