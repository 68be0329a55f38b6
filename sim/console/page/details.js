// @ts-check
/** One resource, with its content as people read it, or one message. */
import { actionForm } from './action-form.js';
import { actionButtons } from './actions.js';
import { bodyText, decoded } from './content.js';
import { plot } from './plot.js';
import { h } from './preact.js';
import { attempt, select, state } from './state.js';
import { dateAndTime, kindName, timeOfDay, toneOf, tookText } from './words.js';

/** So many instances are listed. */
const listed = 20;

export function resourcePanel() {
  const { details } = state;
  if (details === undefined) {
    return h(
      'div',
      { class: 'empty' },
      h('p', {}, 'Choose a resource on the left to see what it holds and to change it.'),
    );
  }
  const { leaf, path, cse, attributes, instances, gone, parent } = details;
  return [
    h(
      'p',
      { class: 'eyebrow' },
      h('span', { class: `kind kind-${leaf.kind}` }, leaf.kind),
      ` ${kindName(leaf.kind)} of ${cse}`,
    ),
    h('h3', { class: 'path' }, `/${path}`),
    gone ? h('p', { class: 'note open' }, 'It is gone. This is the last that was seen of it.') : actionButtons(details),
    actionForm(),
    leaf.kind === 'cin' && contentView(attributes.con, attributes.cnf),
    instances.length > 0 && [plot(instances), latest(instances)],
    h('h4', {}, 'Attributes'),
    h('dl', { class: 'attributes' }, Object.entries(attributes).map(attribute)),
    parent !== undefined &&
      h(
        'button',
        { type: 'button', class: 'plain', onClick: () => attempt(() => select(cse, parent)) },
        'Go to its parent',
      ),
  ];
}

/**
 * @param {unknown} con
 * @param {unknown} cnf
 */
function contentView(con, cnf) {
  const { how, text } = decoded(con, cnf);
  return [
    h('h4', {}, 'Content ', h('span', { class: 'badge seen' }, how)),
    h('pre', { tabIndex: 0, class: 'content' }, text),
  ];
}

/** @param {{ at: number, con: unknown, cnf: unknown }[]} instances */
function latest(instances) {
  const rows = instances.slice(-listed).reverse();
  return [
    h('h4', {}, 'Latest instances'),
    h(
      'ol',
      { class: 'instances' },
      rows.map(({ at, con, cnf }) =>
        h('li', { key: at }, h('time', {}, timeOfDay(at)), h('code', {}, oneLine(decoded(con, cnf).text))),
      ),
    ),
  ];
}

/** @param {string} text */
const oneLine = (text) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 120)} …` : line;
};

/** @param {[string, unknown]} entry */
function attribute([name, value]) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return h(
    'div',
    { key: name },
    h('dt', {}, name),
    h('dd', {}, text.length > 2_000 ? `${text.slice(0, 2_000)} …` : text),
  );
}

export function messagePanel() {
  const { message } = state;
  if (message === undefined) {
    return h('div', { class: 'empty' }, h('p', {}, 'Choose a message in the traffic to see all of it.'));
  }
  const { summary, request, answer } = message;
  return [
    h(
      'p',
      { class: 'eyebrow' },
      `${dateAndTime(summary.at)} UTC, ${summary.from} to ${summary.to}${summary.wire ? ` over ${summary.wire}` : ''}`,
    ),
    h('h3', { class: 'path' }, `${summary.method} ${summary.target}`),
    h('p', {}, h('span', { class: `badge ${toneOf(summary)}` }, outcome(summary))),
    part('Request', request),
    answer === undefined
      ? h('p', { class: 'muted' }, summary.problem ?? 'The answer is awaited.')
      : part('Answer', answer),
  ];
}

/** @param {import('./state.js').Summary} summary */
function outcome({ status, rsc, took, problem }) {
  if (problem !== undefined) return 'no answer';
  if (status === undefined) return 'waiting';
  return `${status}${rsc === undefined ? '' : `, response status code ${rsc}`}, ${tookText(took ?? 0)}`;
}

/**
 * @param {string} name
 * @param {{ headers: Record<string, string>, body: string }} part
 */
function part(name, { headers, body }) {
  return h(
    'section',
    { class: 'part', 'aria-label': name },
    h('h4', {}, name),
    h('dl', { class: 'attributes' }, Object.entries(headers).map(attribute)),
    body === '' ? h('p', { class: 'muted' }, 'It has no body.') : h('pre', { tabIndex: 0 }, bodyText(body)),
  );
}
