/** Options of a test file for the CSEs of its tests. */

import type { ApplicationEntityOptions } from '../application-entity/options.ts';
import type { DeviationChoice } from '../deviations/applying.ts';
import type { OtherText } from '../environment/defined.ts';
import { defined } from '../environment/defined.ts';
import type { SeedTree, TreeName } from '../seeding/seed-tree.ts';
import type { PairOptions } from '../topology/pair.ts';

/** Options of either CSE of the pair: those of `startPair` without functions. */
export type MemberSettings = Omit<NonNullable<PairOptions['gateway']>, 'messenger' | 'randomText' | 'dialect'>;

/** `test.use({ cselab: { tree: 'building', deviations: ['ae.aei.missing'] } })`; the others have their defaults. */
export interface CselabOptions {
  /** How the CSEs speak; `documented` unless given. */
  readonly dialect?: 'documented' | 'onem2m';
  /** Of the pair; `off` unless given. With `server` and `mutual`, `pair.certs` are the files for clients. */
  readonly tls?: 'off' | 'server' | 'mutual';
  /** `true`: the CSEs are reached over MQTT too, at `pair.broker.url`, and reach each other by it; needs the packages mqtt and aedes. */
  readonly mqtt?: true;
  /** `true`: the same over WebSocket, at `gateway.wsUrl`; needs the package ws. */
  readonly ws?: true;
  /** `true`: the same over CoAP, at `gateway.coapUrl`; needs the package coap-packet. */
  readonly coap?: true;
  /** `manual`: time stands still until the test says `await clock.advance('1h')`. The system's unless given. */
  readonly clock?: 'system' | 'manual';
  /** How many gateways register at the backend; 1 unless given. */
  readonly gateways?: number;
  /** Further settings of the gateways, such as `{ requireAuth: true }`. A port of your choice is for one worker only. */
  readonly gateway?: MemberSettings;
  /** Further settings of the backend. */
  readonly backend?: MemberSettings;
  /** Resources of the (first) gateway at the beginning of each test: an object, a YAML file, or `building`, `fleet` or `meters`. */
  readonly tree?: TreeName | OtherText | SeedTree;
  /** The same of the backend. */
  readonly backendTree?: TreeName | OtherText | SeedTree;
  /** Of the (first) gateway: ids that `cselab up --list-deviations` lists, or rows. Those below HTTP go into `gateway: { deviations }`. */
  readonly deviations?: readonly DeviationChoice[];
  /** The application of the fixture `ae`: `Test-AE` with the defaults of `ApplicationEntity` unless given. */
  readonly application?: Pick<
    Partial<ApplicationEntityOptions>,
    'name' | 'api' | 'labels' | 'lifetime' | 'poas' | 'timeout'
  >;
}

/** The options that need another pair; the others can be changed while it runs. */
export function startingOptions(options: CselabOptions): Omit<PairOptions, 'clock'> {
  const { dialect, tls, mqtt, ws, coap, gateways, gateway, backend } = options;
  return defined({ dialect, tls, mqtt, ws, coap, gateways, gateway, backend });
}
