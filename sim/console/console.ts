/** The console of `cselab up`: a page that shows and controls the running CSEs. */
import type { Instruments } from '../instruments/instruments.ts';
import type { CseNode } from '../topology/node.ts';
import { pageFilesOf, servePage } from '../web/page-server.ts';
import { ConsoleCse, type Role } from './console-cse.ts';
import { actionRoutes, type ClockState, readRoutes } from './console-routes.ts';
import { Events } from './events.ts';
import type { SteeredClock } from './steered-clock.ts';
import { ConsoleTraffic } from './traffic.ts';

export class Console {
  readonly clock: SteeredClock;
  readonly cses = new Map<string, ConsoleCse>();
  readonly events: Events;
  readonly traffic: ConsoleTraffic;
  readonly onError: (error: unknown) => void;
  #messages = 0;
  /** Counts changes of deviations, disturbances and the clock. */
  #settings = 0;
  /** Counts reports of the time. */
  #clockVersion = 0;
  #server: Awaited<ReturnType<typeof servePage>> | undefined;

  constructor(clock: SteeredClock, onError: (error: unknown) => void = console.error) {
    this.clock = clock;
    this.onError = onError;
    this.events = new Events(() => this.#state());
    this.traffic = new ConsoleTraffic((summary) => {
      if (summary.took === undefined) this.#messages += 1;
      this.events.message(summary);
    });
  }

  /** Shows a CSE that is to be started with these instruments. */
  watch(cseId: string, role: Role, instruments: Instruments): void {
    this.cses.set(cseId, new ConsoleCse({ cseId, role }, instruments.deviations, this.events));
    this.traffic.watch(instruments, cseId);
  }

  /** Called when the CSE has started. */
  attach(node: CseNode, cseId: string): void {
    if (node.url !== undefined) {
      this.traffic.listensAt(node.url, cseId);
      this.traffic.listensAt(node.url.replace('//127.0.0.1:', '//localhost:'), cseId);
    }
    this.cses.get(cseId)?.attach(node);
  }

  /** Listens at 127.0.0.1, at a free port for 0; resolves to the URL. Rejects with node's error for a port that is taken. */
  async serve(port: number): Promise<string> {
    const { events, onError } = this;
    const [files, reads, actions] = [await pageFilesOf(sources), readRoutes(this), actionRoutes(this)];
    this.#server = await servePage({ name: 'console', files, reads, actions, events, onError }, port);
    return this.#server.url;
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  /** Something that every page shows has changed. */
  settingsChanged(): void {
    this.#settings += 1;
  }

  /** The time of the installation, for pages. */
  clockState(): ClockState {
    this.#clockVersion += 1;
    return { now: this.clock.now(), running: this.clock.isGoing, version: this.#clockVersion };
  }

  #state(): object {
    const resources: Record<string, number> = {};
    for (const [cseId, cse] of this.cses) {
      cse.watchCurrent();
      resources[cseId] = cse.core.tree.size;
    }
    return { clock: this.clockState(), resources, count: this.#messages, settings: this.#settings };
  }
}

/** The files of its page. */
const sources = {
  title: 'cselab console',
  folder: new URL('./page/', import.meta.url),
  styles: ['parts', 'layout', 'sequence', 'panel'],
};
