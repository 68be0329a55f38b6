import type { CseIdentity } from './address.ts';
import type { AttributeType, Unreadable, Value } from './attribute-types.ts';
import type { Limits } from './limits.ts';
import type { Operation, RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { DialectName, ResourceType } from './resource-type.ts';
import type { Trace } from './trace-context.ts';

export interface Clock {
  /** Microseconds since 1970 UTC. */
  now(): number;
}

/** May return a promise, which a manual clock awaits before it advances. */
export type Task = () => unknown;

/** The result of a task that changed nothing. */
export const noEffect = Symbol('nothing happened');

export interface ScheduleOptions {
  /** True where other tasks may wait for it, as for a delayed answer: a manual clock goes on to it before those have ended. */
  readonly isAwaited?: boolean;
}

/** A clock that can schedule tasks. */
export interface Scheduler extends Clock {
  /** Runs the task once after so many milliseconds. Returns a function that cancels it. A task must not throw or reject. */
  schedule(milliseconds: number, task: Task, options?: ScheduleOptions): () => void;
  /**
   * Of virtual time: the number of advances, plus tasks run that did not return `noEffect`.
   * While it stays the same, so does all state.
   */
  readonly changeCount?: number | undefined;
}

/** Carries requests of this CSE to others. */
export interface Messenger {
  /**
   * Sends to a point of access of a CSE, where `to` of the request is the address there, or to a URL that is itself the target, where
   * `to` is ''. Rejects with a CseError (TARGET_NOT_REACHABLE) when no answer comes.
   */
  send(url: string, request: RequestPrimitive): Promise<ResponsePrimitive>;
  /** The URL of the connection that an AE or CSE has opened itself and can be reached over; undefined for others. */
  connectionOf?(identifier: string): string | undefined;
}

/** All that the core needs from outside. */
export interface Ports {
  readonly clock: Scheduler;
  /** So many random letters and digits. */
  readonly randomText: (length: number) => string;
  readonly messenger: Messenger;
  /** The trace of a request caused by this one. */
  readonly childTrace: (trace: Trace) => Trace;
  /** Resolves in a later turn of the event loop, after pending input. */
  readonly nextTurn: () => Promise<void>;
  /** Receives internal errors that no response can report. */
  readonly onError: (error: unknown) => void;
}

export interface CseConfiguration extends CseIdentity {
  /** TS-0004 cseTypeID: 1 IN-CSE, 2 MN-CSE, 3 ASN-CSE. */
  readonly cseType: number;
  /** URLs at which the CSE can be reached: `poa` of the CSE base. */
  readonly pointOfAccess: readonly string[];
  readonly limits: Limits;
  readonly types: readonly ResourceType[];
  readonly dialect: DialectCodec;
  readonly accessControl: AccessSettings;
  /** Releases that the CSE supports, oldest first: `2a`, `3`, `4`. */
  readonly releases: readonly string[];
  /** Originator of this CSE's own requests; its CSE identifier unless given. */
  readonly ownOriginator?: string;
  /** Resolution of times in microseconds; 1 unless given. */
  readonly timeStep?: number;
}

export interface AccessSettings {
  /** False: everybody may do everything. */
  readonly required: boolean;
  /** May do everything. */
  readonly admin: string | undefined;
  /** Originators that may register an AE, with `*` for any letters; everybody when empty. */
  readonly registrars: readonly string[];
  /** `ty` of resources that everybody may create below the CSE base, beside AEs and remote CSEs. */
  readonly creatableAtBase: readonly number[];
}

// A dialect as the core uses it: the wire form of values, and defaults.

export interface DialectCodec {
  readonly name: DialectName;
  /** From a JSON value to the core's value. */
  read(type: AttributeType, value: unknown): Value | Unreadable;
  /** From the core's value to a JSON value; undefined leaves the attribute out. */
  write(type: AttributeType, value: Value | undefined): unknown;
  /** True for values that mean "absent" in a create. */
  isAbsent(value: unknown): boolean;
  /** What such a value means in an update (`gaps`, rows 10 and 11). */
  readonly absentInUpdate: 'no change' | 'removal';
  /** The default result content (`rcn`). */
  readonly resultContent: Readonly<Record<Operation, number>>;
  /** True: filter criteria of a retrieve with children select among those; false: they are a condition only. */
  readonly criteriaSelectChildren: boolean;
  /** Resource identifiers: a counter for each type, or random text, where an AE's is its AE-ID (`gaps`, row 1). */
  readonly identifiers: 'counted' | 'random';
}
