/** How one CSE is to be installed, and what is around it. */

import type { HttpLimits } from '../bindings/limits.ts';
import type { CseOptions } from '../cse/create-cse.ts';
import type { ServiceWrapping } from '../cse/replaceable-cse.ts';
import type { RuleInput } from '../disturbance/contract.ts';
import type { Scheduler } from '../environment/clock.ts';
import type { RemoteCse } from './registration-requests.ts';
import type { TlsFiles } from './tls-files.ts';

/** What can be said of an installed CSE beside what it is itself. */
export interface InstallationOptions {
  /** Stands for the own identifier as originator of what this CSE sends. */
  readonly overwriteOriginator?: string;
  /** `overwriteOriginator` stands for the originator of what it forwards, too, for a peer that wants its client's own. */
  readonly overwriteForwarded?: boolean;
  /** Opens an admin port there (0: at a free one): resets, snapshots, what was sent. */
  readonly adminPort?: number;
  /** Of the admin port; one that is made up unless given. */
  readonly adminToken?: string;
  /** What goes wrong at its listener once `startDisturbing` is called; its clock is wrong from the beginning. See `CseNode.disturbances`. */
  readonly disturbances?: readonly RuleInput[];
  /** Of what is left to chance in it; 1 unless given. */
  readonly disturbanceSeed?: number;
}

export interface NodeSettings extends InstallationOptions {
  readonly cse: CseOptions;
  /** Whom it imitates, as it is told: `cselab as acme`. */
  readonly imitates?: string;
  /** Absent: it does not listen. */
  readonly http?: {
    /** 127.0.0.1 unless given. */
    readonly interface?: string | undefined;
    /** A free one unless given. */
    readonly port?: number | undefined;
    readonly enableHttps?: boolean;
    readonly requireCert?: boolean;
    /** A client without the required certificate does not even get through the handshake. */
    readonly rejectAtHandshake?: boolean;
    /** What its listener accepts, where it is not the default. */
    readonly limits?: Partial<HttpLimits> | undefined;
  };
  /** The MQTT server by which it is reached as well, `mqtt://…` or `mqtts://…`, with user and password where it wants them. */
  readonly mqtt?: { readonly url: string };
  /** Reached over WebSocket as well, at this port, or a free one; as for the rest like `http`. */
  readonly ws?: { readonly port?: number };
  /** Reached over CoAP as well, without DTLS, at this port, or a free one; where and within what bodies as `http` says. */
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
    /** Without `ownPoa`, the URL at which this CSE listens is given. */
    readonly remoteCses: readonly RemoteCse[];
  };
}

export interface NodeContext {
  readonly clock?: Scheduler;
  /** Milliseconds for each request to another CSE; 5,000 unless given. */
  readonly sendingTimeout?: number;
  /** Hears of defects of ours. */
  readonly onError?: (error: unknown) => void;
  /** Told when a rule about connections has ended the life of the CSE, with the request that did it. */
  readonly onDeath?: (request: string) => void;
  /** One line for each change of a registration and each incident of a connection. */
  readonly log?: (line: string) => void;
  /** What sees and changes what comes and goes. */
  readonly instruments?: ServiceWrapping;
}
