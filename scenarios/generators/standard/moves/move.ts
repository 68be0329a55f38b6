import type { Action, Ground, Part } from '../../moves/move.ts';
import type { Events } from './events.ts';

/** A part of a move that gives something back. */
export type StandardPart<T> = Part<T, Action>;

/** The requests of one operation, one after the other; it takes what comes into the model. */
export type StandardMove = StandardPart<void>;

/** What moves know of the target beside the model; where not any originator may be sent, everybody is the first. */
export interface StandardGround extends Pick<Ground, 'model' | 'anyOriginator' | 'atBase'> {
  /** Whether time passes only when it is let pass. */
  readonly standing: boolean;
  /** Whether access control policies are looked at. */
  readonly guards: boolean;
  /** Releases from 3 on take the attribute srv of an application entity. */
  readonly release: string;
  readonly events: Events;
}
