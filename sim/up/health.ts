/** `cselab up --health-port`: health checks and metrics for containers and their orchestrators. Plain HTTP, for everybody who reaches it. */

import { type HttpServer, serveHttp } from '../bindings/http.ts';
import { reserved } from '../bindings/target-rules.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import type { CseNode } from '../topology/node.ts';
import { jsonAnswer } from '../topology/port-refusal.ts';
import { type CountedNode, metricsAnswer } from './metrics.ts';

/** The answer to `GET /ready`, as JSON; with 200 when `ready`, else with 503. */
export interface Health {
  readonly ready: boolean;
  readonly cses: readonly CseHealth[];
}

interface CseHealth {
  readonly cseId: string;
  /** Its URL on its own machine; absent where it does not listen. */
  readonly url?: string;
  /** CSE identifiers of its registrars. */
  readonly registeredAt: readonly string[];
  /** CSE identifiers of missing registrars, with the reason as far as it is known. */
  readonly missing: Readonly<Record<string, string>>;
}

export interface HealthOptions {
  /** The CSEs started so far. */
  readonly nodes: () => readonly CountedNode[];
  /** Whether all of them have started. */
  readonly started: () => boolean;
  /** 0 for a free one. */
  readonly port: number;
  /** 127.0.0.1 unless given. */
  readonly interface?: string;
}

/**
 * `GET /live` answers 200 as soon as it listens; `GET /ready` once every CSE has started and completed its registrations;
 * `GET /metrics` counts, for Prometheus.
 * Rejects with node's error for a port that is taken.
 */
export async function serveHealth({ nodes, started, port, interface: host }: HealthOptions): Promise<HttpServer> {
  const health = (): Health => {
    const cses = nodes().map(({ node }) => healthOf(node));
    return { ready: started() && cses.every(({ missing }) => Object.keys(missing).length === 0), cses };
  };
  const answers = new Map([
    ['/live', () => jsonAnswer(200, { live: true })],
    ['/ready', () => readyAnswer(health())],
    ['/metrics', () => metricsAnswer(nodes())],
  ]);
  const service: HttpService = {
    handle: (request) => respond(request, answers),
    refuse: ({ http, message }) => jsonAnswer(http, { error: message }),
  };
  return reserved(await serveHttp(service, { port, ...(host !== undefined && { interface: host }) }));
}

function respond({ method, target }: HttpRequest, answers: ReadonlyMap<string, () => HttpResponse>): HttpResponse {
  const [path = ''] = target.split('?');
  const answer = answers.get(path);
  if (answer === undefined) {
    return jsonAnswer(404, { error: `There is no ${path} here; there is /live, /ready and /metrics.` });
  }
  if (method !== 'GET' && method !== 'HEAD') return jsonAnswer(405, { error: 'There is only GET here.' });
  return answer();
}

const readyAnswer = (health: Health): HttpResponse => jsonAnswer(health.ready ? 200 : 503, health);

function healthOf({ cse, url, registrations }: CseNode): CseHealth {
  const lacking = registrations.filter(({ registered }) => !registered);
  return {
    cseId: cse.core.configuration.cseId,
    ...(url !== undefined && { url }),
    registeredAt: registrations.filter(({ registered }) => registered).map(({ remote }) => remote),
    missing: Object.fromEntries(lacking.map(({ remote, problem }) => [remote, problem ?? 'not registered yet'])),
  };
}
