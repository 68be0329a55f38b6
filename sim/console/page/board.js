// @ts-check
/** The page as a whole. */
import { pageHead } from './clock.js';
import { messagePanel, resourcePanel } from './details.js';
import { redraw } from './frames.js';
import { installationPanel } from './installation.js';
import { h } from './preact.js';
import { attempt, readDeviations, readHeld, state } from './state.js';
import { trafficPane } from './traffic.js';
import { treePane } from './tree.js';

const views = [
  ['tree', 'Resources'],
  ['traffic', 'Traffic'],
  ['details', 'Details'],
];

/** @type {Record<string, { name: string, show: () => any }>} */
const panels = {
  resource: { name: 'Resource', show: resourcePanel },
  message: { name: 'Message', show: messagePanel },
  installation: { name: 'Installation', show: installationPanel },
};

export function board() {
  return h(
    'div',
    { class: 'board', 'data-view': state.view },
    pageHead(),
    state.problem !== '' && problem(),
    h(
      'nav',
      { class: 'views', 'aria-label': 'Views' },
      views.map(([view, name]) => viewButton(view, name)),
    ),
    h('main', {}, treePane(), trafficPane(), detailsPane()),
  );
}

function problem() {
  const close = () => {
    state.problem = '';
    redraw();
  };
  return h(
    'p',
    { class: 'note bad problem', role: 'alert' },
    h('span', {}, state.problem),
    h('button', { type: 'button', onClick: close }, 'Close'),
  );
}

/**
 * @param {string | undefined} view
 * @param {string | undefined} name
 */
function viewButton(view = '', name = '') {
  const show = () => {
    state.view = view;
    redraw();
  };
  const current = state.view === view ? 'page' : undefined;
  return h('button', { type: 'button', 'aria-current': current, onClick: show }, name);
}

function detailsPane() {
  const shown = panels[state.panel];
  return h(
    'section',
    { class: 'pane details-pane', 'aria-label': 'Details' },
    h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Details of' }, Object.entries(panels).map(tab)),
    h(
      'div',
      {
        class: 'panel',
        role: 'tabpanel',
        id: 'panel',
        'aria-labelledby': `tab-${state.panel}`,
        tabIndex: 0,
        key: state.panel,
      },
      shown?.show(),
    ),
  );
}

/** @param {[string, { name: string }]} entry */
function tab([id, { name }]) {
  const selected = state.panel === id;
  return h(
    'button',
    {
      ...{ type: 'button', role: 'tab', id: `tab-${id}`, 'aria-selected': selected, 'aria-controls': 'panel' },
      tabIndex: selected ? 0 : -1,
      onClick: () => show(id),
      onKeyDown: (/** @type {KeyboardEvent} */ event) => move(event, id),
    },
    name,
  );
}

/** @param {string} id */
function show(id) {
  state.panel = id;
  redraw();
  if (id === 'installation') {
    attempt(async () => {
      await readDeviations();
      await readHeld();
    });
  }
}

/**
 * @param {KeyboardEvent} event
 * @param {string} id
 */
function move(event, id) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = Object.keys(panels);
  const next = all.at((all.indexOf(id) + step) % all.length) ?? id;
  show(next);
  document.getElementById(`tab-${next}`)?.focus();
}
