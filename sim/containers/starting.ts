/** How a container starts: when it is ready, and why it did not start, in the words that it left behind. */

import { setTimeout as pause } from 'node:timers/promises';
import type { WaitStrategy } from 'testcontainers';
import { required } from '../environment/missing-package.ts';

export const { AbstractStartedContainer, GenericContainer, getContainerRuntimeClient, Network } = required<
  typeof import('testcontainers')
>('cselab/testcontainers', 'testcontainers');

/** A container of cselab did not become ready. Its message ends with the last lines that the container wrote. */
export class ContainerStartError extends Error {
  override readonly name = 'ContainerStartError';
}

/** Removes the container where it is still there; `hint` is for one that was never made. Never rejects. */
export async function startFailure(
  image: string,
  id: string | undefined,
  cause: unknown,
  hint = '',
): Promise<ContainerStartError> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  // Whoever waited for it has removed it, and told its words.
  const words = id === undefined ? hint : await leftBehind(id).catch(() => '');
  return new ContainerStartError(`the container of ${image} did not start: ${reason}${words}`, { cause });
}

async function leftBehind(id: string): Promise<string> {
  const client = await getContainerRuntimeClient();
  const container = client.container.getById(id);
  const words = await lastWords(container);
  await container.remove({ force: true });
  return words;
}

// What a container wrote before it ended.

/** As the library of the engine has it. */
type EngineContainer = Parameters<WaitStrategy['waitUntilReady']>[0];

const lastLines = 20;

/** The last lines of both its streams, as the end of a sentence. */
async function lastWords(container: EngineContainer): Promise<string> {
  const text = unframed(await container.logs({ stdout: true, stderr: true, tail: lastLines })).trim();
  return text === '' ? '' : `; it wrote:\n${text}`;
}

/** Docker puts eight bytes before each piece: which stream it is of, and in the last four how long it is. */
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

/** Milliseconds for one question. */
const onePatience = 2_000;
/** Milliseconds between two. */
const between = 100;
/** Milliseconds, unless `withStartupTimeout` says otherwise. */
const patience = 60_000;

/** What is still wrong at an address such as `localhost:32768`, after a while such as `after 60 s`; undefined where nothing is. */
type Look = (address: string, waited: string) => Promise<string | undefined>;

/** The wait for HTTP of testcontainers does not come to its end when the container does. */
export class Until implements WaitStrategy {
  readonly #port: number;
  readonly #look: Look;
  #patience = patience;

  /** The port is that in the container. */
  constructor(port: number, look: Look) {
    this.#port = port;
    this.#look = look;
  }

  /** Rejects with an Error that ends with the container's last lines. The container is removed as soon as that is thrown. */
  async waitUntilReady(
    container: EngineContainer,
    ports: Parameters<WaitStrategy['waitUntilReady']>[1],
  ): Promise<void> {
    const { info } = await getContainerRuntimeClient();
    const address = `${info.containerRuntime.host}:${ports.getBinding(this.#port)}`;
    const end = performance.now() + this.#patience;
    for (;;) {
      const problem = await this.#look(address, `after ${this.#patience / 1000} s`);
      if (problem === undefined) return;
      const { State: state } = await container.inspect();
      const reason = state.Running ? problem : `it ended with exit code ${state.ExitCode}`;
      if (!state.Running || performance.now() > end) throw new Error(`${reason}${await lastWords(container)}`);
      await pause(between);
    }
  }

  withStartupTimeout(milliseconds: number): WaitStrategy {
    this.#patience = milliseconds;
    return this;
  }

  isStartupTimeoutSet(): boolean {
    return true;
  }

  getStartupTimeout(): number {
    return this.#patience;
  }
}

/** Looks at the health port, which says itself what is missing. */
export const readiness: Look = async (address, waited) => {
  const missing = (says: string) => `it is not ready ${waited} (${says})`;
  try {
    const answer = await fetch(`http://${address}/ready`, { signal: AbortSignal.timeout(onePatience) });
    const text = await answer.text();
    return answer.ok ? undefined : missing(text);
  } catch (error) {
    return missing(error instanceof Error ? error.message : String(error));
  }
};
