/** Where an installed CSE listens for CoAP messages, beside its listener of HTTP, and how it sends them. */

import type { CoapSenderOptions } from '../bindings/coap/coap-sender.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { defined } from '../environment/defined.ts';
import type { Later, NodeSettings, NodeSurroundings } from './node.ts';

interface CoapWire {
  readonly url: string | undefined;
  readonly wires: ReadonlyArray<readonly ['coap', Sender]>;
  close(): Promise<void>;
}

const none: CoapWire = { url: undefined, wires: [], close: async () => {} };

/** Loads the package that it needs for those who want it. Rejects with node's error. */
export async function openCoap(
  { http = {}, coap }: NodeSettings,
  later: Later,
  { onError, targets, timeout }: CoapSenderOptions & Required<Pick<NodeSurroundings, 'onError'>>,
): Promise<CoapWire> {
  if (coap === undefined) return none;
  const [{ CoapServer }, { CoapSender }] = await Promise.all([
    import('../bindings/coap/coap-server.ts'),
    import('../bindings/coap/coap-sender.ts'),
  ]);
  const sender = new CoapSender(defined({ targets, timeout }));
  const server = await CoapServer.listen({
    ...{ service: whenThere(later), onError },
    ...defined({ port: coap.port, interface: http.interface, bodyBytes: http.limits?.bodyBytes }),
  });
  const close = async (): Promise<void> => {
    sender.close();
    await server.close();
  };
  return { url: server.url, wires: [['coap', sender]], close };
}

/** It listens before the CSE is there, which is told where. */
function whenThere(later: Later): HttpService {
  const there = (): HttpService => {
    if (later.service === undefined) throw new TypeError('a request came before the CSE was there');
    return later.service;
  };
  return { handle: (request) => there().handle(request), refuse: (error) => there().refuse(error) };
}
