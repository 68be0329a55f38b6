/** What the console tells as it happens. */

import { redraw } from '../../web/page/frames.ts';
import type { ClockTold } from '../console-routes.ts';
import type { TreeChange } from '../events.ts';
import type { MessageSummary } from '../traffic.ts';
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
} from './state.ts';
import { tellTime } from './time.ts';

interface Happened {
  readonly begins?: false;
  readonly messages: readonly MessageSummary[];
  readonly skipped: number;
  readonly tree: readonly TreeChange[];
  readonly anew: readonly string[];
}

/** How things stand, and with an event that does not begin what has happened. */
type Told = ({ readonly begins: true } | Happened) & {
  readonly clock: ClockTold;
  readonly resources: Readonly<Record<string, number>>;
  readonly count: number;
  readonly settings: number;
};

/** Milliseconds between two readings of what is shown in full. */
const pause = 500;

let settings = 0;
let stale = false;
/** What was counted in the last seconds. */
let counts: { readonly at: number; readonly count: number }[] = [];

export function listen(): void {
  const events = new EventSource('/events');
  events.onmessage = ({ data }) => take(JSON.parse(data));
  events.onerror = () => {
    state.connection = 'lost';
    redraw();
  };
  setInterval(() => {
    if (stale) void readShown();
  }, pause);
  // The clock of the header goes on between two events.
  setInterval(redraw, 1_000);
}

function take(told: Told): void {
  tellTime(told.clock, told.begins);
  state.resources = told.resources;
  state.count = told.count;
  state.perSecond = rate(told.count);
  state.connection = 'live';
  if (told.begins) begin();
  else takeHappened(told);
  if (told.settings !== settings) refresh(readOverview);
  settings = told.settings;
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

function takeHappened({ messages, skipped, tree, anew }: Happened): void {
  takeMessages(messages);
  state.skipped += skipped;
  for (const change of tree) state.tree.apply(change);
  if (anew.length > 0) refresh(() => readTreesAnew(anew));
  if (messages.length + tree.length + anew.length > 0) stale = true;
}

async function readTreesAnew(cses: readonly string[]): Promise<void> {
  await readOverview();
  const twigs = state.tree.rows().filter((twig) => cses.includes(twig.cse) && twig.open);
  for (const twig of twigs) {
    if (state.tree.twig(twig.cse, twig.id) !== twig) continue;
    await open(twig);
  }
}

async function readShown(): Promise<void> {
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
