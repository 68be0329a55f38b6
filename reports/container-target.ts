/** A target in a container of its own: started for a run, and stopped after it. Loaded for those who ask for it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { StartedTestContainer, WaitStrategy } from 'testcontainers';
import { Agent, request } from 'undici';
import { UsageError } from '../scenarios/index.ts';
import type { ContainerPlan } from './container-plan.ts';

type Testcontainers = typeof import('testcontainers');

/** The container did not start, or its CSE does not answer. */
export class ContainerTargetError extends Error {
  override readonly name = 'ContainerTargetError';
}

export interface RunningTarget {
  /** Where this process reaches the CSE. */
  readonly url: string;
  stop(): Promise<void>;
}

const lastLines = 20;
/** Milliseconds for the CSE to answer. */
const patience = 60_000;
/** Milliseconds for one question, and between two. */
const onePatience = 2_000;
const between = 250;

/**
 * Resolves when the CSE answers anything at all. Rejects with a UsageError where testcontainers is not installed or no engine
 * answers, with a ContainerTargetError that ends with the container's last lines where it does not start.
 */
export async function startTarget(
  plan: ContainerPlan,
  load: () => Promise<Testcontainers> = () => import('testcontainers'),
): Promise<RunningTarget> {
  const library = await installed(load);
  const client = await library.getContainerRuntimeClient().catch((error: unknown) => {
    throw new UsageError(`--container needs a Docker engine, and none answers here (${reasonOf(error)})`);
  });
  const created: { id?: string } = {};
  class Target extends library.GenericContainer {
    protected override async containerCreated(id: string): Promise<void> {
      created.id = id;
    }
  }
  const container = new Target(plan.image)
    .withExposedPorts(plan.port)
    .withEnvironment({ ...plan.env })
    .withExtraHosts([{ host: 'host.docker.internal', ipAddress: 'host-gateway' }])
    .withWaitStrategy(new AnyAnswer(plan, client));
  try {
    return running(await container.start(), plan);
  } catch (error) {
    const words = created.id === undefined ? hint() : await lastWords(library, created.id).catch(() => '');
    throw new ContainerTargetError(`the container of ${plan.image} did not start: ${reasonOf(error)}${words}`, {
      cause: error,
    });
  }
}

function running(container: StartedTestContainer, { scheme, port }: ContainerPlan): RunningTarget {
  return {
    url: `${scheme}://${container.getHost()}:${container.getMappedPort(port)}`,
    stop: async () => void (await container.stop()),
  };
}

async function installed(load: () => Promise<Testcontainers>): Promise<Testcontainers> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('--container needs the package testcontainers: npm install --save-dev testcontainers@11');
  }
}

/** There are two images to be had, and the engine does not say which one it lacks. */
function hint(): string {
  if (process.env.TESTCONTAINERS_RYUK_DISABLED === 'true') return '';
  return '; testcontainers also wants its image testcontainers/ryuk, unless TESTCONTAINERS_RYUK_DISABLED=true is set';
}

/** What the container wrote last, as the end of a sentence; removes it. */
async function lastWords(library: Testcontainers, id: string): Promise<string> {
  const client = await library.getContainerRuntimeClient();
  const container = client.container.getById(id);
  const words = await wordsOf(container);
  await container.remove({ force: true });
  return words;
}

async function wordsOf(container: Waited[0]): Promise<string> {
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

type Client = Awaited<ReturnType<Testcontainers['getContainerRuntimeClient']>>;
type Waited = Parameters<WaitStrategy['waitUntilReady']>;

/** Every CSE answers something once it is there, if only that it wants to know who asks. */
class AnyAnswer implements WaitStrategy {
  readonly #plan: ContainerPlan;
  readonly #client: Client;
  #patience = patience;

  constructor(plan: ContainerPlan, client: Client) {
    this.#plan = plan;
    this.#client = client;
  }

  async waitUntilReady(container: Waited[0], ports: Waited[1]): Promise<void> {
    const { scheme, port } = this.#plan;
    const url = `${scheme}://${this.#client.info.containerRuntime.host}:${ports.getBinding(port)}/`;
    const agent = new Agent({ connect: { rejectUnauthorized: false } });
    const end = performance.now() + this.#patience;
    try {
      while (!(await answers(url, agent))) {
        const { State: state } = await container.inspect();
        if (!state.Running) throw await this.#failure(`it ended with exit code ${state.ExitCode}`, container);
        if (performance.now() > end) {
          throw await this.#failure(`nothing answers at port ${port} after ${this.#patience / 1000} s`, container);
        }
        await pause(between);
      }
    } finally {
      await agent.destroy();
    }
  }

  /** The container is removed as soon as this is thrown. */
  async #failure(reason: string, container: Waited[0]): Promise<Error> {
    return new Error(`${reason}${await wordsOf(container)}`);
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

async function answers(url: string, dispatcher: Agent): Promise<boolean> {
  try {
    const { body } = await request(url, { dispatcher, signal: AbortSignal.timeout(onePatience) });
    await body.dump();
    return true;
  } catch (error) {
    // Who refuses a client without a certificate during the handshake is there too.
    return String((error as NodeJS.ErrnoException).code).includes('SSL');
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
