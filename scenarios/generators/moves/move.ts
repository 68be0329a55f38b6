import type { Step } from '../../engine/grammar/grammar-step.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';
import type { MemberName } from '../../engine/targets/installation.ts';
import type { LabelledCse } from '../created/created.ts';

/** One request. */
export interface Attempt {
  /** As the scenario grammar has it, with literal values. */
  readonly step: AttemptStep;
  /** The originator, as the dialect says. */
  readonly by: string;
  readonly about: AttemptFacts;
  /** In a pair: the CSE addressed, and the one that holds the resource; the gateway when absent. */
  readonly on?: MemberName;
  readonly host?: MemberName;
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

export type CreateAttributes = NonNullable<Extract<Step, { create: unknown }>['attributes']>;

/** A request without an originator, addressed by a path, unless this says otherwise. */
export function ask(
  step: AttemptStep,
  operation: string,
  { by = 'nobody', type, form = 'structured' }: { by?: string } & Partial<AttemptFacts> = {},
): Attempt {
  return { step, by, about: { operation, form, ...(type !== undefined && { type }) } };
}

/** Name of the read after a removal. */
export const absenceCheck = 'look whether it is gone';

/** Operation, resource type and form of address, as the dialect says: for the statistics. */
export interface AttemptFacts {
  readonly operation: string;
  readonly type?: string;
  readonly form?: string;
}

/** The response to an attempt. `lost`: no answer, or one that leaves open what became of the request. */
export interface AttemptResponse {
  readonly outcome: 'success' | 'refused' | 'lost';
  readonly view: AnswerView;
}

/** A part of a move that returns a value. */
export type Part<T> = Generator<Attempt, T, AttemptResponse>;

/** The requests of one operation, one by one; it records what they create. */
export type Move = Part<void>;

export function textIn(view: Pick<AnswerView, 'attributes'>, name: string): string | undefined {
  const value = view.attributes?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The youngest first. */
export function pick<T>(among: readonly T[], index: number): T | undefined {
  return among[among.length - 1 - (index % Math.max(among.length, 1))];
}

const colors = ['red', 'blue', 'green'] as const;

/** Labels that nobody else has. */
export function labelAt(index: number, { created }: { readonly created: { readonly names: LabelledCse } }): string {
  return `${created.names.label}-${colors[index % colors.length]}`;
}

/** Where notifications go to. */
export const inboxNames = ['watcher', 'other'] as const;
export type InboxName = (typeof inboxNames)[number];

/** Its name in a scenario; each CSE of a pair has its own inboxes. */
export function inboxOf(name: InboxName, member: MemberName = 'gateway'): string {
  return member === 'gateway' ? name : `far${name}`;
}
