/** Waits for the health port of a container, and no longer than the container lives. */
import { setTimeout as pause } from 'node:timers/promises';
import { getContainerRuntimeClient, type WaitStrategy } from 'testcontainers';
import { type EngineContainer, lastWords } from './last-words.ts';

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
