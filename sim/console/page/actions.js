// @ts-check
/** What can be done with a resource: create below it, update, delete, notify. */

import { bodyText } from './content.js';
import { redraw } from './frames.js';
import { h } from './preact.js';
import { act } from './requests.js';
import { attempt, readDetails, state } from './state.js';
import { counted } from './words.js';

/** What a new resource of a kind is suggested to be. @type {Record<string, (cse: any) => object>} */
const templates = {
  instance: () => ({ 'm2m:cin': { con: '21.5', cnf: 'text/plain:0' } }),
  container: () => ({ 'm2m:cnt': { rn: 'measured', mni: 100 } }),
  application: ({ dialect }) => ({
    'm2m:ae': {
      rn: 'myapp',
      api: 'N.example',
      rr: dialect === 'onem2m' ? true : 'TRUE',
      ...(dialect === 'onem2m' && { srv: ['3'] }),
    },
  }),
  subscription: () => ({ 'm2m:sub': { rn: 'watch', nu: ['http://127.0.0.1:9000/inbox'], enc: { net: [3] } } }),
};

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

/**
 * @param {string} kind
 * @param {any} station
 */
const template = (kind, station) => templates[kind]?.(station ?? {}) ?? {};

/** @type {Record<string, string>} */
const methods = { Create: 'POST', Update: 'PUT', Delete: 'DELETE', Notify: 'POST' };

export function form() {
  const { form } = state;
  if (form === undefined) return null;
  const { name, kinds, kind, text, originator, busy, answer, problem, target } = form;
  const change = (/** @type {object} */ changed) => {
    state.form = { ...state.form, ...changed };
    redraw();
  };
  return h(
    'form',
    { class: 'form', 'aria-label': `${name} ${target}`, onSubmit: send },
    name === 'Create' &&
      h(
        'div',
        { class: 'buttons', role: 'group', 'aria-label': 'Kind' },
        kinds.map((/** @type {string} */ one) => kindButton(one, kind, change)),
      ),
    name === 'Delete'
      ? h('p', {}, `This deletes ${target}${belowText(form.below)}.`)
      : labelled(
          'JSON',
          h('textarea', {
            rows: 7,
            spellcheck: false,
            value: text,
            onInput: (/** @type {any} */ event) => change({ text: event.target.value }),
          }),
        ),
    labelled(
      'Originator',
      h('input', {
        value: originator,
        placeholder: 'none',
        onInput: (/** @type {any} */ event) => change({ originator: event.target.value }),
      }),
    ),
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        { type: 'submit', class: 'main', disabled: busy === true },
        `${name}${name === 'Delete' ? ' it' : ''}`,
      ),
      h('button', { type: 'button', onClick: close }, 'Close'),
    ),
    problem && h('p', { class: 'note bad', role: 'alert' }, problem),
    answer && answerView(answer),
  );
}

/** @param {number} count */
const belowText = (count) => (count === 0 ? '' : ` with ${counted(count, 'child', 'children')} and what is below`);

/**
 * @param {string} one
 * @param {string} kind
 * @param {(changed: object) => void} change
 */
function kindButton(one, kind, change) {
  const choose = () => {
    const station = state.cses.find(({ cseId }) => cseId === state.form.cse);
    change({ kind: one, text: JSON.stringify(template(one, station), null, 2) });
  };
  return h('button', { type: 'button', 'aria-pressed': one === kind, onClick: choose }, one);
}

/**
 * @param {string} name
 * @param {any} control
 */
const labelled = (name, control) => h('label', {}, h('span', {}, name), control);

/** @param {{ status: number, headers: Record<string, string>, body: string }} answer */
function answerView({ status, headers, body }) {
  const rsc = headers['X-M2M-RSC'] ?? headers['x-m2m-rsc'];
  const tone = status < 400 ? 'good' : 'bad';
  return h(
    'div',
    { role: 'status' },
    h('p', {}, h('span', { class: `badge ${tone}` }, `${status}${rsc === undefined ? '' : ` (${rsc})`}`)),
    body !== '' && h('pre', { tabIndex: 0 }, bodyText(body)),
  );
}

function close() {
  state.form = undefined;
  redraw();
}

/** @param {Event} event */
async function send(event) {
  event.preventDefault();
  const sent = { ...state.form, busy: true, answer: undefined, problem: '' };
  state.form = sent;
  redraw();
  const done = await answerTo(sent);
  if (state.form === sent) state.form = { ...sent, busy: false, ...done };
  await attempt(readDetails);
}

/** @param {any} sent */
async function answerTo({ name, text, cse, target, originator }) {
  try {
    const content = text === '' ? {} : { content: JSON.parse(text) };
    return { answer: await act('request', { cse, method: methods[name], target, originator, ...content }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: error instanceof SyntaxError ? `This is not JSON: ${message}` : message };
  }
}
