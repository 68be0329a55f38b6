/** The state of the page, in one place; every change is followed by a redraw. */

import { redraw } from '../../web/page/frames.ts';
import type { Message, MessageSummary } from '../traffic.ts';
import type { detailsOf, heldBy } from '../views.ts';
import { act, type ConsoleAnswer, type Overview, read } from './requests.ts';
import { setClock } from './time.ts';
import { TreeModel, type TreeNode } from './tree-model.ts';

/** Latest messages that are kept. */
export const mostMessages = 1_000;

/** An action on a resource, and its result. */
export interface Form {
  readonly name: 'Create' | 'Update' | 'Delete' | 'Notify';
  readonly cse: string;
  readonly target: string;
  /** What can be created there, the most usual first. */
  readonly types: readonly string[];
  readonly type: string;
  readonly originator: string;
  /** The content, as JSON. */
  readonly text: string;
  /** Children of the resource. */
  readonly below: number;
  readonly busy?: boolean;
  readonly answer?: ConsoleAnswer;
  readonly problem?: string;
}

export type PageView = 'tree' | 'traffic' | 'details';
export type Panel = 'overview' | 'resource' | 'message' | 'installation';

export const state = {
  connection: 'connecting' as 'connecting' | 'live' | 'lost',
  cses: [] as readonly Overview[],
  /** Counts, by CSE. */
  resources: {} as Readonly<Record<string, number>>,
  count: 0,
  perSecond: 0,
  skipped: 0,
  tree: new TreeModel(),
  messages: new Map<number, MessageSummary>(),
  /** How many messages were dropped at the beginning of the list. */
  dropped: 0,
  filter: { text: '', only: 'all' as 'all' | 'changes' | 'failed', heartbeats: false },
  holding: false,
  /** What is open on narrow screens. */
  view: 'traffic' as PageView,
  panel: 'overview' as Panel,
  selected: undefined as { readonly cse: string; readonly id: string } | undefined,
  details: undefined as (ReturnType<typeof detailsOf> & { readonly cse: string; readonly gone?: boolean }) | undefined,
  message: undefined as Message | undefined,
  messageId: 0,
  form: undefined as Form | undefined,
  /** The CSE whose installation is shown. */
  cse: '',
  held: undefined as (ReturnType<typeof heldBy> & { readonly cse: string }) | undefined,
  deviations: [] as readonly { readonly id: string; readonly says: string }[],
  deviationSearch: '',
  rule: '',
  forward: '1h',
  isMoving: false,
  problem: '',
  problemOf: 'action' as 'action' | 'refresh',
  /** How many tasks had begun when it occurred. */
  problemAfter: 0,
};

let begun = 0;

/** Runs an action of the user; its failure is shown until the next action, and thrown no further. */
export const attempt = (work: () => unknown): Promise<void> => runTask(work, 'action');

/** The same for what the page does by itself, which does not hide the failure of an action. */
export const refresh = (work: () => unknown): Promise<void> => runTask(work, 'refresh');

async function runTask(work: () => unknown, of: 'action' | 'refresh'): Promise<void> {
  begun += 1;
  const turn = begun;
  try {
    await work();
    // A failure that occurred meanwhile stays shown.
    const isOlder = state.problemAfter < turn;
    if (isOlder && (of === 'action' || state.problemOf === 'refresh')) state.problem = '';
  } catch (error) {
    state.problem = error instanceof Error ? error.message : String(error);
    state.problemOf = of;
    state.problemAfter = begun;
  }
  redraw();
}

export async function readOverview(): Promise<void> {
  const { cses } = await read('overview');
  state.cses = cses;
  state.tree.setRoots(cses);
  if (!cses.some(({ cseId }) => cseId === state.cse)) state.cse = cses[0]?.cseId ?? '';
  redraw();
}

export async function open(node: TreeNode): Promise<void> {
  node.open = true;
  let listed: Awaited<ReturnType<typeof read<'children'>>> = null;
  // Events that arrive meanwhile may be older or newer than what is read; under constant changes the last read is near enough.
  for (let tries = 0, before = -1; tries < 5 && node.changes !== before; tries += 1) {
    before = node.changes;
    listed = await read('children', { cse: node.cse, id: node.id });
  }
  if (listed === null) state.tree.drop(node);
  else state.tree.setChildren(node, listed.total, listed.children);
  redraw();
}

/** Whether the window is too narrow for the three parts of the page beside each other. */
export const isNarrow = (): boolean => matchMedia('(max-width: 959px)').matches;

export async function select(cse: string, id: string): Promise<void> {
  if (state.selected?.cse !== cse || state.selected.id !== id) state.form = undefined;
  state.selected = { cse, id };
  state.panel = 'resource';
  redraw();
  await readDetails();
}

/** Reads the selected resource; its last state stays when it is gone. */
export async function readDetails(): Promise<void> {
  const { selected } = state;
  if (selected === undefined) return;
  const details = await read('resource', selected);
  if (state.selected !== selected) return;
  if (details !== null) state.details = { ...details, cse: selected.cse };
  else if (state.details?.item.id === selected.id) state.details = { ...state.details, gone: true };
  else state.details = undefined;
  redraw();
}

/** Messages of events while the latest ones are read. */
let meanwhile: MessageSummary[] | undefined;

/** Replaces the shown messages by the latest ones. */
export async function readMessages(): Promise<void> {
  meanwhile = [];
  const messages = await read('messages');
  if (!state.holding) {
    state.messages.clear();
    keep([...messages, ...(meanwhile ?? [])]);
  }
  meanwhile = undefined;
  redraw();
}

/** Does nothing while the list is held. */
export function addMessages(messages: readonly MessageSummary[]): void {
  if (state.holding) return;
  meanwhile?.push(...messages);
  keep(messages);
}

function keep(messages: readonly MessageSummary[]): void {
  for (const summary of messages) state.messages.set(summary.id, summary);
  for (const id of state.messages.keys()) {
    if (state.messages.size <= mostMessages) break;
    state.messages.delete(id);
    state.dropped += 1;
  }
}

export async function showMessage(id: number): Promise<void> {
  if (isNarrow()) state.view = 'details';
  state.messageId = id;
  state.panel = 'message';
  redraw();
  await readMessage();
}

export async function readMessage(): Promise<void> {
  const id = state.messageId;
  const message = await read('message', { id: String(id) });
  if (state.messageId !== id) return;
  if (message === null) throw new Error('This message is not kept any more: only the latest are.');
  state.message = message;
  redraw();
}

export async function readHeld(): Promise<void> {
  if (state.cse === '') return;
  const { cse } = state;
  const held = await read('held', { cse });
  if (state.cse === cse) state.held = { cse, ...held };
  redraw();
}

export async function readDeviations(): Promise<void> {
  if (state.deviations.length === 0) state.deviations = await read('deviations');
  redraw();
}

export async function steer(body: object): Promise<void> {
  state.isMoving = true;
  redraw();
  try {
    setClock(await act('clock', body));
  } finally {
    state.isMoving = false;
  }
}
