import type { Expect, Step } from '../../engine/grammar/grammar-step.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';
import type { Site } from '../../engine/running/site.ts';
import type { Expected } from '../model/expected.ts';
import type { Model } from '../model/model.ts';
import type { ModelKind } from '../model/resource.ts';
import type { AddressForm, Originator } from '../operations/operation.ts';

/** One request, with what is expected of its answer. */
export interface Attempt {
  /** As the scenario grammar has it, with literal values. */
  readonly step: AttemptStep;
  readonly by: Originator;
  /** `success` where an answer other than 2xx shows a deviation by itself. */
  readonly expect: Expect;
  readonly expectations: readonly Expected[];
  readonly about: About;
  /** Of a pair: which CSE is asked, and at which stands what is spoken of; the gateway where nothing is said. */
  readonly on?: Site;
  readonly host?: Site;
}

export type AttemptStep = Extract<
  Step,
  | { create: unknown }
  | { retrieve: unknown }
  | { update: unknown }
  | { delete: unknown }
  | { discover: unknown }
  | { raw: unknown }
>;

export type Attributes = NonNullable<Extract<Step, { create: unknown }>['attributes']>;

/** For the statistics of what was exercised. */
export interface About {
  readonly operation: string;
  readonly kind?: ModelKind | 'CSE base';
  readonly form?: AddressForm;
}

/** What came of an attempt. `lost`: no answer, or one that leaves open what became of the request. */
export interface Came {
  readonly outcome: 'success' | 'refused' | 'lost';
  readonly view: AnswerView;
}

/** The requests of one operation, one after the other; it takes what comes into the model. */
export type Move = Generator<Attempt, void, Came>;

/** A part of a move that gives something back. */
export type Part<T> = Generator<Attempt, T, Came>;

/** What moves know of the target beside the model. */
export interface Ground {
  readonly model: Model;
  /** Whether any originator may be sent, or none. */
  readonly anyOriginator: boolean;
  /** Sent in place of every other. */
  readonly originator?: string | undefined;
  /** Over plain HTTP a request needs no originator. */
  readonly plain: boolean;
  /** Attributes of what is created directly below the CSE base, so that it expires by itself; none where that is not wanted. */
  readonly atBase: () => Readonly<Record<string, unknown>>;
}

export function textIn(view: AnswerView, name: string): string | undefined {
  const value = view.attributes?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
