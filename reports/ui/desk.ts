/** Where a person answers on the page what a scenario asks. */
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
import { answeredNow, kept } from '../asking/at-terminal.ts';
import { writeWhole } from '../writing/output-file.ts';

/** What the page shows: a question, with how many milliseconds of a countdown are left. */
export interface QuestionTold extends QuestionToPerson {
  readonly number: number;
  readonly left?: number;
  /** Octets of a file that is asked for, at most. */
  readonly largest?: number;
}

/** What the page sends: a text (a choice, too), a file in base64, or neither, for a countdown that is to end. */
export interface AnswerSent {
  readonly number: number;
  readonly text?: string | undefined;
  readonly file?: { readonly name: string; readonly content: string } | undefined;
}

interface Standing {
  readonly question: QuestionToPerson;
  readonly since: number;
  readonly resolve: (answered: AnswerOfPerson) => void;
}

export class Desk {
  readonly #folder: string;
  readonly #tell: (facts: { readonly question: QuestionTold | null }) => void;
  #standing: Standing | undefined;
  #number = 0;

  /** `folder`: where files are kept; `tell`: what stands is to be shown. */
  constructor(folder: string, tell: (facts: { readonly question: QuestionTold | null }) => void) {
    this.#folder = folder;
    this.#tell = tell;
  }

  get question(): QuestionTold | null {
    if (this.#standing === undefined) return null;
    const { question, since } = this.#standing;
    const left = question.countdown === undefined ? {} : { left: question.countdown - (performance.now() - since) };
    const file = question.upload === undefined ? {} : { largest: largestUpload };
    return { ...question, number: this.#number, ...left, ...file };
  }

  readonly ask: Ask = (question, signal) =>
    new Promise((done) => {
      const end = () => resolve({});
      const resolve = (answered: AnswerOfPerson) => {
        signal.removeEventListener('abort', end);
        this.#standing = undefined;
        this.#tell({ question: null });
        done(answered);
      };
      this.#number += 1;
      this.#standing = { question, since: performance.now(), resolve };
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      else this.#tell({ question: this.question });
    });

  /** Writes down what was answered in a run, for the next one. */
  async keep(result: RunResult): Promise<void> {
    const text = answersText(result);
    if (text !== undefined) await writeWhole(join(this.#folder, 'answers.yaml'), text);
  }

  /** Rejects with a PortRefusal where this is not asked any more, and for what is no answer. */
  async answer(sent: AnswerSent): Promise<void> {
    const standing = this.#standing;
    if (standing === undefined || sent.number !== this.#number) throw notAsked();
    const taken = await this.#taken(sent, standing.question);
    // Another page may have been quicker.
    if (this.#standing !== standing) throw notAsked();
    standing.resolve({ ...taken, ...answeredNow('on the page') });
  }

  async #taken({ text, file }: AnswerSent, question: QuestionToPerson): Promise<AnswerOfPerson> {
    if (question.countdown !== undefined) return {};
    if (file !== undefined && question.upload !== undefined) {
      try {
        return await kept(uploadOf(Buffer.from(file.content, 'base64'), file.name), this.#folder);
      } catch (error) {
        throw error instanceof UsageError ? new PortRefusal(413, error.message) : error;
      }
    }
    const objection = file === undefined ? objectionTo(text ?? '', question) : 'no file is asked for';
    if (objection !== undefined) throw new PortRefusal(400, objection);
    return answerIn(text ?? '');
  }
}

const notAsked = () => new PortRefusal(409, 'This is not asked any more.');
