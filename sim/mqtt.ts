/**
 * `cselab/mqtt`: a CSE in memory at an MQTT server (TS-0010). Needs the package mqtt, and for a server in this process aedes.
 *
 *     import { createCse } from 'cselab';
 *     import { serveMqtt, startBroker } from 'cselab/mqtt';
 *
 *     await using broker = await startBroker();
 *     await using cse = createCse({ dialect: 'onem2m', pointOfAccess: [broker.url] });
 *     await using mqtt = await serveMqtt(cse, broker.url);
 */

import type { Broker, BrokerOptions } from './bindings/mqtt/broker.ts';
import type { MqttTls } from './bindings/mqtt/endpoint.ts';
import type { WiredCse } from './cse/create-cse.ts';
import { type ServedWire, servedOver } from './cse/outgoing-wires.ts';
import { displayUrl } from './dialects/outgoing-message.ts';
import { importPackage } from './environment/missing-package.ts';

export type { Broker, BrokerOptions, MqttTls, ServedWire, WiredCse };

export interface ServeMqttOptions {
  /** For a server behind `mqtts:`. */
  readonly tls?: MqttTls;
  /** Milliseconds for one request with its answer, and for a connection; 5,000 unless given. */
  readonly timeout?: number;
  /** Called with internal errors; they are written to the error console unless given. */
  readonly onError?: (error: unknown) => void;
}

/**
 * The CSE answers requests by the MQTT server at `url`, on `/oneM2M/req/<originator>/<CSE-ID>/json` or `cbor`, and sends to `mqtt:` targets
 * by it. The URL has user and password, and in its path a prefix of all topics. Rejects with an UnreachableError.
 */
export async function serveMqtt(cse: WiredCse, url: string, options: ServeMqttOptions = {}): Promise<ServedWire> {
  const { cseId, dialect } = cse.core.configuration;
  const who = { identifier: `/${cseId}`, dialect: dialect.name, service: cse.http, generation: () => cse.core };
  const { MqttSender } = await importPackage('cselab/mqtt', 'mqtt', () => import('./bindings/mqtt/mqtt-sender.ts'));
  const sender = await MqttSender.join({ ...options, ...who, url });
  return servedOver('mqtt', { cse, sender, url: displayUrl(url), end: () => sender.close() });
}

/** An MQTT server in this process. Rejects with node's error when the address cannot be listened on. */
export async function startBroker(options: BrokerOptions = {}): Promise<Broker> {
  const broker = await importPackage('startBroker', 'aedes', () => import('./bindings/mqtt/broker.ts'));
  return broker.startBroker(options);
}
