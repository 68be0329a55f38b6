// @ts-check
/** One CSE as it is installed: who is registered, who is told, and what is wrong on purpose. */
import { redraw } from './frames.js';
import { h } from './preact.js';
import { act } from './requests.js';
import { attempt, readHeld, readOverview, select, state } from './state.js';
import { counted, kindName } from './words.js';

/** What is usual, by its rule. @type {[string, string][]} */
const usualRules = [
  ['latency by=200ms', 'Answers 200 ms late'],
  ['latency by=2s', 'Answers 2 s late'],
  ['drop share=10%', 'One answer in ten lost'],
  ['throttle rate=1000', 'A kilobyte a second'],
  ['dead', 'Out of reach'],
];

/** So many faults are listed. */
const listed = 30;

export function installationPanel() {
  const station = state.cses.find(({ cseId }) => cseId === state.cse);
  if (station === undefined) return h('div', { class: 'empty' }, h('p', {}, 'Nothing is started.'));
  return [
    state.cses.length > 1 && chooser(),
    h('p', { class: 'eyebrow' }, `${station.role} at `, h('code', {}, station.url ?? 'no port')),
    station.registrations.map(registration),
    ...held(
      'Registered here',
      'registrations',
      'No application and no CSE is registered. Create an application below the CSE base.',
    ),
    ...held('Subscriptions', 'subscriptions', 'Nobody is told of anything. Create a subscription below a container.'),
    ...rules(station),
    ...faults(station),
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

/** @param {any} station */
function rules({ rules }) {
  const texts = rules.map((/** @type {any} */ { rule }) => ruleText(rule));
  const set = (/** @type {string[]} */ wanted) => attempt(() => setRules(rules, texts, wanted));
  return [
    h('h4', {}, 'Delays and breakage'),
    h(
      'div',
      { class: 'switches' },
      usualRules.map(([rule, says]) => {
        const isOn = texts.includes(rule);
        return switched(says, isOn, () =>
          set(isOn ? texts.filter((/** @type {string} */ one) => one !== rule) : [...texts, rule]),
        );
      }),
    ),
    h(
      'form',
      { class: 'one-line', onSubmit: (/** @type {Event} */ event) => addRule(event, texts, set) },
      ruleInput(),
      h('button', { type: 'submit' }, 'Add'),
    ),
    rules.length > 0 &&
      h(
        'ul',
        { class: 'held' },
        rules.map((/** @type {any} */ { requests, broken }, /** @type {number} */ at) =>
          h(
            'li',
            { key: at },
            h('code', {}, texts[at]),
            h('span', { class: 'muted' }, `${broken} of ${counted(requests, 'request')}`),
            h(
              'button',
              {
                type: 'button',
                'aria-label': `Remove ${texts[at]}`,
                onClick: () =>
                  set(texts.filter((/** @type {string} */ _, /** @type {number} */ place) => place !== at)),
              },
              'Remove',
            ),
          ),
        ),
      ),
  ];
}

/**
 * Rules that held stay what they were; a text is for those that are new.
 * @param {any[]} rules
 * @param {string[]} texts
 * @param {string[]} wanted
 */
async function setRules(rules, texts, wanted) {
  const given = wanted.map((text) => rules[texts.indexOf(text)]?.rule ?? text);
  await act('breakage', { cse: state.cse, rules: given });
  await readOverview();
}

/** As the command line writes it. @param {any} rule */
function ruleText({ match = {}, do: { effect, ...how }, for: lasting }) {
  const { method, path, share, ...others } = match;
  const pairs = Object.entries({ ...how, ...others }).map(([name, value]) => `${name}=${value}`);
  const words = [effect, method, path, share !== undefined && `share=${Math.round(share * 1000) / 10}%`, ...pairs];
  return [...words, lasting !== undefined && `for=${lasting}`].filter(Boolean).join(' ');
}

function ruleInput() {
  return h('input', {
    ...{ id: 'rule', 'aria-label': 'A rule', placeholder: 'drop POST share=10%', value: state.rule },
    onInput: (/** @type {any} */ event) => {
      state.rule = event.target.value;
      redraw();
    },
  });
}

/**
 * @param {Event} event
 * @param {string[]} texts
 * @param {(wanted: string[]) => void} set
 */
function addRule(event, texts, set) {
  event.preventDefault();
  if (state.rule.trim() === '') return;
  set([...texts, state.rule.trim()]);
  state.rule = '';
}

/** @param {any} station */
function faults({ faults: on }) {
  const words = state.faultSearch.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = state.faults.filter(({ id, says }) =>
    words.every((word) => `${id} ${says}`.toLowerCase().includes(word)),
  );
  const off = words.length === 0 ? [] : matching.filter(({ id }) => !on.includes(id));
  const isOn = state.faults.filter(({ id }) => on.includes(id));
  return [
    h('h4', {}, 'Faults ', h('span', { class: 'muted' }, `${state.faults.length} can be switched on`)),
    h('input', {
      ...{
        type: 'search',
        id: 'fault-search',
        'aria-label': 'Find a fault',
        placeholder: 'Find a fault: creation time, notification …',
      },
      value: state.faultSearch,
      onInput: (/** @type {any} */ event) => {
        state.faultSearch = event.target.value;
        redraw();
      },
    }),
    words.length > 0 &&
      h(
        'p',
        { class: 'muted', role: 'status' },
        `${counted(matching.length, 'fault')} found${matching.length > listed ? `, ${listed} shown` : ''}`,
      ),
    words.length === 0 &&
      isOn.length === 0 &&
      h('p', { class: 'muted' }, 'None is on. Find one by a word of what it breaks.'),
    h(
      'div',
      { class: 'faults' },
      [...isOn, ...off.slice(0, listed)].map((fault) => faultSwitch(fault, on)),
    ),
  ];
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

/**
 * @param {string} name
 * @param {boolean} isOn
 * @param {() => void} turn
 */
const switched = (name, isOn, turn) =>
  h('button', { type: 'button', role: 'switch', 'aria-checked': isOn, class: 'switch', onClick: turn }, name);
