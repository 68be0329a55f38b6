/** What a scenario runs with: its context, the questions to a person, and its names. */
import { randomBytes } from 'node:crypto';
import type { Judge, JudgeOptions } from '../../../oracle/judge.ts';
import type { LoadedScenario } from '../../files/load.ts';
import type { Dialect } from '../../grammar/dialects.ts';
import { lettersNamed, namesIn, requestTexts, texts, timeFromNow } from '../../grammar/names.ts';
import { cannotTell } from '../../grammar/vocabulary.ts';
import { expirationIn } from '../../judging/timestamp.ts';
import type { NamedValue, Names } from '../../messages/interpolate.ts';
import type { CheckLevel, QuestionResult, ScenarioResult } from '../../results/result.ts';
import type { Installation, MemberName } from '../../targets/installation.ts';
import type { ReadBack } from './cleanup.ts';
import type { RefusedRegistration } from './sending.ts';

/** The context of a scenario. */
export interface ScenarioContext {
  readonly installation: Installation;
  readonly run: string;
  readonly levelOf: (requirement: string) => CheckLevel;
  readonly signal: AbortSignal;
  /** Checks every exchange with a CSE. */
  readonly judge?: (names: JudgeOptions['names']) => Judge | undefined;
  /** Why nothing may be sent now. */
  readonly notSent?: () => string | undefined;
  /** Why no AE can register at a CSE with a shared originator. */
  readonly inUse?: ReadonlyMap<MemberName, string>;
  readonly onRefused?: (registration: RefusedRegistration) => void;
  /** Requests sent before under the same names. */
  readonly sent?: number;
  /** Absent where nobody can be asked. */
  readonly ask?: Ask | undefined;
  /** Present where the remaining tree is compared. */
  readonly readBack?: ReadBack | undefined;
}

// Questions to a person in a scenario, and the validation of answers.

export interface QuestionToPerson {
  /** Scenario id. */
  readonly scenario: string;
  /** Name of the answer. */
  readonly name: string;
  readonly text: string;
  /** Without it and `upload`, the answer is a text. */
  readonly choice?: readonly string[] | undefined;
  readonly upload?: 'file' | undefined;
  /** Milliseconds of a wait: the only question is whether to end it early. */
  readonly countdown?: number;
}

/** The answer to a question; without `by`, nobody answered. */
export type AnswerOfPerson = Omit<QuestionResult, 'name' | 'question'>;

/** Asks a person, one question at a time. Resolves to nothing where nobody is there, and soon after an abort. */
export type Ask = (question: QuestionToPerson, signal: AbortSignal) => Promise<AnswerOfPerson>;

/** Characters of the longest text. */
const longestText = 2000;

/** Why an answer is invalid; undefined where it is valid. "Cannot tell" always is. */
export function objectionTo(
  answer: string,
  { choice, upload }: Pick<QuestionToPerson, 'choice' | 'upload'>,
): string | undefined {
  if (answer === cannotTell) return undefined;
  if (upload !== undefined) return 'a file is needed';
  if (choice !== undefined && !choice.includes(answer))
    return `"${answer}" is none of ${choice.join(', ')}, ${cannotTell}`;
  if (answer.trim() === '') return 'an answer cannot be empty';
  return answer.length > longestText ? `an answer has ${longestText} characters at most` : undefined;
}

/** A name that is unique to a scenario of a run. */
export function labelOf(run: string, number: number): string {
  return `cl-${run}-${number}`;
}

/** The built-in names and the actors of a scenario. `number` makes its names unique in the run. */
export function namesOf(
  scenario: LoadedScenario,
  number: number,
  run: string,
  installation: Installation,
): Map<string, NamedValue> {
  const { gateway, backend, simulated, release, admin } = installation;
  const { base, cseId: cse, spId: sp, url, serialization = 'json' } = gateway.description;
  const { host, protocol } = new URL(url);
  const other = (backend ?? simulated)?.description;
  const name = labelOf(run, number);
  const actors = Object.fromEntries(Object.keys(scenario.actors).map((actor) => [actor, `${name}-${actor}`]));
  const values = { run, name, base, cse, sp, host, scheme: protocol.slice(0, -1), release, serialization, ...actors };
  return new Map([
    ...Object.entries(values).map(([key, value]): [string, NamedValue] => [key, { value }]),
    ['admin', known(admin, 'no administrator of this target is known')],
    ['registration-label', known(simulated?.label, 'no label of its registration is known')],
    ...Object.entries({ 'backend-base': other?.base, 'backend-cse': other?.cseId, 'backend-sp': other?.spId }).map(
      ([key, value]): [string, NamedValue] => [key, known(value, 'this target was given without a backend')],
    ),
    ...generatedValues(scenario, installation.dialect),
  ]);
}

/** The values of the names in its checks: with the messages, enough to judge them again. */
export function namesInChecks({ steps }: LoadedScenario, names: Names): Pick<ScenarioResult, 'names'> {
  const checked = steps.flatMap(({ checks }) => checks.flatMap(({ check }) => texts(check)));
  const mentioned = new Set(checked.flatMap(({ text }) => namesIn(text)));
  const values = [...mentioned].flatMap((name) => {
    const named = names.get(name);
    return named !== undefined && 'value' in named ? [[name, named.value] as const] : [];
  });
  return values.length === 0 ? {} : { names: values };
}

/** The times from now and the long texts that a scenario mentions; times in the format of the dialect. */
function generatedValues({ actors, given, steps }: LoadedScenario, dialect: Dialect): Array<[string, NamedValue]> {
  const written = [...given, ...steps].flatMap(({ step }) => requestTexts(step));
  const names = [...written, ...texts(actors)].flatMap(({ text }) => namesIn(text));
  return [...new Set(names)].flatMap((name): Array<[string, NamedValue]> => {
    const letters = lettersNamed(name);
    if (letters !== undefined) return [[name, { value: letters }]];
    const time = timeFromNow(name);
    return time === undefined ? [] : [[name, { value: expirationIn(time, dialect) }]];
  });
}

function known(value: string | undefined, missing: string): NamedValue {
  return value === undefined ? { missing } : { value };
}

/** Short, and safe in names, labels and paths. */
export function runId(): string {
  return randomBytes(4).readUInt32BE().toString(36).padStart(7, '0');
}
