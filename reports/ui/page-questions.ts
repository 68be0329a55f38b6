/** Questions of scenarios that a person answers on the page. */
import { join } from 'node:path';
import {
  type AnswerOfPerson,
  type Ask,
  answerIn,
  answersText,
  largestUpload,
  objectionTo,
  type QuestionToPerson,
  uploadOf,
} from '../../scenarios/results.ts';
import { type RunResult, UsageError } from '../../scenarios/words.ts';
import { PortRefusal } from '../../sim/web/page-server.ts';
import { answeredNow, keepUpload } from '../asking/at-terminal.ts';
import { writeWhole } from '../writing/output-file.ts';

/** What the page shows: a question, with how many milliseconds of a countdown are left. */
export interface PageQuestion extends QuestionToPerson {
  readonly number: number;
  readonly left?: number;
  /** Octets of a requested file, at most. */
  readonly largest?: number;
}

/** What the page sends: a text (a choice, too), a file in base64, or neither, to end a countdown. */
export interface PageAnswer {
  readonly number: number;
  readonly text?: string | undefined;
  readonly file?: { readonly name: string; readonly content: string } | undefined;
}

interface PendingQuestion {
  readonly question: QuestionToPerson;
  readonly since: number;
  readonly resolve: (answer: AnswerOfPerson) => void;
}

export class PageQuestions {
  readonly #folder: string;
  readonly #publish: (facts: { readonly question: PageQuestion | null }) => void;
  #pending: PendingQuestion | undefined;
  #number = 0;

  /** `folder`: where files are kept; `tell`: publishes the question. */
  constructor(folder: string, publish: (facts: { readonly question: PageQuestion | null }) => void) {
    this.#folder = folder;
    this.#publish = publish;
  }

  get question(): PageQuestion | null {
    if (this.#pending === undefined) return null;
    const { question, since } = this.#pending;
    const left = question.countdown === undefined ? {} : { left: question.countdown - (performance.now() - since) };
    const file = question.upload === undefined ? {} : { largest: largestUpload };
    return { ...question, number: this.#number, ...left, ...file };
  }

  readonly ask: Ask = (question, signal) =>
    new Promise((done) => {
      const end = () => resolve({});
      const resolve = (answer: AnswerOfPerson) => {
        signal.removeEventListener('abort', end);
        this.#pending = undefined;
        this.#publish({ question: null });
        done(answer);
      };
      this.#number += 1;
      this.#pending = { question, since: performance.now(), resolve };
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      else this.#publish({ question: this.question });
    });

  /** Writes the answers of a run, for the next one. */
  async keep(result: RunResult): Promise<void> {
    const text = answersText(result);
    if (text !== undefined) await writeWhole(join(this.#folder, 'answers.yaml'), text);
  }

  /** Rejects with a PortRefusal for a question of the past, and for an invalid answer. */
  async answer(sent: PageAnswer): Promise<void> {
    const pending = this.#pending;
    if (pending === undefined || sent.number !== this.#number) throw notPending();
    const accepted = await this.#accept(sent, pending.question);
    // Another page may have been quicker.
    if (this.#pending !== pending) throw notPending();
    pending.resolve({ ...accepted, ...answeredNow('on the page') });
  }

  async #accept({ text, file }: PageAnswer, question: QuestionToPerson): Promise<AnswerOfPerson> {
    if (question.countdown !== undefined) return {};
    if (file !== undefined && question.upload !== undefined) {
      try {
        return await keepUpload(uploadOf(Buffer.from(file.content, 'base64'), file.name), this.#folder);
      } catch (error) {
        throw error instanceof UsageError ? new PortRefusal(413, error.message) : error;
      }
    }
    const objection = file === undefined ? objectionTo(text ?? '', question) : 'no file is asked for';
    if (objection !== undefined) throw new PortRefusal(400, objection);
    return answerIn(text ?? '');
  }
}

const notPending = () => new PortRefusal(409, 'This question is no longer open.');
