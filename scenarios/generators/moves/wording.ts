/** What moves know of the target, and what the dialects say differently, as a table. */
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';
import type { Events } from '../model/events.ts';
import type { Expected } from '../model/expected.ts';
import type { Model } from '../model/model.ts';
import type { ModelKind, ModelResource } from '../model/resource.ts';
import type { Limit } from '../operations/arbitraries.ts';
import type { Attempt, AttemptStep, Came, Move } from './move.ts';

/** An operation that creates, in either dialect. */
export interface Creation {
  readonly kind: ModelKind;
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

/** Undefined is the CSE base. */
export type Place = { readonly parent: ModelResource | undefined };

/** One creation, before it is sent. */
export interface Plan extends Place {
  readonly operation: Creation;
  readonly kind: ModelKind;
  /** Undefined where the CSE is to make one up. */
  readonly name: string | undefined;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly owner: string;
  readonly path: string;
  readonly form: string;
  readonly rcn: Creation['rcn'];
}

export interface End {
  /** Its virtual name. */
  readonly word: string;
  readonly form: string;
}

/** A read of what stands at an end. */
export interface EndRead extends End {
  readonly by: string;
  /** What was removed just before, and whether that stood at this end. */
  readonly removed?: { readonly name: string; readonly wasThere: boolean };
}

export interface Wording {
  readonly dialect: Dialect;
  /** In whose name something is looked at. */
  readonly asker: (resource: ModelResource) => string;
  /** A look at something that the model holds, and what is looked at beside all that. */
  readonly lookAt: (resource: ModelResource, ground: Ground) => Move;
  readonly lookAround: (ground: Ground) => Move;
  /** Kinds that can stand directly below the CSE base, beside application entities. */
  readonly baseHolds: readonly ModelKind[];
  /** Attributes of an application entity. */
  readonly application: (content: number, ground: Ground) => Readonly<Record<string, unknown>>;
  /** Who creates there; undefined where nobody can. */
  readonly ownerOf: (operation: Creation, parent: ModelResource | undefined, ground: Ground) => string | undefined;
  /** By which form of address the parent is named. `root`: the path /. */
  readonly formOf: (operation: Creation, parent: ModelResource | undefined) => string;
  /** What is answered to a creation; how it is sent, and what is held of it, where that is not as planned. */
  readonly creation: (
    plan: Plan,
    ground: Ground,
  ) => Pick<Attempt, 'expect' | 'expectations'> & { readonly step?: AttemptStep; readonly held?: Plan['sent'] };
  /** What is looked at after that. */
  readonly settle: (settled: Settled, ground: Ground) => Move;
  /** What was removed is gone, by this requirement or the usual one; so is what stood below it. */
  readonly gone: (resource: ModelResource, requirement?: string) => Expected[];
  readonly subtreeGone: (resource: ModelResource) => Expected[];
  /** Forms of address by which something of the subtree is looked for. */
  readonly subtreeForms: readonly string[];
  /** What is answered to a removal that may be done. */
  readonly removal: (
    resource: ModelResource,
    asked: { readonly form: string; readonly rcn: 1 | null },
  ) => Pick<Attempt, 'expect' | 'expectations'>;
  /** Virtual names of the ends at which a look reads, the newest first. */
  readonly ends: readonly [string, ...string[]];
  readonly endShown: (container: ModelResource, read: EndRead) => Expected[];
  /** That what stands at an end of a container is removed, where anything does, and the requirement that it is gone then. */
  readonly endRemoved: (area: 'latest' | 'oldest', meant: ModelResource | undefined) => Expected[];
  readonly endGone: (area: 'latest' | 'oldest') => string;
  /** That something wrong is refused; the code of the answer, or several with the source of each. */
  readonly refused: (requirement: string, codes: number | Readonly<Record<string, string>>) => Expected[];
  /** That nothing is there where a creation was refused; absent where nobody says so. */
  readonly nothingStored?: readonly Expected[];
  /** Milliseconds after which what was created may be gone by itself; undefined where it never will. */
  readonly lifeOf: (created: Pick<ModelResource, 'kind' | 'parent'>, view: AnswerView) => number | undefined;
  /** Of what may be gone by itself when so many milliseconds have been let pass. */
  readonly expired: (resource: ModelResource, passed: number) => Expected[];
}

/** What was created, how, and which content instances its parent held before. */
export interface Settled {
  readonly created: ModelResource;
  readonly plan: Plan;
  readonly came: Came;
  readonly before: readonly ModelResource[];
}

/** What moves know of the target beside the model. */
export interface Ground {
  readonly model: Model;
  readonly events: Events;
  readonly words: Wording;
  /** Whether any originator may be sent, or none; in the onem2m dialect, everybody is the first then. */
  readonly anyOriginator: boolean;
  /** Sent in place of every other. */
  readonly originator?: string | undefined;
  /** Over plain HTTP a request needs no originator. */
  readonly plain: boolean;
  /** Attributes of what is created directly below the CSE base, so that it expires by itself; none where that is not wanted. */
  readonly atBase: () => Readonly<Record<string, unknown>>;
  /** Whether time passes only when it is let pass. */
  readonly standing: boolean;
  /** Whether access control policies are looked at. */
  readonly guards: boolean;
  /** Releases from 3 on take the attribute srv of an application entity. */
  readonly release: string;
}
