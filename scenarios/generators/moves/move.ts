import type { Expect, Step } from '../../engine/grammar/grammar-step.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';
import type { Site } from '../../engine/running/installation.ts';
import type { InboxName } from '../model/events.ts';
import type { Expected } from '../model/expected.ts';
import type { ModelNames } from '../model/model.ts';

/** One request, with what is expected of its answer. */
export interface Attempt {
  /** As the scenario grammar has it, with literal values. */
  readonly step: AttemptStep;
  /** Who asks, in the words of the dialect. */
  readonly by: string;
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

/** A request of nobody in particular, addressed by a path, of which any outcome will do, unless this says otherwise. */
export function ask(
  step: AttemptStep,
  operation: string,
  expectations: readonly Expected[] = [],
  { by = 'nobody', expect = 'either', kind, form = 'structured' }: Partial<Pick<Attempt, 'by' | 'expect'> & About> = {},
): Attempt {
  return { step, by, expect, expectations, about: { operation, form, ...(kind !== undefined && { kind }) } };
}

/** What a look after a removal is called. */
export const isGone = 'look whether it is gone';

/** What a request did, of which kind and by which form of address, in the words of its dialect: for the statistics. */
export interface About {
  readonly operation: string;
  readonly kind?: string;
  readonly form?: string;
}

/** A look into an inbox, with what is expected to have come since the last one. */
export interface Watch {
  readonly watch: InboxName;
  /** Of a pair: whose notifications go there. */
  readonly at?: Site;
  readonly expectations: readonly Expected[];
}

export type Action = Attempt | Watch;

/** What came of an attempt. `lost`: no answer, or one that leaves open what became of the request. */
export interface Came {
  readonly outcome: 'success' | 'refused' | 'lost';
  readonly view: AnswerView;
}

/** A part of a move that gives something back. */
export type Part<T, Asked = Attempt> = Generator<Asked, T, Came>;

/** The requests of one operation, one after the other; it takes what comes into the model. */
export type Move = Part<void>;

export function textIn(view: Pick<AnswerView, 'attributes'>, name: string): string | undefined {
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
export function labelAt(index: number, { model }: { readonly model: { readonly names: ModelNames } }): string {
  return `${model.names.label}-${colors[index % colors.length]}`;
}
