/**
 * The wires of an installed CSE beside HTTP, which every one has: listeners for WebSocket and CoAP start before the CSE, and the connection
 * to an MQTT server after it. Each is loaded on demand.
 */

import type { HttpClientOptions } from '../bindings/client.ts';
import type { MqttOptions } from '../bindings/mqtt/endpoint.ts';
import type { MqttSender } from '../bindings/mqtt/mqtt-sender.ts';
import type { TlsMaterial } from '../bindings/tls.ts';
import type { OutgoingWires } from '../cse/outgoing-wires.ts';
import type { ReplaceableCse } from '../cse/replaceable-cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import { displayUrl, wireOf } from '../dialects/outgoing-message.ts';
import type { WireDisturbances } from '../disturbance/disturbances.ts';
import { defined } from '../environment/defined.ts';
import { importPackage } from '../environment/missing-package.ts';
import { clientCertificateOf, lateService, namesOf, presentedCertificate } from './http-entry.ts';
import { inParts } from './in-parts.ts';
import type { NodeContext, NodeSettings } from './node-settings.ts';

/** The open wires of an installation. */
export interface OpenWires {
  /** Their points of access. */
  readonly points: readonly string[];
  readonly wsUrl: string | undefined;
  /** Opens the wires that need the CSE. Rejects with an UnreachableError. */
  join(current: ReplaceableCse): Promise<void>;
  renewTls(material: TlsMaterial): Promise<void>;
  close(): Promise<void>;
}

/** Rejects with node's error, or a TlsMaterialError. */
export async function openWires(settings: NodeSettings, later: LateCse, context: WireContext): Promise<OpenWires> {
  return inParts(async (ends, close) => {
    const ws = await openWs(settings, later, context);
    ends.push(ws.close);
    const coap = await openCoap(settings, later, context);
    ends.push(coap.close);
    const listening = [ws.url, coap.url].map((url) => url && atOwnHost(url, settings.cse.pointOfAccess));
    const points = [settings.mqtt && displayUrl(settings.mqtt.url), ...listening].filter((one) => one !== undefined);
    const join: OpenWires['join'] = async (current) => {
      const mqtt = await joinMqtt(settings, current, context);
      if (mqtt !== undefined) ends.push(() => mqtt.close());
    };
    return { points, wsUrl: ws.url, join, renewTls: ws.renewTls, close };
  });
}

/** The URL with the host name of the HTTP point of access, which may differ from the address of the listener. */
export function atOwnHost(url: string, [own]: readonly string[] = []): string {
  const isName = own !== undefined && URL.canParse(own) && wireOf(own) === 'http';
  return isName ? url.replace(/\/\/.*(?=:)/, `//${new URL(own).hostname}`) : url;
}

/** Set when the CSE exists, which needs the URLs of its listeners first. */
export interface LateCse {
  current?: ReplaceableCse;
  service?: HttpService;
}

/** Loads its package on demand. Rejects with an UnreachableError. */
async function joinMqtt(
  { mqtt }: NodeSettings,
  { core, service }: ReplaceableCse,
  { disturbances, out, ...rest }: Pick<MqttOptions, 'tls' | 'onError' | 'timeout'> & WireControls,
): Promise<MqttSender | undefined> {
  if (mqtt === undefined) return undefined;
  const { cseId, dialect } = core().configuration;
  const { MqttSender } = await importPackage('MQTT', 'mqtt', () => import('../bindings/mqtt/mqtt-sender.ts'));
  const who = { identifier: `/${cseId}`, dialect: dialect.name };
  const hooks = { service, generation: core, detour: disturbances.messageDetour };
  const sender = await MqttSender.join({ ...mqtt, ...rest, ...who, ...hooks });
  disturbances.installAt({ wire: 'mqtt', suspend: () => sender.suspend(), resume: () => sender.resume() });
  out.add('mqtt', sender);
  return sender;
}

interface WireControls {
  /** Where each wire registers for disturbances. */
  readonly disturbances: WireDisturbances;
  /** The senders of the CSE. */
  readonly out: OutgoingWires;
}

interface WireContext
  extends HttpClientOptions,
    WireControls,
    Required<Pick<NodeContext, 'onError' | 'log' | 'clock'>> {
  /** Read from the files of the settings; undefined where there are none. */
  readonly material: TlsMaterial | undefined;
}

/** The WebSocket wire of an installation. */
interface WsWire {
  readonly url: string | undefined;
  renewTls(material: TlsMaterial): Promise<void>;
  close(): Promise<void>;
}

const noWs: WsWire = { url: undefined, renewTls: async () => {}, close: async () => {} };

/** Loads its package on demand. Rejects with node's error, or a TlsMaterialError. */
async function openWs(
  settings: NodeSettings,
  later: LateCse,
  { material, tls: outgoing, onError, log, targets, timeout, disturbances, out }: WireContext,
): Promise<WsWire> {
  const { cse, http = {}, ws } = settings;
  if (ws === undefined) return noWs;
  const { WsEndpoint } = await importPackage('WebSocket', 'ws', () => import('../bindings/ws/ws-endpoint.ts'));
  const certificate = presentedCertificate(settings, material);
  const address = { port: ws.port, interface: http.interface, limits: http.limits, outgoing, targets, timeout };
  const tls = certificate && { material: await certificate.material(), clientCertificate: clientCertificateOf(http) };
  const endpoint = await WsEndpoint.listen({
    ...{ cors: cse.cors ?? [], hosts: namesOf(settings), onError, onIncident: log, cse: () => cseIn(later) },
    ...{ detour: disturbances.messageDetour, ...defined({ ...address, tls }) },
  });
  disturbances.installAt({
    ...{ wire: 'ws', suspend: () => endpoint.suspend(), resume: () => endpoint.resume() },
    ...(certificate && { present: (defect) => certificate.renewAt(endpoint, { broken: defect }) }),
  });
  out.add('ws', endpoint);
  return {
    url: endpoint.url,
    renewTls: async (sound) => certificate?.renewAt(endpoint, { sound }),
    close: () => endpoint.close(),
  };
}

function cseIn({ current, service: http }: LateCse) {
  if (current === undefined || http === undefined) throw new TypeError('a request came before the CSE was there');
  return { http, core: current.core() };
}

interface CoapWire {
  readonly url: string | undefined;
  close(): Promise<void>;
}

const noCoap: CoapWire = { url: undefined, close: async () => {} };

/** Loads its package on demand. Rejects with node's error. */
async function openCoap(
  { http = {}, coap }: NodeSettings,
  later: LateCse,
  { onError, targets, timeout, clock, disturbances, out }: WireContext,
): Promise<CoapWire> {
  if (coap === undefined) return noCoap;
  const [{ CoapServer }, { CoapSender }] = await importPackage('CoAP', 'coap-packet', () =>
    Promise.all([import('../bindings/coap/coap-server.ts'), import('../bindings/coap/coap-sender.ts')]),
  );
  const sender = new CoapSender(defined({ targets, timeout, clock }));
  const server = await CoapServer.listen({
    ...{ service: lateService(later), onError, clock, detour: disturbances.messageDetour },
    ...defined({ port: coap.port, interface: http.interface, bodyBytes: http.limits?.bodyBytes }),
  });
  disturbances.installAt({ wire: 'coap', suspend: () => server.suspend(), resume: () => server.resume() });
  const close = async (): Promise<void> => {
    sender.close();
    await server.close();
  };
  out.add('coap', sender);
  return { url: server.url, close };
}
