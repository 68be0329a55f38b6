/** Questions to a person in a scenario, and the validation of answers. */
import { cannotTell } from '../../grammar/vocabulary.ts';
import type { QuestionResult } from '../../results/result.ts';

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
