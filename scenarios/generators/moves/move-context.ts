/** What moves know of the target, and what the dialects do differently, as a table. */

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
  /** In whose name something is looked at. */
  readonly asker: (resource: GeneratedResource) => string;
  /** What is looked at beside all that was created. */
  readonly lookFurther?: (context: MoveContext) => Move;
  /** Kinds that can stand directly below the CSE base, beside application entities. */
  readonly baseTypes: readonly GeneratedType[];
  /** Attributes of an application entity. */
  readonly application: (content: number, context: MoveContext) => Readonly<Record<string, unknown>>;
  /** Who creates there; undefined where nobody can. */
  readonly ownerOf: (
    operation: Creation,
    parent: GeneratedResource | undefined,
    context: MoveContext,
  ) => string | undefined;
  /** By which form of address the parent is named. `root`: the path /. */
  readonly formOf: (operation: Creation, parent: GeneratedResource | undefined) => string;
  /** Forms of address by which something of a removed subtree is looked for. */
  readonly subtreeForms: readonly string[];
  /** Virtual names of the ends at which a look reads, the newest first. */
  readonly ends: readonly [string, ...string[]];
}

/** What moves know of the target beside what was created. */
export interface MoveContext {
  readonly created: CreatedResources;
  readonly traits: DialectTraits;
  /** Whether any originator may be sent, or none; in the onem2m dialect, everybody is the first then. */
  readonly anyOriginator: boolean;
  /** Attributes of what is created directly below the CSE base, so that it expires by itself; none where that is not wanted. */
  readonly atBase: () => Readonly<Record<string, unknown>>;
  /** Whether time passes only when it is let pass. */
  readonly virtualTime: boolean;
  /** Whether access control policies are looked at. */
  readonly checksPolicies: boolean;
  /** Releases from 3 on take the attribute srv of an application entity. */
  readonly release: string;
}

/** What every operation says. */
export interface OperationBase extends Addressing {
  readonly does: string;
}

/** How the operations of one sequence become requests. */
export interface MoveSource<One> {
  /** Time has passed already, where that is what it does. */
  move(operation: One): Move;
  /** A look at everything. */
  look(): Move;
}

/** What the dialects do each in their own way where the CSEs of a pair are asked for each other. */
export interface Forwarding<One> {
  /** In a form that can be asked of the other CSE. */
  readonly prepared?: (operation: One) => One;
  /** Whether it is asked of any other than its own CSE. */
  readonly isForwarded?: (attempt: Attempt) => boolean;
  /** Whether what was created or changed by way of it is read directly, and what the two know of each other. */
  readonly readsBack?: true;
}

export interface DialectModel<One extends OperationBase> {
  readonly operation: fc.Arbitrary<One>;
  /** Others that may do in the place of one while a sequence is made smaller. */
  readonly plainer?: (operation: One) => readonly One[][];
  readonly traits: DialectTraits;
  moveOf(operation: One, context: MoveContext): Move;
  /** Of a pair. */
  readonly forwarding: Forwarding<One>;
}
