/** Events of `cselab up`. Each form of `--log` shows them in its own way; `--log json` writes these objects. */
import type { Role } from '../../console/console-cse.ts';
import type { CseNode } from '../../topology/node.ts';
import type { NodeSettings } from '../../topology/node-settings.ts';
import type { Activity } from './activity.ts';
import type { Latest } from './latest.ts';
import type { Refusal } from './refusal.ts';

/** Published: names and fields stay, others may be added. */
export type UpEvent =
  /** A remark on a configuration file. */
  | { readonly event: 'note'; readonly message: string }
  /** A listener beside those of the CSEs over HTTP. */
  | { readonly event: 'listening'; readonly what: 'health' | 'console' | 'mqtt' | 'ws' | 'coap'; readonly url: string }
  | { readonly event: 'workload'; readonly cse: string; readonly devices: number; readonly file: string }
  | {
      readonly event: 'started';
      readonly cse: string;
      readonly role: Role;
      /** Of its CSE base; absent where it does not listen. */
      readonly url?: string;
      readonly admin?: string;
      /** Of the admin port. */
      readonly adminToken?: string;
      readonly dialect: string;
      readonly resources: number;
    }
  /** All have started, and have registered or tried to. */
  | { readonly event: 'ready'; readonly gateways: readonly string[]; readonly backend?: string }
  | {
      readonly event: 'registration';
      readonly cse: string;
      readonly at: string;
      readonly registered: boolean;
      /** Why it is not, as far as it is known. */
      readonly problem?: string;
    }
  /** An incident of a connection, a change of a registration, or reloaded certificates, in a sentence. */
  | { readonly event: 'log'; readonly cse: string; readonly message: string }
  /** Each request, with `--verbose`. */
  | ({ readonly event: 'request'; readonly cse: string } & Refusal)
  /**
   * A request answered by a status from 400 on, unless each request is reported. Within ten seconds equal ones are reported once, and 50
   * at most; `omitted` counts those left out since the last.
   */
  | ({ readonly event: 'refused'; readonly cse: string; readonly omitted?: number } & Refusal)
  | ({ readonly event: 'summary'; readonly cse: string; readonly seconds: number } & RequestCounts & Census)
  /** An internal error. */
  | { readonly event: 'error'; readonly message: string }
  | { readonly event: 'stopped' };

/** Counts over a span of time. */
export interface RequestCounts {
  /** Requests received by the CSE. */
  readonly requests: number;
  /** Of these, those that were answered by a status from 400 to 499. */
  readonly refused: number;
  /** Of these, those that were answered by a status from 500 on. */
  readonly failed: number;
  /** Notifications that the CSE has sent, each attempt. */
  readonly notifications: number;
  /** Requests of the CSE to others without an answer, notifications included. */
  readonly undelivered: number;
}

/** Counts of resources at a moment. */
export interface Census {
  readonly resources: number;
  readonly applications: number;
  readonly subscriptions: number;
}

/** One CSE that has started. */
export interface RunningNode {
  readonly cse: string;
  readonly role: Role;
  readonly node: CseNode;
  readonly settings: NodeSettings;
  readonly activity: Activity;
}

export interface UpOutput {
  /** Gets refusals and failed deliveries; undefined where they are not shown. */
  readonly latest?: Latest;
  report(event: UpEvent): void;
  /** Shows the greeting once everything has started; no object of `--log json`. */
  greet(text: string): void;
  /** Everything has started: it may read the nodes at any time from now on. */
  watch(nodes: readonly RunningNode[]): void;
  /** Stops reading the nodes, and cleans up the terminal. */
  end(): void;
}
