/**
 * `cselab/ws`: a CSE in memory that listens for WebSocket connections (TS-0020). Needs the package ws.
 *
 *     import { createCse } from 'cselab';
 *     import { serveWs } from 'cselab/ws';
 *
 *     await using cse = createCse({ dialect: 'onem2m' });
 *     await using ws = await serveWs(cse, { port: 8180 });
 */

import type { HttpServerOptions } from './bindings/http.ts';
import { TargetRules } from './bindings/target-rules.ts';
import type { WiredCse } from './cse/create-cse.ts';
import { type ServedWire, servedOver } from './cse/outgoing-wires.ts';
import { importPackage } from './environment/missing-package.ts';

export type { ServedWire, WiredCse };

/** As for `serveHttp`. The limit of a body is that of a message. */
export interface ServeWsOptions extends Pick<HttpServerOptions, 'port' | 'interface' | 'tls' | 'limits' | 'onError'> {
  /** Milliseconds for one request of the CSE with its answer, and for a connection; 5,000 unless given. */
  readonly timeout?: number;
}

/**
 * The CSE listens for connections with the subprotocol `oneM2M.json` or `oneM2M.cbor`. Requests go both ways over them: an application without
 * a point of access is notified over the one by which its last request was granted. The CSE sends to `ws:` targets likewise.
 * Rejects as `serveHttp` does.
 */
export async function serveWs(cse: WiredCse, options: ServeWsOptions = {}): Promise<ServedWire> {
  const { WsEndpoint } = await importPackage('cselab/ws', 'ws', () => import('./bindings/ws/ws-endpoint.ts'));
  const targets = new TargetRules({ deny: cse.wires.deny });
  const endpoint = await WsEndpoint.listen({ ...options, cors: cse.http.cors ?? [], targets, cse: () => cse });
  return servedOver('ws', { cse, sender: endpoint, url: endpoint.url, end: () => endpoint.close() });
}
