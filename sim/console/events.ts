/** Live updates of the page: server-sent events, with many changes in each. */
import type { ServerResponse } from 'node:http';
import type { MessageSummary } from './traffic.ts';

/** A resource as the tree shows it. */
export interface ResourceItem {
  readonly id: string;
  readonly name: string;
  /** Short name of its resource type: `cnt`. */
  readonly type: string;
  /** How many children it has. */
  readonly children: number;
}

/** A change of a tree: a child was added or removed. */
export type TreeChange = {
  readonly cse: string;
  readonly parent: string;
  /** How many children the parent has now: a page may have read the change before its event. */
  readonly children: number;
} & ({ readonly added: ResourceItem } | { readonly removed: string });

/** The content of one event. */
const emptyBatch = () => ({
  /** Each in its last state. */
  messages: new Map<number, MessageSummary>(),
  /** Messages that are left out because there were too many. */
  skipped: 0,
  tree: [] as TreeChange[],
  /** CSEs with so many changes that their trees are to be read anew. */
  anew: new Set<string>(),
});

export interface EventLimits {
  /** Milliseconds between two events. */
  readonly pause: number;
  /** In one event. */
  readonly messages: number;
  readonly changes: number;
  /** Bytes that wait for a slow watcher; beyond them it is told to read everything anew. */
  readonly unread: number;
  /** Pages that may watch at a time. */
  readonly watchers: number;
}

const usualLimits: EventLimits = { pause: 100, messages: 300, changes: 2_000, unread: 4 * 1024 * 1024, watchers: 20 };

export class Events {
  readonly #state: () => object;
  readonly #limits: EventLimits;
  readonly #watchers = new Map<ServerResponse, { behind: boolean }>();
  #batch = emptyBatch();
  #timer: NodeJS.Timeout | undefined;
  /** Consecutive ticks without a change. */
  #quiet = 0;

  /** `state` is part of every event, beside the changes: small, as it is now. */
  constructor(state: () => object, limits: Partial<EventLimits> = {}) {
    this.#state = state;
    this.#limits = { ...usualLimits, ...limits };
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  /** False where too many watch already. */
  watch(response: ServerResponse, headers: Readonly<Record<string, string>>): boolean {
    if (this.#watchers.size >= this.#limits.watchers) return false;
    response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
    response.write(eventOf({ begins: true, ...this.#state() }));
    this.#watchers.set(response, { behind: false });
    response.once('close', () => this.#leave(response));
    this.#timer ??= setInterval(() => this.#tick(), this.#limits.pause);
    this.#timer.unref();
    return true;
  }

  message(summary: MessageSummary): void {
    if (this.#watchers.size === 0) return;
    const { messages } = this.#batch;
    if (messages.size < this.#limits.messages || messages.has(summary.id)) messages.set(summary.id, summary);
    else if (summary.took === undefined) this.#batch.skipped++;
  }

  treeChanged(change: TreeChange): void {
    if (this.#watchers.size === 0 || this.#batch.anew.has(change.cse)) return;
    if (this.#batch.tree.length < this.#limits.changes) this.#batch.tree.push(change);
    else this.requestReload(change.cse);
  }

  requestReload(cse: string): void {
    if (this.#watchers.size === 0) return;
    this.#batch.anew.add(cse);
    this.#batch.tree = this.#batch.tree.filter((one) => one.cse !== cse);
  }

  /** The page gets the state now and then, also without changes. */
  #tick(): void {
    const { messages, tree, anew } = this.#batch;
    const isQuiet = messages.size + tree.length + anew.size === 0;
    this.#quiet = isQuiet ? (this.#quiet + 1) % 10 : 0;
    if (this.#quiet === 0) this.flush();
  }

  /** Sends all watchers what has changed since the last time. */
  flush(): void {
    const { messages, skipped, tree, anew } = this.#batch;
    this.#batch = emptyBatch();
    const event = eventOf({ messages: [...messages.values()], skipped, tree, anew: [...anew], ...this.#state() });
    for (const [response, watcher] of this.#watchers) {
      if (response.writableLength > this.#limits.unread) watcher.behind = true;
      else if (watcher.behind) {
        watcher.behind = false;
        response.write(eventOf({ begins: true, ...this.#state() }));
      } else response.write(event);
    }
  }

  end(): void {
    clearInterval(this.#timer);
    for (const response of this.#watchers.keys()) response.end();
    this.#watchers.clear();
  }

  #leave(response: ServerResponse): void {
    this.#watchers.delete(response);
    if (this.#watchers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.flush();
  }
}

const eventOf = (facts: object): string => `data: ${JSON.stringify(facts)}\n\n`;
