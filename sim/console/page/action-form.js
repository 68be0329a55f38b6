// @ts-check
/** The form of what is done with a resource, and what was answered. */
import { bodyText } from './content.js';
import { redraw } from './frames.js';
import { h } from './preact.js';
import { act } from './requests.js';
import { attempt, readDetails, state } from './state.js';
import { template } from './templates.js';
import { counted } from './words.js';

/** @type {Record<string, string>} */
const methods = { Create: 'POST', Update: 'PUT', Delete: 'DELETE', Notify: 'POST' };

/** Nothing while nothing is to be done. */
export function actionForm() {
  const { form } = state;
  if (form === undefined) return null;
  const { name, answer, problem, target } = form;
  return h(
    'form',
    { class: 'form', 'aria-label': `${name} ${target}`, onSubmit: send },
    name === 'Create' && kinds(form),
    name === 'Delete' ? h('p', {}, `This deletes ${target}${belowText(form.below)}.`) : contentField(form),
    originatorField(form),
    formButtons(form),
    problem && h('p', { class: 'note bad', role: 'alert' }, problem),
    answer && answerView(answer),
  );
}

/** @param {object} changed */
function change(changed) {
  state.form = { ...state.form, ...changed };
  redraw();
}

/** @param {{ kinds: string[], kind: string }} form */
function kinds({ kinds, kind }) {
  return h(
    'div',
    { class: 'buttons', role: 'group', 'aria-label': 'Kind' },
    kinds.map((one) => kindButton(one, kind)),
  );
}

/** @param {{ text: string }} form */
function contentField({ text }) {
  const onInput = (/** @type {any} */ event) => change({ text: event.target.value });
  return labelled('JSON', h('textarea', { rows: 7, spellcheck: false, value: text, onInput }));
}

/** @param {{ originator: string }} form */
function originatorField({ originator }) {
  const onInput = (/** @type {any} */ event) => change({ originator: event.target.value });
  return labelled('Originator', h('input', { value: originator, placeholder: 'none', onInput }));
}

/** @param {{ name: string, busy?: boolean }} form */
function formButtons({ name, busy }) {
  const says = `${name}${name === 'Delete' ? ' it' : ''}`;
  return h(
    'div',
    { class: 'buttons' },
    h('button', { type: 'submit', class: 'main', disabled: busy === true }, says),
    h('button', { type: 'button', onClick: close }, 'Close'),
  );
}

/** @param {number} count */
const belowText = (count) => (count === 0 ? '' : ` with ${counted(count, 'child', 'children')} and what is below`);

/**
 * @param {string} one
 * @param {string} kind
 */
function kindButton(one, kind) {
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
