// @ts-check
/** Everything that the page knows, in one place; whoever changes it asks for a redraw. */
import { redraw } from './frames.js';
import { act, read } from './requests.js';
import { tellTime } from './time.js';
import { TreeModel } from './tree-model.js';

/** So many of the latest messages are kept. */
export const mostMessages = 1_000;

/**
 * @typedef {{ id: number, at: number, from: string, to: string, method: string, target: string, originator?: string, wire?: string,
 *   status?: number, rsc?: string, reason?: string, took?: number, problem?: string }} Summary
 */

export const state = {
  /** @type {'connecting' | 'live' | 'lost'} */
  connection: 'connecting',
  /** @type {any[]} */
  cses: [],
  /** @type {Record<string, number>} */
  resources: {},
  count: 0,
  perSecond: 0,
  skipped: 0,
  tree: new TreeModel(),
  /** @type {Map<number, Summary>} */
  messages: new Map(),
  /** How many messages were let go at the beginning of the list. */
  dropped: 0,
  filter: { text: '', only: 'all' },
  holding: false,
  /** What is open on narrow screens. */
  view: 'traffic',
  panel: 'resource',
  /** @type {{ cse: string, id: string } | undefined} */
  selected: undefined,
  /** @type {any} */
  details: undefined,
  /** @type {any} */
  message: undefined,
  messageId: 0,
  /** @type {any} */
  form: undefined,
  /** The CSE whose installation is shown. */
  cse: '',
  /** @type {any} */
  held: undefined,
  /** @type {{ id: string, says: string }[]} */
  deviations: [],
  deviationSearch: '',
  rule: '',
  forward: '1h',
  isMoving: false,
  problem: '',
  /** @type {'asked' | 'refresh'} */
  problemOf: 'asked',
  /** How many things had been begun when it came. */
  problemAfter: 0,
};

let begun = 0;

/**
 * What goes wrong with what somebody has asked for is shown until the next thing is done; it is thrown no further.
 * @param {() => Promise<unknown>} work
 */
export const attempt = (work) => tried(work, 'asked');

/**
 * The same for what the page does by itself, which takes nothing away that others have to read.
 * @param {() => Promise<unknown>} work
 */
export const refresh = (work) => tried(work, 'refresh');

/**
 * @param {() => Promise<unknown>} work
 * @param {'asked' | 'refresh'} of
 */
async function tried(work, of) {
  begun += 1;
  const turn = begun;
  try {
    await work();
    // What failed while this was under way is still to be read.
    const isOlder = state.problemAfter < turn;
    if (isOlder && (of === 'asked' || state.problemOf === 'refresh')) state.problem = '';
  } catch (error) {
    state.problem = error instanceof Error ? error.message : String(error);
    state.problemOf = of;
    state.problemAfter = begun;
  }
  redraw();
}

export async function readOverview() {
  const { cses } = await read('overview');
  state.cses = cses;
  state.tree.setRoots(cses);
  if (!cses.some((/** @type {any} */ one) => one.cseId === state.cse)) state.cse = cses[0]?.cseId ?? '';
  redraw();
}

/** @param {import('./tree-model.js').Twig} twig */
export async function open(twig) {
  twig.open = true;
  let children;
  // What was told of it meanwhile may have come about after it was read, or before; where something always is, the last is near enough.
  for (let tries = 0, before = -1; tries < 5 && twig.changes !== before; tries += 1) {
    before = twig.changes;
    children = await read('children', { cse: twig.cse, id: twig.id });
  }
  if (children === null) state.tree.drop(twig);
  else state.tree.setChildren(twig, children);
  redraw();
}

/** @param {import('./tree-model.js').Twig} twig */
export function close(twig) {
  twig.open = false;
  // What is not shown is not kept up to date.
  for (const one of twig.below?.values() ?? []) state.tree.drop(one);
  twig.below = undefined;
  state.tree.visible = undefined;
  redraw();
}

/**
 * @param {string} cse
 * @param {string} id
 */
export async function select(cse, id) {
  if (state.selected?.cse !== cse || state.selected.id !== id) state.form = undefined;
  state.selected = { cse, id };
  state.panel = 'resource';
  redraw();
  await readDetails();
}

/** What is selected as it is now; the last that was seen of it stays when it is gone. */
export async function readDetails() {
  const { selected } = state;
  if (selected === undefined) return;
  const details = await read('resource', selected);
  if (state.selected !== selected) return;
  if (details !== null) state.details = { ...details, cse: selected.cse };
  else if (state.details?.leaf.id === selected.id) state.details = { ...state.details, gone: true };
  else state.details = undefined;
  redraw();
}

/** What comes by events while the latest messages are read. @type {Summary[] | undefined} */
let meanwhile;

/** The latest that are kept, in the place of those that are shown. */
export async function readMessages() {
  meanwhile = [];
  const messages = await read('messages');
  if (!state.holding) {
    state.messages.clear();
    keep([...messages, ...(meanwhile ?? [])]);
  }
  meanwhile = undefined;
  redraw();
}

/** Nothing while the picture is held. @param {Summary[]} messages */
export function takeMessages(messages) {
  if (state.holding) return;
  meanwhile?.push(...messages);
  keep(messages);
}

/** @param {Summary[]} messages */
function keep(messages) {
  for (const summary of messages) state.messages.set(summary.id, summary);
  for (const id of state.messages.keys()) {
    if (state.messages.size <= mostMessages) break;
    state.messages.delete(id);
    state.dropped += 1;
  }
}

/** @param {number} id */
export async function showMessage(id) {
  state.messageId = id;
  state.panel = 'message';
  redraw();
  await readMessage();
}

export async function readMessage() {
  const id = state.messageId;
  const message = await read('message', { id: String(id) });
  if (state.messageId !== id) return;
  if (message === null) throw new Error('This message was let go: only the latest are kept.');
  state.message = message;
  redraw();
}

export async function readHeld() {
  if (state.cse === '') return;
  const { cse } = state;
  const held = await read('held', { cse });
  if (state.cse === cse) state.held = { cse, ...held };
  redraw();
}

export async function readDeviations() {
  if (state.deviations.length === 0) state.deviations = await read('deviations');
  redraw();
}

/** @param {object} body */
export async function steer(body) {
  state.isMoving = true;
  redraw();
  try {
    tellTime(await act('clock', body));
  } finally {
    state.isMoving = false;
  }
}
