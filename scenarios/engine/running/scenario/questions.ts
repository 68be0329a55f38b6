/** What a person is asked in a scenario, and how an answer is known to be one. */
import { cannotTell } from '../../grammar/vocabulary.ts';
import type { QuestionResult } from '../../results/result.ts';

export interface QuestionToPerson {
  /** Scenario id. */
  readonly scenario: string;
  /** What the answer is called. */
  readonly name: string;
  readonly text: string;
  /** Without it and `upload`, the answer is a text. */
  readonly choice?: readonly string[] | undefined;
  readonly upload?: 'file' | undefined;
  /** Milliseconds that pass meanwhile: nothing is asked but whether to go on before. */
  readonly countdown?: number;
}

/** What became of a question; without `by`, nobody answered. */
export type AnswerOfPerson = Omit<QuestionResult, 'name' | 'question'>;

/** Asks a person; a run asks one question at a time. Resolves to nothing where nobody is there, and soon once the signal is aborted. */
export type Ask = (question: QuestionToPerson, signal: AbortSignal) => Promise<AnswerOfPerson>;

/** Characters of the longest text. */
const longestText = 2000;

/** Why this cannot be the answer; undefined where it can. That one cannot tell always can. */
export function objectionTo(
  answer: string,
  { choice, upload }: Pick<QuestionToPerson, 'choice' | 'upload'>,
): string | undefined {
  if (answer === cannotTell) return undefined;
  if (upload !== undefined) return 'a file is asked for';
  if (choice !== undefined && !choice.includes(answer))
    return `"${answer}" is none of ${choice.join(', ')}, ${cannotTell}`;
  if (answer.trim() === '') return 'an answer is no empty text';
  return answer.length > longestText ? `an answer has ${longestText} characters at most` : undefined;
}
