import type { CseIdentity } from './address.ts';
import type { DialectCodec } from './dialect.ts';
import type { Limits } from './limits.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { ResourceType } from './resource-type.ts';
import type { Trace } from './trace-context.ts';

export interface Clock {
  /** Microseconds since 1970 UTC. */
  now(): number;
}

/** May return a promise, which a manual clock waits for before time goes on. */
export type Task = () => unknown;

/** What a task comes to that has changed nothing anywhere. */
export const noEffect = Symbol('nothing happened');

/** A clock on which something can be done later. */
export interface Scheduler extends Clock {
  /** Does the task once, so many milliseconds from now. Returns what cancels it. A task must not throw or reject. */
  schedule(milliseconds: number, task: Task): () => void;
  /**
   * Where time goes only when it is moved: how often it was, and how many tasks have run since that did not come to `nothingHappened`.
   * As long as it is the same, everything is.
   */
  readonly changeCount?: number | undefined;
}

/** What takes requests of this CSE to others. */
export interface Messenger {
  /**
   * To an HTTP URL, or to a CSE's point of access: `to` of the request is then the address there, and '' for a URL that is itself the
   * target. Rejects with a CseError (TARGET_NOT_REACHABLE) when no answer comes.
   */
  send(url: string, request: RequestPrimitive): Promise<ResponsePrimitive>;
  /** Where that goes which is for an AE or a CSE that has connected itself, and can be asked over that connection; undefined for others. */
  connectionOf?(identifier: string): string | undefined;
}

/** Everything from outside that the core needs. */
export interface Ports {
  readonly clock: Scheduler;
  /** So many random letters and digits. */
  readonly randomText: (length: number) => string;
  readonly messenger: Messenger;
  /** Of a request that this one causes. */
  readonly childTrace: (trace: Trace) => Trace;
  /** Resolves in a later turn of the event loop, after what has come in meanwhile. */
  readonly nextTurn: () => Promise<void>;
  /** Hears of defects of ours that no answer can report. */
  readonly onError: (error: unknown) => void;
}

export interface CseConfiguration extends CseIdentity {
  /** TS-0004 cseTypeID: 1 IN-CSE, 2 MN-CSE, 3 ASN-CSE. */
  readonly cseType: number;
  /** URLs under which the CSE can be reached, shown as `poa` of the CSE base. */
  readonly pointOfAccess: readonly string[];
  readonly limits: Limits;
  readonly types: readonly ResourceType[];
  readonly dialect: DialectCodec;
  readonly accessControl: AccessSettings;
  /** Releases that the CSE speaks, the oldest first: `2a`, `3`, `4`. */
  readonly releases: readonly string[];
  /** Originator of what this CSE sends; its CSE identifier unless given. */
  readonly ownOriginator?: string;
  /** Microseconds between two times that the CSE tells apart; 1 unless given. */
  readonly timeStep?: number;
}

export interface AccessSettings {
  /** False: everybody may do everything. */
  readonly required: boolean;
  /** May do everything. */
  readonly admin: string | undefined;
  /** Who may register an AE, with `*` for any letters; everybody when empty. */
  readonly registrars: readonly string[];
  /** `ty` of what everybody may create below the CSE base, beside AEs and remote CSEs. */
  readonly creatableAtBase: readonly number[];
}
