/**
 * `cselab/coap`: a CSE in memory that listens for CoAP messages (TS-0008), without DTLS. Needs the package coap-packet.
 *
 *     import { createCse } from 'cselab';
 *     import { serveCoap } from 'cselab/coap';
 *
 *     await using cse = createCse({ dialect: 'onem2m' });
 *     await using coap = await serveCoap(cse, { port: 5683 });
 */

import type { HttpServerOptions } from './bindings/http.ts';
import { TargetRules } from './bindings/target-rules.ts';
import type { WiredCse } from './cse/create-cse.ts';
import { type ServedWire, servedOver } from './cse/outgoing-wires.ts';
import { importPackage } from './environment/missing-package.ts';

export type { ServedWire, WiredCse };

/** As for `serveHttp`. */
export interface ServeCoapOptions extends Pick<HttpServerOptions, 'port' | 'interface' | 'onError'> {
  /** Octets of one request body; 1 MiB unless given. */
  readonly bodyBytes?: number;
  /** Milliseconds for one request of the CSE with its answer; 5,000 unless given. */
  readonly timeout?: number;
}

/**
 * The CSE answers CoAP requests at that port, in blocks where they are large, and sends to `coap:` targets likewise. Rejects with node's
 * error when the address cannot be listened on.
 */
export async function serveCoap(cse: WiredCse, options: ServeCoapOptions = {}): Promise<ServedWire> {
  const [{ CoapSender }, { CoapServer }] = await importPackage('cselab/coap', 'coap-packet', () =>
    Promise.all([import('./bindings/coap/coap-sender.ts'), import('./bindings/coap/coap-server.ts')]),
  );
  const { timeout, ...rest } = options;
  const { clock } = cse.core.services.ports;
  const targets = new TargetRules({ deny: cse.wires.deny });
  const sender = new CoapSender({ targets, clock, ...(timeout !== undefined && { timeout }) });
  const server = await CoapServer.listen({ ...rest, service: cse.http, clock });
  const end = async (): Promise<void> => {
    sender.close();
    await server.close();
  };
  return servedOver('coap', { cse, sender, url: server.url, end });
}
