// @ts-check
/** What can be done with a resource: create below it, update, delete, notify. */
import { redraw } from './frames.js';
import { h } from './preact.js';
import { state } from './state.js';
import { template } from './templates.js';

/** What stands below a kind usually, the most usual first. @type {Record<string, string[]>} */
const usual = {
  cb: ['application', 'container', 'subscription'],
  ae: ['container', 'subscription'],
  cnt: ['instance', 'container', 'subscription'],
};

/** @param {any} details */
export function actionButtons(details) {
  const { kind } = details.leaf;
  const button = (/** @type {string} */ name, /** @type {() => void} */ onClick) =>
    h('button', { type: 'button', 'aria-expanded': state.form?.name === name, onClick }, name);
  return h(
    'div',
    { class: 'buttons actions', role: 'group', 'aria-label': 'Actions' },
    kind !== 'cin' && button('Create', () => begin('Create', details)),
    kind !== 'cin' && kind !== 'cb' && button('Update', () => begin('Update', details)),
    kind !== 'cb' && button('Delete', () => begin('Delete', details)),
    kind === 'ae' && button('Notify', () => begin('Notify', details)),
  );
}

/**
 * @param {string} name
 * @param {any} details
 */
function begin(name, details) {
  const { leaf, path, cse } = details;
  const station = state.cses.find(({ cseId }) => cseId === cse);
  const kinds = usual[leaf.kind] ?? ['subscription'];
  /** @type {Record<string, () => object>} */
  const contents = {
    Create: () => template(kinds[0] ?? 'container', station),
    Update: () => ({ [`m2m:${leaf.kind}`]: { lbl: details.attributes.lbl ?? ['changed'] } }),
    Notify: () => ({ 'm2m:sgn': { nev: { rep: { 'm2m:cin': { con: '21.5' } }, net: 3 }, sur: `${path}/watch` } }),
  };
  const content = contents[name]?.();
  state.form =
    state.form?.name === name
      ? undefined
      : {
          ...{ name, cse, target: `/${path}`, kinds, kind: kinds[0], originator: station?.originator ?? '' },
          ...{ text: content === undefined ? '' : JSON.stringify(content, null, 2), below: leaf.children },
        };
  redraw();
}
