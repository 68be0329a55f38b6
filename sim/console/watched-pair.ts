/** A gateway and a backend that are watched by a console, in one process: what `cselab up --console` starts, for tests of the page. */
import type { Scheduler } from '../clock.ts';
import { type CseNode, type NodeSettings, startNode } from '../topology/node.ts';
import { Console } from './console.ts';
import { type SteeredClock, steeredClock } from './steered-clock.ts';

export interface WatchedPair extends AsyncDisposable {
  /** Of the page. */
  readonly url: string;
  readonly clock: SteeredClock;
  readonly gateway: CseNode;
  readonly backend: CseNode;
  /** What went wrong in it. */
  readonly errors: readonly unknown[];
}

/** Resolves when the gateway is registered. The clock goes with `driver`, the system's time unless given. */
export async function startWatchedPair(options: { readonly driver?: Scheduler } = {}): Promise<WatchedPair> {
  const clock = steeredClock(options);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const page = new Console(clock, onError);
  const start = async (settings: NodeSettings, cseId: string, role: 'gateway' | 'backend'): Promise<CseNode> => {
    const node = await startNode(settings, { clock, onError, ...page.surroundings(cseId, role) });
    page.attach(node, cseId);
    return node;
  };
  const backend = await start({ cse: { cseId: 'in-cse-1', cseType: 'IN-CSE' }, http: {} }, 'in-cse-1', 'backend');
  const remote = {
    base: 'onem2m',
    cseId: 'in-cse-1',
    cseType: 'IN-CSE' as const,
    ownPoa: [],
    poa: [backend.url ?? ''],
  };
  const registration = { interval: 3600, offset: 3600, labels: [], remoteCses: [remote] };
  const gateway = await start({ cse: { cseId: 'mn-cse-1' }, http: {}, registration }, 'mn-cse-1', 'gateway');
  await gateway.whenRegistered();
  const url = await page.serve(0);
  return {
    ...{ url, clock, gateway, backend, errors },
    async [Symbol.asyncDispose]() {
      await page.close();
      await gateway.close();
      await backend.close();
    },
  };
}
