import type { Action, Part } from '../../moves/move.ts';
import type { StandardModel } from '../model/model.ts';
import type { Events } from './events.ts';

/** A part of a move that gives something back. */
export type StandardPart<T> = Part<T, Action>;

/** The requests of one operation, one after the other; it takes what comes into the model. */
export type StandardMove = StandardPart<void>;

/** What moves know of the target beside the model. */
export interface StandardGround {
  readonly model: StandardModel;
  /** Whether any originator may be sent; else everybody is the first. */
  readonly anyOriginator: boolean;
  /** Whether time passes only when it is let pass. */
  readonly standing: boolean;
  /** Whether access control policies are looked at. */
  readonly guards: boolean;
  /** Releases from 3 on take the attribute srv of an application entity. */
  readonly release: string;
  readonly events: Events;
  /** Attributes of what is created directly below the CSE base, so that it expires by itself; none where that is not wanted. */
  readonly atBase: () => Readonly<Record<string, unknown>>;
}
