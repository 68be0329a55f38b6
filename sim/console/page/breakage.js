// @ts-check
/** Delays and broken connections of a CSE, by the rules of `cselab up --break`. */
import { redraw } from './frames.js';
import { h } from './preact.js';
import { act } from './requests.js';
import { attempt, readOverview, state } from './state.js';
import { switched } from './switch.js';
import { counted } from './words.js';

/** What is usual, by its rule. @type {[string, string][]} */
const usualRules = [
  ['latency by=200ms', 'Answers 200 ms late'],
  ['latency by=2s', 'Answers 2 s late'],
  ['drop share=10%', 'One answer in ten lost'],
  ['throttle rate=1000', 'A kilobyte a second'],
  ['dead', 'Out of reach'],
];

/** @param {{ rules: any[] }} station */
export function breakage({ rules }) {
  const texts = rules.map(({ rule }) => ruleText(rule));
  const set = (/** @type {string[]} */ wanted) => attempt(() => setRules(rules, texts, wanted));
  return [
    h('h4', {}, 'Delays and breakage'),
    h(
      'div',
      { class: 'switches' },
      usualRules.map((usual) => usualSwitch(usual, texts, set)),
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
        rules.map((rule, at) => ruleItem(rule, at, texts, set)),
      ),
  ];
}

/**
 * @param {[string, string]} usual
 * @param {string[]} texts
 * @param {(wanted: string[]) => void} set
 */
function usualSwitch([rule, says], texts, set) {
  const isOn = texts.includes(rule);
  return switched(says, isOn, () => set(isOn ? texts.filter((one) => one !== rule) : [...texts, rule]));
}

/**
 * @param {{ requests: number, broken: number }} counts
 * @param {number} at
 * @param {string[]} texts
 * @param {(wanted: string[]) => void} set
 */
function ruleItem({ requests, broken }, at, texts, set) {
  const remove = () => set(texts.filter((_, place) => place !== at));
  return h(
    'li',
    { key: at },
    h('code', {}, texts[at]),
    h('span', { class: 'muted' }, `${broken} of ${counted(requests, 'request')}`),
    h('button', { type: 'button', 'aria-label': `Remove ${texts[at]}`, onClick: remove }, 'Remove'),
  );
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
