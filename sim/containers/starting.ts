/** How a container starts: when it is ready, and why it did not start, with its last output. */

import { setTimeout as pause } from 'node:timers/promises';
import type { WaitStrategy } from 'testcontainers';
import { requirePackage } from '../environment/missing-package.ts';

export const { AbstractStartedContainer, GenericContainer, getContainerRuntimeClient, Network } = requirePackage<
  typeof import('testcontainers')
>('cselab/testcontainers', 'testcontainers');

/** A container of cselab did not become ready. The message ends with the last lines of its output. */
export class ContainerStartError extends Error {
  override readonly name = 'ContainerStartError';
}

/** Removes the container where it still exists; `hint` is for one that was never created. Never rejects. */
export async function startFailure(
  image: string,
  id: string | undefined,
  cause: unknown,
  hint = '',
): Promise<ContainerStartError> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  // A failed wait has removed it, and has its output in the reason.
  const logs = id === undefined ? hint : await removeWithLogs(id).catch(() => '');
  return new ContainerStartError(`the container of ${image} did not start: ${reason}${logs}`, { cause });
}

async function removeWithLogs(id: string): Promise<string> {
  const client = await getContainerRuntimeClient();
  const container = client.container.getById(id);
  const logs = await lastLogs(container);
  await container.remove({ force: true });
  return logs;
}

// The output of a container before it ended.

/** A container of the engine's library. */
type EngineContainer = Parameters<WaitStrategy['waitUntilReady']>[0];

const lastLines = 20;

/** The last lines of both its streams, as the end of a sentence. */
async function lastLogs(container: EngineContainer): Promise<string> {
  const text = unframed(await container.logs({ stdout: true, stderr: true, tail: lastLines })).trim();
  return text === '' ? '' : `; it wrote:\n${text}`;
}

/** Docker puts eight bytes before each piece: its stream, and in the last four its length. */
function unframed(bytes: Buffer): string {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at + 4);
    pieces.push(bytes.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(pieces).toString('utf8');
}

// Waits for a port of a container, and no longer than the container lives.

/** Milliseconds for one check. */
const requestTimeout = 2_000;
/** Milliseconds between two. */
const pollPause = 100;
/** Milliseconds, unless `withStartupTimeout` says otherwise. */
const startTimeout = 60_000;

/** What is still wrong at an address such as `localhost:32768`, after a time such as `after 60 s`; undefined when it is ready. */
type ReadyCheck = (address: string, waited: string) => Promise<string | undefined>;

/** Unlike the HTTP wait of testcontainers, it ends when the container does. */
export class ReadinessWait implements WaitStrategy {
  readonly #port: number;
  readonly #check: ReadyCheck;
  #timeout = startTimeout;

  /** The port is that in the container. */
  constructor(port: number, check: ReadyCheck) {
    this.#port = port;
    this.#check = check;
  }

  /** Rejects with an Error that ends with the container's last lines, upon which the container is removed. */
  async waitUntilReady(
    container: EngineContainer,
    ports: Parameters<WaitStrategy['waitUntilReady']>[1],
  ): Promise<void> {
    const { info } = await getContainerRuntimeClient();
    const address = `${info.containerRuntime.host}:${ports.getBinding(this.#port)}`;
    const end = performance.now() + this.#timeout;
    for (;;) {
      const problem = await this.#check(address, `after ${this.#timeout / 1000} s`);
      if (problem === undefined) return;
      const { State: state } = await container.inspect();
      const reason = state.Running ? problem : `it ended with exit code ${state.ExitCode}`;
      if (!state.Running || performance.now() > end) throw new Error(`${reason}${await lastLogs(container)}`);
      await pause(pollPause);
    }
  }

  withStartupTimeout(milliseconds: number): WaitStrategy {
    this.#timeout = milliseconds;
    return this;
  }

  isStartupTimeoutSet(): boolean {
    return true;
  }

  getStartupTimeout(): number {
    return this.#timeout;
  }
}

/** Reads the health port, which says itself what is missing. */
export const readiness: ReadyCheck = async (address, waited) => {
  const missing = (says: string) => `it is not ready ${waited} (${says})`;
  try {
    const answer = await fetch(`http://${address}/ready`, { signal: AbortSignal.timeout(requestTimeout) });
    const text = await answer.text();
    return answer.ok ? undefined : missing(text);
  } catch (error) {
    return missing(error instanceof Error ? error.message : String(error));
  }
};
