/** Gateways and a backend that are watched by a console, in one process: what `cselab up --console` starts, for tests of the page. */
import type { Wire } from '../../dialects/http-message.ts';
import { wireOf } from '../../dialects/outgoing-message.ts';
import type { Scheduler } from '../../environment/clock.ts';
import { Instruments } from '../../instruments/instruments.ts';
import { type CseNode, startNode } from '../../topology/node.ts';
import type { NodeSettings } from '../../topology/node-settings.ts';
import { Console } from '../console.ts';
import { SteeredClock } from '../steered-clock.ts';

export interface WatchedPair extends AsyncDisposable {
  /** Of the page. */
  readonly url: string;
  readonly clock: SteeredClock;
  /** The first. */
  readonly gateway: CseNode;
  readonly gateways: readonly CseNode[];
  readonly backend: CseNode;
  readonly console: Console;
  /** What went wrong in it. */
  readonly errors: readonly unknown[];
}

export interface WatchedPairOptions {
  /** Moves the clock; the system's time unless given. */
  readonly driver?: Scheduler;
  /** 1 unless given. */
  readonly gateways?: number;
  /** By which they reach each other; HTTP unless given. */
  readonly wire?: 'ws' | 'coap' | undefined;
}

/** Resolves when the gateways are registered: mn-cse-1, mn-cse-2 … at in-cse-1. */
export async function startWatchedPair(options: WatchedPairOptions = {}): Promise<WatchedPair> {
  const clock = new SteeredClock(options);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const page = new Console(clock, onError);
  const start = async (settings: NodeSettings, cseId: string, role: 'gateway' | 'backend'): Promise<CseNode> => {
    const instruments = new Instruments({ clock, maxEntries: 0, onError });
    page.watch(cseId, role, instruments);
    const wire = options.wire && { [options.wire]: {} };
    const node = await startNode({ ...settings, ...wire }, { clock, onError, instruments });
    page.attach(node, cseId);
    return node;
  };
  const backend = await start({ cse: { cseId: 'in-cse-1', cseType: 'IN-CSE' }, http: {} }, 'in-cse-1', 'backend');
  const registration = registrationAt(backend, options.wire);
  const gateways: CseNode[] = [];
  for (let number = 1; number <= (options.gateways ?? 1); number++) {
    const cseId = `mn-cse-${number}`;
    gateways.push(await start({ cse: { cseId }, http: {}, registration }, cseId, 'gateway'));
  }
  await Promise.all(gateways.map((one) => one.whenRegistered()));
  const [gateway] = gateways;
  if (gateway === undefined) throw new RangeError('It needs a gateway.');
  return {
    ...{ url: await page.serve(0), clock, gateway, gateways, backend, console: page, errors },
    async [Symbol.asyncDispose]() {
      await page.close();
      for (const one of gateways) await one.close();
      await backend.close();
    },
  };
}

function registrationAt({ points }: CseNode, wire: Wire = 'http'): NonNullable<NodeSettings['registration']> {
  const url = points.find((point) => wireOf(point) === wire) ?? '';
  const remote = { base: 'onem2m', cseId: 'in-cse-1', cseType: 'IN-CSE' as const, ownPoa: [], poa: [url] };
  return { interval: 3600, offset: 3600, labels: [], remoteCses: [remote] };
}
