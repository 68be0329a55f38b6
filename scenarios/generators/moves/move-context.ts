/** What moves know of the target, and how the dialects differ, as a table. */

import type fc from 'fast-check';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { CreatedResources } from '../created/created.ts';
import type { GeneratedResource, GeneratedType } from '../created/resource.ts';
import type { Addressing, Limit } from './arbitraries.ts';
import type { Attempt, Move } from './move.ts';

/** An operation that creates, in either dialect. */
export interface Creation {
  readonly kind: GeneratedType;
  readonly below: number;
  readonly name: number;
  readonly form: string;
  readonly labels: readonly number[];
  readonly content: number;
  readonly limit: Limit;
  readonly by?: string;
  readonly base64?: boolean;
  readonly times?: number;
  readonly rcn?: 0 | 1 | 2 | 3 | null;
  readonly creator?: boolean;
  readonly guard?: number | null;
  readonly events?: readonly number[];
  readonly both?: boolean;
  readonly rights?: number;
}

/** A virtual child of a container, by its name. */
export interface VirtualChild {
  readonly word: string;
  readonly form: string;
}

export interface DialectTraits {
  readonly dialect: Dialect;
  /** The originator of reads. */
  readonly asker: (resource: GeneratedResource) => string;
  /** Reads beside all that was created. */
  readonly lookFurther?: (context: MoveContext) => Move;
  /** Types allowed directly below the CSE base, beside application entities. */
  readonly baseTypes: readonly GeneratedType[];
  /** Attributes of an application entity. */
  readonly application: (content: number, context: MoveContext) => Readonly<Record<string, unknown>>;
  /** Who creates there; undefined if nobody can. */
  readonly ownerOf: (
    operation: Creation,
    parent: GeneratedResource | undefined,
    context: MoveContext,
  ) => string | undefined;
  /** Form of address of the parent. `root`: the path /. */
  readonly formOf: (operation: Creation, parent: GeneratedResource | undefined) => string;
  /** Forms of address for the reads in a removed subtree. */
  readonly subtreeForms: readonly string[];
  /** Virtual names of the ends that a look reads, the newest first. */
  readonly ends: readonly [string, ...string[]];
}

/** What moves know of the target beside what was created. */
export interface MoveContext {
  readonly created: CreatedResources;
  readonly traits: DialectTraits;
  /** Whether any originator may be sent, or none; if not, everybody is the first in the onem2m dialect. */
  readonly anyOriginator: boolean;
  /** Attributes of what is created directly below the CSE base, so that it expires by itself; none if it need not. */
  readonly atBase: () => Readonly<Record<string, unknown>>;
  /** Whether time passes only on command. */
  readonly virtualTime: boolean;
  /** Whether access control policies are checked. */
  readonly checksPolicies: boolean;
  /** Releases from 3 on take the attribute srv of an application entity. */
  readonly release: string;
}

/** Fields of every operation. */
export interface OperationBase extends Addressing {
  readonly does: string;
}

/** How the operations of one sequence become requests. */
export interface MoveSource<One> {
  /** For `advance time`, time has passed already. */
  move(operation: One): Move;
  /** Reads everything. */
  look(): Move;
}

/** How a dialect forwards requests between the CSEs of a pair. */
export interface Forwarding<One> {
  /** In a form that can be forwarded. */
  readonly prepared?: (operation: One) => One;
  /** Whether it may be forwarded. */
  readonly isForwarded?: (attempt: Attempt) => boolean;
  /** Whether forwarded creates and updates are read back directly, and the registrations of the two. */
  readonly readsBack?: true;
}

export interface DialectModel<One extends OperationBase> {
  readonly operation: fc.Arbitrary<One>;
  /** Replacements for an operation while a sequence is shrunk. */
  readonly plainer?: (operation: One) => readonly One[][];
  readonly traits: DialectTraits;
  moveOf(operation: One, context: MoveContext): Move;
  /** Of a pair. */
  readonly forwarding: Forwarding<One>;
}
