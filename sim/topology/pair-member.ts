/** One CSE of a pair: its settings, its URLs, and its controls for tests. */
import type { HttpLimits } from '../bindings/limits.ts';
import type { DialectName } from '../core/resource-type.ts';
import type { CseOptions, ReferenceCse } from '../cse/create-cse.ts';
import type { Wire } from '../dialects/http-message.ts';
import { wireOf } from '../dialects/outgoing-message.ts';
import type { Disturbances } from '../disturbance/contract.ts';
import type { Duration, RequestMatch } from '../disturbance/rule.ts';
import type { Scheduler } from '../environment/clock.ts';
import type { CseControls } from '../instruments/controls.ts';
import type { Outbound } from '../instruments/instruments.ts';
import type { CseNode } from './node.ts';
import type { InstallationOptions, NodeContext, NodeSettings } from './node-settings.ts';
import type { TlsFiles } from './tls-files.ts';

/** `server`: HTTPS, and clients may present a certificate. `mutual`: HTTPS, and clients must present one. */
export type TlsMode = 'off' | 'server' | 'mutual';

/** Options of either CSE. */
export interface MemberOptions
  extends Omit<CseOptions, 'clock' | 'onError' | 'openTelemetry' | 'pointOfAccess'>,
    InstallationOptions {
  /** A free one unless given. */
  readonly port?: number;
  /** 127.0.0.1 unless given. */
  readonly interface?: string;
  /** Limits of its listener that are not the default. */
  readonly httpLimits?: Partial<HttpLimits>;
}

export interface SharedOptions
  extends Pick<NodeContext, 'sendingTimeout' | 'onError' | 'log'>,
    Pick<CseOptions, 'openTelemetry'> {
  /** Of both CSEs; `documented` unless given. */
  readonly dialect?: DialectName;
  /** `off` unless given. */
  readonly tls?: TlsMode;
  /**
   * Over MQTT, too, also between each other: `true` by a server of their own, or by yours, with user and password in its URL. Needs the
   * package mqtt, and for a server of their own aedes.
   */
  readonly mqtt?: true | { readonly url: string };
  /** The same over WebSocket, at a free port of each; needs the package ws. Of several wires the CSEs use the first here between each other. */
  readonly ws?: true;
  /** The same over CoAP, always without DTLS; needs the package coap-packet. */
  readonly coap?: true;
  /** Of both CSEs; the system's unless given. `manual`: one that stands still until `pair.clock.advance('1h')`. */
  readonly clock?: Scheduler | 'manual';
  /** Seconds between two renewals of the registration; 3,600 unless given. */
  readonly interval?: number;
  /** Seconds that a registration lives beyond the interval; 3,600 unless given. */
  readonly offset?: number;
  /** Of the registration; `cselab` unless given. */
  readonly labels?: readonly string[];
}

/** Latency of answers: fixed, uniform or long-tailed. */
export type Delay =
  | Duration
  | { readonly from: Duration; readonly to: Duration }
  | { readonly median: Duration; readonly p99: Duration };

export interface PairMember extends CseControls {
  readonly url: string;
  /** Of its MQTT server; undefined where there is none. */
  readonly mqttUrl: string | undefined;
  /** URL of its WebSocket listener, `ws:` or `wss:`; undefined without one. */
  readonly wsUrl: string | undefined;
  /** URL of its CoAP listener; undefined without one. */
  readonly coapUrl: string | undefined;
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
  /** Another one after a reset or a restore. */
  readonly cse: ReferenceCse;
  /** Of the admin port; undefined when there is none. */
  readonly adminUrl: string | undefined;
  /** Sent with each request to the admin port: `Authorization: Bearer <token>`. */
  readonly adminToken: string | undefined;
  /** Disturbances of its wires: `await pair.gateway.disturbances.set(['drop POST share=0.1'])`. */
  readonly disturbances: Disturbances;
  /**
   * Delays its answers from now on, by the clock of the pair: `await pair.gateway.delay('200ms', { method: 'POST' })`. Delays
   * add up. Rejects with a DisturbanceRuleError for an invalid time.
   */
  delay(by: Delay, match?: RequestMatch): Promise<void>;
  /** Removes all delays; other disturbances stay, and begin to count anew. */
  clearDelays(): Promise<void>;
  /** Whether it is registered at the backend, or why it is not, in a sentence; true for the backend itself. */
  readonly registered: true | string;
  /** Resolves when the CSE is registered at the backend (again); at once for the backend itself. */
  whenRegistered(): Promise<void>;
}

/** The CSE at which a gateway registers. */
export interface Remote {
  readonly url: string;
  readonly cseId: string;
  readonly base: string;
}

export function settingsOf(
  member: MemberOptions,
  tls: TlsFiles | undefined,
  remote: Remote | undefined,
  { tls: mode = 'off', mqtt, ws, coap, interval = 3600, offset = 3600, labels = ['cselab'], ...others }: SharedOptions,
): NodeSettings {
  const { port, interface: address, httpLimits: limits } = member;
  const http = { port, interface: address, limits, enableHttps: mode !== 'off', requireCert: mode === 'mutual' };
  const byMqtt = typeof mqtt === 'object' && { mqtt: { url: mqtt.url } };
  const reached = { ...byMqtt, ...(ws && { ws: {} }), ...(coap && { coap: {} }) };
  const cse = others.openTelemetry ? { ...member, openTelemetry: others.openTelemetry } : member;
  const settings = { ...member, ...reached, cse, http, ...(tls && { tls }) };
  if (remote === undefined) return settings;
  const { url, ...names } = remote;
  const remoteCses = [{ ...names, cseType: 'IN-CSE' as const, ownPoa: [], poa: [url] }];
  return { ...settings, registration: { interval, offset, labels, remoteCses } };
}

/** A member with its internals for the pair. */
export interface StartedMember {
  readonly node: CseNode;
  readonly member: PairMember;
  readonly outbound: Outbound;
  /** Deregisters and ends. */
  close(): Promise<void>;
}

export function memberOf(node: CseNode, controls: CseControls): PairMember {
  const { base, cseId, spId } = node.cse.core.configuration;
  const { disturbances, adminUrl, adminToken, url = '' } = node;
  const over = (wire: Wire) => node.points.find((point) => wireOf(point) === wire);
  return {
    ...controls,
    ...{ url, mqttUrl: over('mqtt'), wsUrl: over('ws'), coapUrl: over('coap') },
    ...{ base, cseId, spId, adminUrl, adminToken, disturbances, whenRegistered: node.whenRegistered },
    delay(by, match) {
      const latency = typeof by === 'object' ? by : { by };
      return disturbances.add({ do: { effect: 'latency', ...latency }, ...(match && { match }) });
    },
    clearDelays() {
      const others = disturbances.rules.map(({ rule }) => rule).filter((rule) => rule.do.effect !== 'latency');
      return disturbances.set(others);
    },
    get registered() {
      const open = node.registrations.find((one) => !one.registered);
      return open === undefined || (open.problem ?? `it has not been answered by ${open.remote} yet`);
    },
    get cse() {
      return node.cse;
    },
  };
}

/** Its URLs, in the order of preference within a pair. */
export const urlsOf = ({ mqttUrl, wsUrl, coapUrl, url }: PairMember): string[] =>
  [mqttUrl, wsUrl, coapUrl, url].filter((one) => one !== undefined);
