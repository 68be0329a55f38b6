/** What a test file says of the CSEs that its tests are to find. */

import type { ApplicationEntityOptions } from '../application-entity/options.ts';
import type { DeviationChoice } from '../deviations/applying.ts';
import type { OtherText } from '../environment/defined.ts';
import { defined } from '../environment/defined.ts';
import type { SeedTree, TreeName } from '../seeding/seed-tree.ts';
import type { PairOptions } from '../topology/pair.ts';

/** What can be said of either CSE of the pair: everything that `startPair` takes but functions. */
export type MemberSettings = Omit<NonNullable<PairOptions['gateway']>, 'messenger' | 'randomText' | 'dialect'>;

/** `test.use({ cselab: { tree: 'building', deviations: ['ae.aei.missing'] } })`; what is not said has its default. */
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
  /** Of the (first) gateway: the ids that `cselab up --list-deviations` tells, or rows. Those below HTTP go into `gateway: { deviations }`. */
  readonly deviations?: readonly DeviationChoice[];
  /** The application of the fixture `ae`: named `Test-AE`, and otherwise as `ApplicationEntity` has it, unless given. */
  readonly application?: Pick<
    Partial<ApplicationEntityOptions>,
    'name' | 'api' | 'labels' | 'lifetime' | 'poas' | 'timeout'
  >;
}

/** What a pair has to be started for; the others can be changed while it runs. */
export function startingOptions(options: CselabOptions): Omit<PairOptions, 'clock'> {
  const { dialect, tls, mqtt, ws, coap, gateways, gateway, backend } = options;
  return defined({ dialect, tls, mqtt, ws, coap, gateways, gateway, backend });
}
