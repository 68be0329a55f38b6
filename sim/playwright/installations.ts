/** The pairs of one worker: started once for each set of options, and reset for each test. */
import type { Snapshot } from '../core/operations/snapshot.ts';
import { type Pair, startPair } from '../topology/pair.ts';
import type { PairMember } from '../topology/pair-member.ts';
import { type CselabOptions, startingOptions } from './options.ts';

/** A CSE and its initial state. */
interface InitialState {
  readonly member: PairMember;
  readonly snapshot: Snapshot;
  readonly rules: PairMember['disturbances']['rules'];
}

interface Installation {
  readonly pair: Pair;
  readonly initialStates: readonly InitialState[];
  isClosed: boolean;
}

export class PairInstallations {
  /** By the options of their start. */
  readonly #running = new Map<string, Installation>();

  /**
   * A pair with the system's clock as if just started: no resources but its own, no deviations, delays, simulated devices or journals
   * of a former test. It stays at its URLs as long as no test closes it. Rejects as `startPair` does.
   */
  async take(options: CselabOptions): Promise<Pair> {
    const settings = startingOptions(options);
    const key = JSON.stringify(settings);
    let installation = this.#running.get(key);
    if (installation === undefined || installation.isClosed) {
      installation = await startInstallation(settings);
      this.#running.set(key, installation);
    }
    await resetAll(installation);
    return installation.pair;
  }

  async close(): Promise<void> {
    const all = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(all.map(({ pair }) => pair.close()));
  }
}

async function startInstallation(options: ReturnType<typeof startingOptions>): Promise<Installation> {
  const pair = await startPair(options);
  const initialStates = [pair.backend, ...pair.gateways].map((member) => ({
    member,
    snapshot: member.snapshot(),
    rules: member.disturbances.rules,
  }));
  const close = (): Promise<void> => {
    installation.isClosed = true;
    return pair.close();
  };
  const installation: Installation = {
    pair: { ...pair, close, [Symbol.asyncDispose]: close },
    initialStates,
    isClosed: false,
  };
  return installation;
}

/** Before a test, not after it: requests under way when a test ends would arrive later. */
async function resetAll({ pair, initialStates }: Installation): Promise<void> {
  for (const { member, snapshot, rules } of initialStates) {
    member.stopWorkload();
    member.clearDeviations();
    await member.disturbances.set(rules.map(({ rule }) => rule));
    member.restore(snapshot);
  }
  // The registration may be newer than the snapshot.
  await pair.reconnect();
  for (const { member } of initialStates) {
    await member.whenRegistered();
    member.requests.clear();
    member.sent.clear();
  }
}
