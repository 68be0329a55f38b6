/** Live updates from the console. */

import { redraw } from '../../web/page/frames.ts';
import type { ClockState } from '../console-routes.ts';
import type { TreeChange } from '../events.ts';
import type { MessageSummary } from '../traffic.ts';
import {
  addMessages,
  open,
  readDetails,
  readHeld,
  readMessage,
  readMessages,
  readOverview,
  refresh,
  state,
} from './state.ts';
import { setClock } from './time.ts';

interface ConsoleChanges {
  readonly begins?: false;
  readonly messages: readonly MessageSummary[];
  readonly skipped: number;
  readonly tree: readonly TreeChange[];
  readonly anew: readonly string[];
}

/** The state, and with all but the first event the changes. */
type ConsoleEvent = ({ readonly begins: true } | ConsoleChanges) & {
  readonly clock: ClockState;
  readonly resources: Readonly<Record<string, number>>;
  readonly count: number;
  readonly settings: number;
};

/** Milliseconds between two reads of the visible panel. */
const pause = 500;

let settings = 0;
let stale = false;
/** Message counts of the last seconds. */
let counts: { readonly at: number; readonly count: number }[] = [];

export function listen(): void {
  const events = new EventSource('/events');
  events.onmessage = ({ data }) => applyEvent(JSON.parse(data));
  events.onerror = () => {
    state.connection = 'lost';
    redraw();
  };
  setInterval(() => {
    if (stale) void readVisible();
  }, pause);
  // The clock of the header goes on between two events.
  setInterval(redraw, 1_000);
}

function applyEvent(event: ConsoleEvent): void {
  setClock(event.clock, event.begins);
  state.resources = event.resources;
  state.count = event.count;
  state.perSecond = rate(event.count);
  state.connection = 'live';
  if (event.begins) begin();
  else applyChanges(event);
  if (event.settings !== settings) refresh(readOverview);
  settings = event.settings;
  redraw();
}

function begin(): void {
  refresh(async () => {
    await readOverview();
    await readMessages();
    const [first] = state.tree.roots;
    if (first !== undefined && state.selected === undefined)
      for (const root of state.tree.roots.slice(0, 3)) await open(root);
    else await readTreesAnew(state.tree.roots.map(({ cse }) => cse));
  });
}

function applyChanges({ messages, skipped, tree, anew }: ConsoleChanges): void {
  addMessages(messages);
  state.skipped += skipped;
  for (const change of tree) state.tree.apply(change);
  if (anew.length > 0) refresh(() => readTreesAnew(anew));
  if (messages.length + tree.length + anew.length > 0) stale = true;
}

async function readTreesAnew(cses: readonly string[]): Promise<void> {
  await readOverview();
  const nodes = state.tree.rows().filter((node) => cses.includes(node.cse) && node.open);
  for (const node of nodes) {
    if (state.tree.node(node.cse, node.id) !== node) continue;
    await open(node);
  }
}

async function readVisible(): Promise<void> {
  if (document.hidden) return;
  stale = false;
  if (state.panel === 'overview') await refresh(readOverview);
  if (state.panel === 'resource') await refresh(readDetails);
  if (state.panel === 'installation') await refresh(readHeld);
  const isWaiting = state.messageId > 0 && state.message?.answer === undefined;
  if (state.panel === 'message' && isWaiting) await refresh(readMessage);
}

/** Messages a second, over the last two seconds. */
function rate(count: number): number {
  const at = performance.now();
  counts = [...counts.filter((one) => at - one.at < 2_000), { at, count }];
  const [first] = counts;
  if (first === undefined || at - first.at < 500) return state.perSecond;
  return Math.round(((count - first.count) * 1000) / (at - first.at));
}
