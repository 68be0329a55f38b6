/** How a container starts: when it is ready, and why it did not start, in the words that it left behind. */

import { setTimeout as pause } from 'node:timers/promises';
import { getContainerRuntimeClient, type WaitStrategy } from 'testcontainers';

/** A container of cselab did not become ready. Its message ends with the last lines that the container wrote. */
export class ContainerStartError extends Error {
  override readonly name = 'ContainerStartError';
}

/** Removes the container where it is still there. Never rejects. */
export async function startFailure(
  image: string,
  id: string | undefined,
  cause: unknown,
): Promise<ContainerStartError> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  // Whoever waited for it has removed it, and told its words.
  const said = id === undefined ? '' : await leftBehind(id).catch(() => '');
  const words = said === '' ? '' : `; it wrote:\n${said}`;
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
export type EngineContainer = Parameters<WaitStrategy['waitUntilReady']>[0];

const lastLines = 20;

/** The last lines of both its streams, without blanks around them. */
export async function lastWords(container: EngineContainer): Promise<string> {
  return unframed(await container.logs({ stdout: true, stderr: true, tail: lastLines })).trim();
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

// Waits for the health port of a container, and no longer than the container lives.

/** Milliseconds for one question. */
const onePatience = 2_000;
/** Milliseconds between two. */
const between = 100;
/** Milliseconds, unless `withStartupTimeout` says otherwise. */
const patience = 60_000;

/** The wait for HTTP of testcontainers does not come to its end when the container does. */
export class UntilReady implements WaitStrategy {
  readonly #port: number;
  #patience = patience;

  /** In the container. */
  constructor(port: number) {
    this.#port = port;
  }

  /** Rejects with an Error that ends with the container's last lines. */
  async waitUntilReady(
    container: EngineContainer,
    ports: Parameters<WaitStrategy['waitUntilReady']>[1],
  ): Promise<void> {
    const { info } = await getContainerRuntimeClient();
    const url = `http://${info.containerRuntime.host}:${ports.getBinding(this.#port)}/ready`;
    const end = performance.now() + this.#patience;
    for (;;) {
      const health = await healthAt(url);
      if (health === 'ready') return;
      const { State: state } = await container.inspect();
      if (!state.Running) throw await failure(`it ended with exit code ${state.ExitCode}`, container);
      if (performance.now() > end) {
        throw await failure(`it is not ready after ${this.#patience / 1000} s (${health})`, container);
      }
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

/** `ready`, or what the health port says instead. */
async function healthAt(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(onePatience) });
    const text = await answer.text();
    return answer.ok ? 'ready' : text;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The container is removed as soon as this is thrown. */
async function failure(reason: string, container: EngineContainer): Promise<Error> {
  const words = await lastWords(container);
  return new Error(words === '' ? reason : `${reason}; it wrote:\n${words}`);
}
