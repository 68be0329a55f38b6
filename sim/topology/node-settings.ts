/** The settings of one installed CSE, and its context. */

import type { HttpLimits } from '../bindings/limits.ts';
import type { CseOptions } from '../cse/create-cse.ts';
import type { ServiceWrapping } from '../cse/replaceable-cse.ts';
import type { RuleInput } from '../disturbance/contract.ts';
import type { Scheduler } from '../environment/clock.ts';
import type { RemoteCse } from './registration-requests.ts';
import type { TlsFiles } from './tls-files.ts';

/** Options of an installed CSE beside those of the CSE itself. */
export interface InstallationOptions {
  /** The originator of requests that this CSE sends, in place of its own identifier. */
  readonly overwriteOriginator?: string;
  /** `overwriteOriginator` replaces the originator of forwarded requests, too, for a peer that needs its client's own. */
  readonly overwriteForwarded?: boolean;
  /** Opens an admin port there (0: at a free one): resets, snapshots, sent requests. */
  readonly adminPort?: number;
  /** Of the admin port; a random one unless given. */
  readonly adminToken?: string;
  /** What goes wrong at its listener once `startDisturbing` is called; its clock is wrong from the beginning. See `CseNode.disturbances`. */
  readonly disturbances?: readonly RuleInput[];
  /** Seed of their randomness; 1 unless given. */
  readonly disturbanceSeed?: number;
}

export interface NodeSettings extends InstallationOptions {
  readonly cse: CseOptions;
  /** The product that it imitates: `cselab as acme`. */
  readonly imitates?: string;
  /** Absent: it does not listen. */
  readonly http?: {
    /** 127.0.0.1 unless given. */
    readonly interface?: string | undefined;
    /** A free one unless given. */
    readonly port?: number | undefined;
    readonly enableHttps?: boolean;
    readonly requireCert?: boolean;
    /** The handshake fails for a client without the required certificate. */
    readonly rejectAtHandshake?: boolean;
    /** Limits of its listener that are not the default. */
    readonly limits?: Partial<HttpLimits> | undefined;
  };
  /** The MQTT server by which it is reached, too, `mqtt://…` or `mqtts://…`, with user and password where needed. */
  readonly mqtt?: { readonly url: string };
  /** Over WebSocket, too, at this port, or a free one; otherwise like `http`. */
  readonly ws?: { readonly port?: number };
  /** Over CoAP, too, without DTLS, at this port, or a free one; with the interface and the body limit of `http`. */
  readonly coap?: { readonly port?: number };
  /** Needed for HTTPS; presented to other CSEs too. */
  readonly tls?: TlsFiles;
  /** The certificates of other CSEs are not verified. */
  readonly acceptInsecureCerts?: boolean;
  /** Requests for other CSEs are refused, as if none were registered. */
  readonly disableForwarding?: boolean;
  readonly registration?: {
    /** Seconds. */
    readonly interval: number;
    /** Seconds. */
    readonly offset: number;
    readonly labels: readonly string[];
    /** Without `ownPoa`, it is the URL at which this CSE listens. */
    readonly remoteCses: readonly RemoteCse[];
  };
}

export interface NodeContext {
  readonly clock?: Scheduler;
  /** Milliseconds for each request to another CSE; 5,000 unless given. */
  readonly sendingTimeout?: number;
  /** Called with internal errors. */
  readonly onError?: (error: unknown) => void;
  /** Called when a rule about connections has ended the CSE, with the request that triggered it. */
  readonly onDeath?: (request: string) => void;
  /** One line for each change of a registration and each incident of a connection. */
  readonly log?: (line: string) => void;
  /** Observe and change requests and answers. */
  readonly instruments?: ServiceWrapping;
}
