/**
 * The part of undici that a CSE needs. Its main file also loads fetch, WebSocket, mocks and caches, which are half of its
 * start-up time and 8 MB of every process. These two files are no public interface: the version of undici is pinned, and the tests
 * of the client fail where they have moved.
 */
import { createRequire } from 'node:module';
import type { Agent, Dispatcher } from 'undici';

const load = createRequire(import.meta.url);
const PooledAgent = load('undici/lib/dispatcher/agent.js') as typeof Agent;
const send = load('undici/lib/api/api-request.js') as Dispatcher['request'];

export function pooledAgent(options: Agent.Options): Agent {
  return new PooledAgent(options);
}

/** As the method of agents that undici's main file gives them. */
export function requestBy(agent: Agent, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData<unknown>> {
  return send.call(agent, options);
}
