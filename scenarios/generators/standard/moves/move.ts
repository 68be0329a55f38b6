import type { Expect } from '../../../engine/grammar/grammar-step.ts';
import type { AnswerView } from '../../../engine/judging/answer.ts';
import type { Site } from '../../../engine/running/site.ts';
import type { Expected } from '../../model/expected.ts';
import type { AttemptStep } from '../../moves/move.ts';
import type { StandardModel } from '../model/model.ts';
import type { Asker } from '../model/resource.ts';
import type { Events } from './events.ts';

/** Where notifications go to. */
export const inboxNames = ['watcher', 'other'] as const;
export type InboxName = (typeof inboxNames)[number];

/** How a scenario calls it; each CSE of a pair has inboxes of its own. */
export function inboxOf(name: InboxName, site: Site = 'gateway'): string {
  return site === 'gateway' ? name : `far${name}`;
}

/** For the statistics of what was exercised. */
interface StandardAbout {
  readonly operation: string;
  readonly kind?: string;
  readonly form?: string;
}

/** One request, with what is expected of its answer. */
export interface StandardAttempt {
  /** As the scenario grammar has it, with literal values. */
  readonly step: AttemptStep;
  readonly by: Asker;
  /** `success` where an answer other than 2xx shows a deviation by itself. */
  readonly expect: Expect;
  readonly expectations: readonly Expected[];
  readonly about: StandardAbout;
  /** Of a pair: which CSE is asked, and at which stands what is spoken of; the gateway where nothing is said. */
  readonly on?: Site;
  readonly host?: Site;
}

/** A look into an inbox, with what is expected to have come since the last one. */
export interface StandardWatch {
  readonly watch: InboxName;
  /** Of a pair: whose notifications go there. */
  readonly at?: Site;
  /** How many have come for certain, so that it waits for them. */
  readonly least: number;
  readonly expectations: readonly Expected[];
}

export type StandardAction = StandardAttempt | StandardWatch;

/** What came of an attempt. `lost`: no answer, or one that leaves open what became of the request. */
export interface StandardCame {
  readonly outcome: 'success' | 'refused' | 'lost';
  readonly view: AnswerView;
}

/** A part of a move that gives something back. */
export type StandardPart<T> = Generator<StandardAction, T, StandardCame>;

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

export function textIn(view: AnswerView, name: string): string | undefined {
  const value = view.attributes?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberIn(view: AnswerView, name: string): number | undefined {
  const value = view.attributes?.[name];
  return typeof value === 'number' ? value : undefined;
}

/** The youngest first. */
export function pick<T>(among: readonly T[], index: number): T | undefined {
  return among[among.length - 1 - (index % Math.max(among.length, 1))];
}

const colors = ['red', 'blue', 'green'] as const;

/** Labels that nobody else has. */
export function labelAt(index: number, { model }: Pick<StandardGround, 'model'>): string {
  return `${model.names.label}-${colors[index % colors.length]}`;
}
