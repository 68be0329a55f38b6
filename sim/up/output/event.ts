/** What `cselab up` tells while it runs. Each form of `--log` shows it in its own way; what `--log json` writes are these objects. */
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
  /** Something beside the CSEs listens. */
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
  /** All have started; those that are to be registered have been, or have tried. */
  | { readonly event: 'ready'; readonly gateways: readonly string[]; readonly backend?: string }
  | {
      readonly event: 'registration';
      readonly cse: string;
      readonly at: string;
      readonly registered: boolean;
      /** Why it is not, as far as it is known. */
      readonly problem?: string;
    }
  /** An incident of a connection, a change of a registration, certificates that were read again, in a sentence. */
  | { readonly event: 'log'; readonly cse: string; readonly message: string }
  /** Each request, for those who ask for that. */
  | ({ readonly event: 'request'; readonly cse: string } & Refusal)
  /**
   * A request that was answered by a status from 400 on, unless each request is told. Within ten seconds equal ones are told once, and 50
   * at most; `omitted` is how many were not told since the last.
   */
  | ({ readonly event: 'refused'; readonly cse: string; readonly omitted?: number } & Refusal)
  | ({ readonly event: 'summary'; readonly cse: string; readonly seconds: number } & RequestCounts & Census)
  /** A defect of the CSE. */
  | { readonly event: 'error'; readonly message: string }
  | { readonly event: 'stopped' };

/** Of what has happened in a span of time. */
export interface RequestCounts {
  /** Requests that came to the CSE. */
  readonly requests: number;
  /** Of these, those that were answered by a status from 400 to 499. */
  readonly refused: number;
  /** Of these, those that were answered by a status from 500 on. */
  readonly failed: number;
  /** Notifications that the CSE has sent, each attempt. */
  readonly notifications: number;
  /** Requests of the CSE to others, notifications among them, that nobody has answered. */
  readonly undelivered: number;
}

/** Of what a CSE holds at a moment. */
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
  /** Hears of what was refused and of what was not delivered; undefined where nobody looks at it. */
  readonly latest?: Latest;
  report(event: UpEvent): void;
  /** What people read once everything has started; no object of `--log json`. */
  greet(text: string): void;
  /** Everything has started: from now on it may look at the nodes whenever it likes. */
  watch(nodes: readonly RunningNode[]): void;
  /** Nothing is looked at any more, and nothing stays on the terminal that would not belong there. */
  end(): void;
}
