// @ts-check
/** The trees of all CSEs, one below the other. */
import { List } from './list.js';
import { h } from './preact.js';
import { attempt, close, open, select, state } from './state.js';
import { counted, kindName } from './words.js';

/** @typedef {import('./tree-model.js').Twig} Twig */

export function treePane() {
  const rows = state.tree.rows();
  const chosen = selected();
  const active = chosen === undefined ? -1 : rows.indexOf(chosen);
  const current = () => {
    const now = selected();
    return now === undefined ? -1 : state.tree.rows().indexOf(now);
  };
  return h(
    'section',
    { class: 'pane tree-pane', 'aria-labelledby': 'tree-title' },
    h(
      'header',
      { class: 'pane-head' },
      h('h2', { id: 'tree-title' }, 'Resources'),
      h('span', { class: 'muted' }, counted(total(), 'resource')),
    ),
    h(List, {
      ...{
        id: 'tree',
        label: 'Resources of all CSEs',
        role: 'tree',
        count: rows.length,
        rowHeight: 28,
        active,
        current,
      },
      row: (/** @type {number} */ place) => row(/** @type {Twig} */ (rows[place]), place === active),
      keyOf: (/** @type {number} */ place) => `${rows[place]?.cse}-${rows[place]?.id}`,
      choose: (/** @type {number} */ place) => choose(rows[place]),
      onKey: (/** @type {string} */ key) => pressed(key, selected()),
    }),
  );
}

function selected() {
  const { selected } = state;
  return selected && state.tree.twig(selected.cse, selected.id);
}

const total = () => Object.values(state.resources).reduce((sum, one) => sum + one, 0);

/**
 * @param {Twig} twig
 * @param {boolean} isActive
 */
function row(twig, isActive) {
  const { name, kind, children, depth, open: isOpen, parent, place } = twig;
  const siblings = parent?.below?.size ?? state.tree.roots.length;
  const shown = depth === 1 ? twig.cse : name;
  const toggle = (/** @type {Event} */ event) => {
    event.stopPropagation();
    attempt(async () => turn(twig));
  };
  return {
    attributes: {
      ...{ role: 'treeitem', class: `twig kind-${kind}`, 'aria-level': depth, 'aria-selected': isActive },
      ...{ 'aria-setsize': siblings, 'aria-posinset': place, 'aria-label': labelOf(twig, shown) },
      'aria-expanded': children > 0 ? isOpen : undefined,
    },
    children: [
      h('span', { class: 'indent', style: { width: `${(depth - 1) * 16}px` } }),
      h('span', { class: 'turn', 'aria-hidden': true, onClick: toggle }, children === 0 ? '' : isOpen ? '▾' : '▸'),
      h('span', { class: `kind kind-${kind}`, 'aria-hidden': true }, kind),
      h('span', { class: 'twig-name' }, shown),
      children > 0 && h('span', { class: 'muted number' }, children.toLocaleString('en')),
    ],
  };
}

/**
 * @param {Twig} twig
 * @param {string} shown
 */
function labelOf({ kind, children }, shown) {
  return `${shown}, ${kindName(kind)}${children > 0 ? `, ${counted(children, 'child', 'children')}` : ''}`;
}

/** @param {Twig | undefined} twig */
function choose(twig) {
  if (twig === undefined) return;
  state.view = state.view === 'tree' && matchMedia('(max-width: 899px)').matches ? 'details' : state.view;
  attempt(() => select(twig.cse, twig.id));
}

/** @param {Twig} twig */
async function turn(twig) {
  if (twig.open) close(twig);
  else await open(twig);
}

/**
 * @param {string} key
 * @param {Twig | undefined} twig
 */
function pressed(key, twig) {
  if (twig === undefined) return false;
  if (key === 'ArrowRight' && twig.children > 0 && !twig.open) attempt(() => open(twig));
  else if (key === 'ArrowLeft' && twig.open) close(twig);
  else if (key === 'ArrowLeft' && twig.parent !== undefined) choose(twig.parent);
  else if (key === 'Enter' || key === ' ') attempt(() => turn(twig));
  else return false;
  return true;
}
