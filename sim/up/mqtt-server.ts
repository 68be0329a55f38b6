/** `cselab up --mqtt`: the MQTT server of all started CSEs. */

import { wireOf } from '../dialects/outgoing-message.ts';
import { defined } from '../environment/defined.ts';
import { importPackage } from '../environment/missing-package.ts';
import type { NodeSettings } from '../topology/node-settings.ts';
import { atOwnHost } from '../topology/wires.ts';
import { ListenError, type UpOptions, UpOptionsError } from './options.ts';
import type { UpOutput } from './output/event.ts';
import type { UpSettings } from './settings.ts';

/** The MQTT server of `--mqtt`, or one started here; undefined without the flag. */
export async function brokerOf(
  { mqtt, port, interface: host, ownUrl }: UpOptions,
  output: UpOutput,
): Promise<{ readonly url: string; close(): Promise<void> | void } | undefined> {
  if (mqtt === undefined) return undefined;
  if (typeof mqtt === 'string') {
    if (URL.canParse(mqtt) && wireOf(mqtt) === 'mqtt') return { url: mqtt, close: () => {} };
    throw new UpOptionsError(`--mqtt takes a URL such as mqtt://127.0.0.1:1883, not "${mqtt}"`);
  }
  const { startBroker } = await importPackage('--mqtt', 'mqtt aedes', () => import('../bindings/mqtt/broker.ts'));
  const own = port === 0 ? 0 : usualMqttPort;
  const broker = await startBroker({ port: own, ...defined({ interface: host }) }).catch((error: unknown) => {
    throw new ListenError(host ?? '127.0.0.1', own, error);
  });
  const url = atOwnHost(broker.url, ownUrl === undefined ? [] : [ownUrl]);
  output.report({ event: 'listening', what: 'mqtt', url });
  return { url, close: () => broker.close() };
}

/** As registered for MQTT (TS-0010, clause 6.6). */
const usualMqttPort = 1883;

export function withMqtt(settings: UpSettings, url: string | undefined): UpSettings {
  if (url === undefined) return settings;
  const { gateways, backend } = settings;
  const reached = <One extends NodeSettings | undefined>(one: One) => one && { ...one, mqtt: { url } };
  return { ...settings, gateways: gateways.map(reached), backend: reached(backend) };
}
