/**
 * The part of undici that a CSE needs. Its main file also loads fetch, WebSocket, mocks and caches, which are half of its
 * start-up time and 8 MB of every process. These two files are no public interface: the version of undici is pinned, and the tests
 * of the client fail where they have moved.
 */
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { deniedTarget, lookupBut, type TargetRules } from './target-rules.ts';

const load = createRequire(import.meta.url);
const PooledAgent = load('undici/lib/dispatcher/agent.js') as typeof Agent;
const makeConnector = load('undici/lib/core/connect.js') as typeof buildConnector;
const send = load('undici/lib/api/api-request.js') as Dispatcher['request'];

export function pooledAgent(options: Agent.Options): Agent {
  return new PooledAgent(options);
}

/** As the method of agents that undici's main file gives them. */
export function requestBy(agent: Agent, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData<unknown>> {
  return send.call(agent, options);
}

/** Connects as undici does, and not to addresses that the rules deny, by whatever name they are called. */
export function connectorBy(rules: TargetRules, options: buildConnector.BuildOptions): buildConnector.connector {
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const isDenied = rules.of(`${target.protocol}//${target.host ?? host}`);
    if (isIP(host) > 0 && isDenied(host)) callback(deniedTarget(host), null);
    else makeConnector({ ...options, lookup: lookupBut(isDenied) } as buildConnector.BuildOptions)(target, callback);
  };
}
