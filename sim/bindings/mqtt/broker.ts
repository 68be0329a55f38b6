/** An MQTT server in this process, where there is no other. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes } from 'aedes';
import { urlOf } from '../listener.ts';

export interface BrokerOptions {
  /** 0, or none given: a free port. */
  readonly port?: number;
  /** Address to listen on, 127.0.0.1 unless given. */
  readonly interface?: string;
  /** `mqtts:` instead of `mqtt:`; with `ca`, clients need a certificate that it verifies. PEM texts. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: string };
  /** Who may connect; everybody unless given. */
  readonly admits?: (username: string | undefined, password: string | undefined) => boolean;
}

export interface Broker extends AsyncDisposable {
  /** Such as `mqtt://127.0.0.1:1883`. */
  readonly url: string;
  /** Cuts every connection, forgets everything, and is there again at the same address. */
  restart(): Promise<void>;
  /** Cuts every connection and forgets everything. */
  close(): Promise<void>;
}

/** Rejects with node's error when the address cannot be listened on. */
export async function startBroker(options: BrokerOptions = {}): Promise<Broker> {
  let running = await listen(options);
  const { address } = running;
  const close = (): Promise<void> => running.end();
  return {
    url: urlOf(options.tls === undefined ? 'mqtt' : 'mqtts', address),
    async restart() {
      await running.end();
      running = await listen({ ...options, port: address.port });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listen({ port = 0, interface: host = '127.0.0.1', tls, admits }: BrokerOptions) {
  const aedes = await Aedes.createBroker();
  if (admits !== undefined) {
    aedes.authenticate = (_client, username, password, done) => done(null, admits(username, password?.toString()));
  }
  const server: Server =
    tls === undefined
      ? createServer({ noDelay: true }, aedes.handle)
      : createTlsServer(
          { ...tls, noDelay: true, requestCert: tls.ca !== undefined, rejectUnauthorized: tls.ca !== undefined },
          aedes.handle,
        );
  server.listen({ port, host });
  await once(server, 'listening');
  const end = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await new Promise<void>((resolve) => aedes.close(() => resolve()));
    await closed;
  };
  return { address: server.address() as AddressInfo, end };
}
