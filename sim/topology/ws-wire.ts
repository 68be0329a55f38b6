/** Where an installed CSE listens for WebSocket connections, beside its listener of HTTP. */

import type { HttpClientOptions } from '../bindings/client.ts';
import type { TlsMaterial } from '../bindings/tls.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { defined } from '../environment/defined.ts';
import { demandedOf, namesOf } from './entrance.ts';
import type { Later, NodeSettings, NodeSurroundings } from './node.ts';

interface WsSurroundings extends HttpClientOptions, Required<Pick<NodeSurroundings, 'onError' | 'log'>> {
  /** Read from the files of the settings; undefined where there are none. */
  readonly material: TlsMaterial | undefined;
}

/** What the installation has to know of it. */
interface WsWire {
  readonly url: string | undefined;
  readonly wires: ReadonlyArray<readonly ['ws', Sender]>;
  readonly wayOut: { connectionOf?(identifier: string): string | undefined };
  renewTls(material: TlsMaterial): void;
  close(): Promise<void>;
}

const none: WsWire = { url: undefined, wires: [], wayOut: {}, renewTls: () => {}, close: async () => {} };

/** Loads the package that it needs for those who want it. Rejects with node's error, or a TlsMaterialError. */
export async function openWs(
  { cse, http = {}, ws, registration }: NodeSettings,
  later: Later,
  { material, tls: outgoing, onError, log, targets, timeout }: WsSurroundings,
): Promise<WsWire> {
  if (ws === undefined) return none;
  const { WsEndpoint } = await import('../bindings/ws/ws-endpoint.ts');
  const isSecure = http.enableHttps === true && material !== undefined;
  const hosts = namesOf({ cse, ...defined({ registration }) });
  const endpoint = await WsEndpoint.listen({
    ...{ cors: cse.cors ?? [], hosts, onError, onIncident: log, speaker: () => speakerOf(later) },
    ...(isSecure && { tls: { material, clientCertificate: demandedOf(http) } }),
    ...defined({ port: ws.port, interface: http.interface, limits: http.limits, outgoing, targets, timeout }),
  });
  return {
    url: endpoint.url,
    wires: [['ws', endpoint]],
    wayOut: { connectionOf: (identifier) => endpoint.connectionOf(identifier) },
    renewTls: (changed) => endpoint.renewTls(changed),
    close: () => endpoint.close(),
  };
}

function speakerOf({ current, service }: Later) {
  if (current === undefined || service === undefined) throw new TypeError('a request came before the CSE was there');
  const { base, cseId, spId, dialect } = current.core().configuration;
  return { service, identity: { base, cseId, spId, dialect: dialect.name } };
}
