/** A target in its own container: started for a run, and stopped after it. Loaded only when needed. */

import { Agent, request } from 'undici';
import { UsageError } from '../../scenarios/words.ts';
import { io } from '../writing/io.ts';
import type { ContainerPlan } from './container-plan.ts';

type Testcontainers = typeof import('testcontainers');

export interface RunningTarget {
  /** Where this process reaches the CSE. */
  readonly url: string;
  stop(): Promise<unknown>;
}

/** Milliseconds for one probing request. */
const requestTimeout = 2_000;

/**
 * Resolves when the CSE answers at all. Rejects with a UsageError if testcontainers is not installed or no engine answers,
 * with a ContainerStartError that ends with the container's last lines if it does not start.
 */
export async function startTarget(
  { image, port, env, scheme }: ContainerPlan,
  load: () => Promise<Testcontainers> = () => import('testcontainers'),
): Promise<RunningTarget> {
  const library = await withEngine(load);
  const { startFailure, ReadinessWait } = await import('../../sim/containers/starting.ts');
  const created: { id?: string } = {};
  class Target extends library.GenericContainer {
    protected override async containerCreated(id: string): Promise<void> {
      created.id = id;
    }
  }
  const checkReady = async (address: string, waited: string): Promise<string | undefined> =>
    (await isAnswering(`${scheme}://${address}/`)) ? undefined : `nothing answers at port ${port} ${waited}`;
  const container = new Target(image)
    .withExposedPorts(port)
    .withEnvironment({ ...env })
    .withExtraHosts([{ host: 'host.docker.internal', ipAddress: 'host-gateway' }])
    .withWaitStrategy(new ReadinessWait(port, checkReady));
  try {
    const started = await container.start();
    return { url: `${scheme}://${started.getHost()}:${started.getMappedPort(port)}`, stop: () => started.stop() };
  } catch (error) {
    throw await startFailure(image, created.id, error, hint());
  }
}

async function withEngine(load: () => Promise<Testcontainers>): Promise<Testcontainers> {
  const library = await load().catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('--container needs the package testcontainers: npm install --save-dev testcontainers@11');
  });
  await library.getContainerRuntimeClient().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--container needs a Docker engine, and none answers here (${reason})`);
  });
  return library;
}

/** There are two images, and the engine does not say which one it lacks. */
function hint(): string {
  if (io().env.TESTCONTAINERS_RYUK_DISABLED === 'true') return '';
  return '; testcontainers also wants its image testcontainers/ryuk, unless TESTCONTAINERS_RYUK_DISABLED=true is set';
}

/** Every running CSE answers something, if only that the originator is missing. */
async function isAnswering(url: string): Promise<boolean> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const { body } = await request(url, { dispatcher, signal: AbortSignal.timeout(requestTimeout) });
    await body.dump();
    return true;
  } catch (error) {
    // A CSE that refuses clients without a certificate is up, too.
    return String((error as NodeJS.ErrnoException).code).includes('SSL');
  } finally {
    await dispatcher.destroy();
  }
}
