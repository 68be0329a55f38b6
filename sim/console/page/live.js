// @ts-check
/** What the console tells as it happens. */
import { redraw } from './frames.js';
import {
  open,
  readDetails,
  readHeld,
  readMessage,
  readMessages,
  readOverview,
  refresh,
  state,
  takeMessages,
} from './state.js';
import { tellTime } from './time.js';

/** Milliseconds between two readings of what is shown in full. */
const pause = 500;

let settings = 0;
let stale = false;
/** What was counted in the last seconds. @type {{ at: number, count: number }[]} */
let counts = [];

export function listen() {
  const events = new EventSource('/events');
  events.onmessage = ({ data }) => take(JSON.parse(data));
  events.onerror = () => {
    state.connection = 'lost';
    redraw();
  };
  setInterval(() => {
    if (stale) readShown();
  }, pause);
  // The clock of the header goes on between two events.
  setInterval(redraw, 1_000);
}

/** @param {any} batch */
function take(batch) {
  tellTime(batch.clock, batch.begins);
  state.resources = batch.resources;
  state.count = batch.count;
  state.perSecond = rate(batch.count);
  state.connection = 'live';
  if (batch.begins) begin();
  else takeBatch(batch);
  if (batch.settings !== settings) refresh(readOverview);
  settings = batch.settings;
  redraw();
}

function begin() {
  refresh(async () => {
    await readOverview();
    await readMessages();
    const [first] = state.tree.roots;
    if (first !== undefined && state.selected === undefined)
      for (const root of state.tree.roots.slice(0, 3)) await open(root);
    else await readTreesAnew(state.tree.roots.map(({ cse }) => cse));
  });
}

/** @param {any} batch */
function takeBatch({ messages, skipped, tree, anew }) {
  takeMessages(messages);
  state.skipped += skipped;
  for (const change of tree) state.tree.apply(change);
  if (anew.length > 0) refresh(() => readTreesAnew(anew));
  if (messages.length + tree.length + anew.length > 0) stale = true;
}

/** @param {string[]} cses */
async function readTreesAnew(cses) {
  await readOverview();
  const twigs = state.tree.rows().filter((twig) => cses.includes(twig.cse) && twig.open);
  for (const twig of twigs) {
    if (state.tree.twig(twig.cse, twig.id) !== twig) continue;
    await open(twig);
  }
}

async function readShown() {
  if (document.hidden) return;
  stale = false;
  if (state.panel === 'resource') await refresh(readDetails);
  if (state.panel === 'installation') await refresh(readHeld);
  const isWaiting = state.messageId > 0 && state.message?.answer === undefined;
  if (state.panel === 'message' && isWaiting) await refresh(readMessage);
}

/** Messages a second, over the last two seconds. @param {number} count */
function rate(count) {
  const at = performance.now();
  counts = [...counts.filter((one) => at - one.at < 2_000), { at, count }];
  const [first] = counts;
  if (first === undefined || at - first.at < 500) return state.perSecond;
  return Math.round(((count - first.count) * 1000) / (at - first.at));
}
