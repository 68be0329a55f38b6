/** Answers of people in a file: read by `check --answers`, and written after a run that asked somebody. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { defined } from '../engine/basics/defined.ts';
import { didYouMean, type Problem, ScenarioFilesError, UsageError } from '../engine/basics/diagnostics.ts';
import { validate } from '../engine/files/issues.ts';
import type { LoadedScenario } from '../engine/files/load.ts';
import { readSource, type SourceFile } from '../engine/files/source-file.ts';
import type { AskStep } from '../engine/grammar/grammar-step.ts';
import { cannotTell, largestUpload } from '../engine/grammar/vocabulary.ts';
import type { RunResult } from '../engine/results/result.ts';
import { type AnswerOfPerson, type Ask, objectionTo } from '../engine/running/scenario/scenario-context.ts';

const who = { by: z.string().optional(), at: z.string().optional() };
const AnswerEntry = z.union([
  z.string(),
  z.strictObject({ answer: z.string(), ...who }),
  z.strictObject({ file: z.string().describe('Relative to this file.'), name: z.string().optional(), ...who }),
]);
type AnswerEntry = z.infer<typeof AnswerEntry>;
const AnswersFile = z.record(z.string(), z.record(z.string(), AnswerEntry));

/** By scenario, then by the name of the answer. */
type Answers = ReadonlyMap<string, ReadonlyMap<string, KnownAnswer>>;
type KnownAnswer = AnswerOfPerson | (AnswerOfPerson & Upload);

/**
 * Answers questions from this file, and asks the others. `keep` receives each uploaded file. `scenarios`: all of them, not only the
 * selected ones. Throws ScenarioFilesError with the position of each answer that is invalid, or has no question.
 */
export function answeredBy(
  path: string,
  scenarios: readonly LoadedScenario[],
  { ask, keep }: { readonly ask?: Ask | undefined; readonly keep?: KeepUpload | undefined },
): Ask {
  const known = readAnswers(path, scenarios);
  return async (question, signal) => {
    const found = known.get(question.scenario)?.get(question.name);
    if (found === undefined) return (await ask?.(question, signal)) ?? {};
    if (!('bytes' in found)) return found;
    await keep?.(found);
    const { bytes: _, ...answer } = found;
    return answer;
  };
}

function readAnswers(path: string, scenarios: readonly LoadedScenario[]): Answers {
  const { source, problems } = readSource(resolve(path));
  if (source === undefined) throw new ScenarioFilesError(problems);
  const { value = {}, problems: errors } = validate(AnswersFile, source);
  const reading = new Reading(source, scenarios);
  const read = Object.entries(value).map(([id, own]) => [id, reading.scenario(id, own)] as const);
  const all = [...errors, ...reading.problems];
  if (all.length > 0) throw new ScenarioFilesError(all);
  return new Map(read);
}

class Reading {
  readonly problems: Problem[] = [];
  readonly #source: SourceFile;
  readonly #questions: ReadonlyMap<string, ReadonlyMap<string, AskStep>>;

  constructor(source: SourceFile, scenarios: readonly LoadedScenario[]) {
    this.#source = source;
    this.#questions = new Map(scenarios.map((one) => [one.id, asksOf(one)]));
  }

  scenario(id: string, own: Readonly<Record<string, AnswerEntry>>): ReadonlyMap<string, KnownAnswer> {
    const questions = this.#questions.get(id);
    if (questions === undefined)
      this.#wrong([id], `there is no scenario "${id}"${didYouMean(id, this.#questions.keys())}`);
    const read = Object.entries(own).flatMap(([name, entry]) => {
      const step = questions?.get(name);
      if (step !== undefined) return [[name, this.#answer([id, name], entry, step)] as const];
      if (questions !== undefined)
        this.#wrong([id, name], `nothing in ${id} asks for "${name}"${didYouMean(name, questions.keys())}`);
      return [];
    });
    return new Map(read);
  }

  #answer(at: readonly string[], entry: AnswerEntry, step: AskStep): KnownAnswer {
    const details = typeof entry === 'string' ? { answer: entry } : entry;
    const { by = this.#source.name } = details;
    const how = { by, how: 'beforehand' as const, at: details.at ?? new Date().toISOString() };
    if ('file' in details && step.upload !== undefined) {
      try {
        return { ...uploaded(join(dirname(this.#source.path), details.file), details.name), ...how };
      } catch (error) {
        this.#wrong([...at, 'file'], error instanceof Error ? error.message : String(error), false);
        return {};
      }
    }
    const objection = 'file' in details ? 'no file is asked for' : objectionTo(details.answer, step);
    if (objection !== undefined) this.#wrong(at, objection, typeof entry !== 'string');
    return 'answer' in details ? { ...answerIn(details.answer), ...how } : {};
  }

  #wrong(at: readonly string[], message: string, key = true): void {
    this.problems.push(this.#source.problem(at, message, { key }));
  }
}

function asksOf({ given, steps }: LoadedScenario): Map<string, AskStep> {
  return new Map([...given, ...steps].flatMap(({ step }) => ('ask' in step ? [[step.answer, step] as const] : [])));
}

/** A person's text as an answer; "cannot tell" is none. */
export const answerIn = (text: string): Pick<AnswerOfPerson, 'answer'> =>
  text === cannotTell ? {} : { answer: text.trim() };

/** Reads an uploaded file, under its original name. Throws a UsageError if it cannot be read, or is too large. */
export function uploaded(path: string, name = basename(path)): Upload {
  try {
    const { size } = statSync(path);
    if (size > largestUpload) throw new UsageError(tooLarge);
    return uploadOf(readFileSync(path), name);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const tooLarge = `a file has ${largestUpload / 1024 / 1024} MiB at most`;

/** Throws a UsageError for a file that is too large. */
export function uploadOf(bytes: Uint8Array, name: string): Upload {
  if (bytes.length > largestUpload) throw new UsageError(tooLarge);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { answer: name.replace(/\p{Cc}/gu, '').slice(-120) || 'file', file: { size: bytes.length, sha256 }, bytes };
}

export interface Upload extends Required<Pick<AnswerOfPerson, 'answer' | 'file'>> {
  readonly bytes: Uint8Array;
}

/** Keeps an uploaded file with the run. */
export type KeepUpload = (upload: Upload) => Promise<unknown>;

/** Path of an uploaded file, relative to the directory of reports: by its hash, since its name must not become a path. */
export function keptName({ answer, file }: Pick<Upload, 'answer' | 'file'>): string {
  const [ending = ''] = /^\.[a-z0-9]{1,8}$/.exec(extname(answer).toLowerCase()) ?? [];
  return `uploads/${file.sha256}${ending}`;
}

/** The answers of a run as a file in the directory of its reports; undefined if nobody was asked. */
export function answersText({ scenarios }: Pick<RunResult, 'scenarios'>): string | undefined {
  const entries = scenarios.map(({ id, steps }) => {
    const own = steps.flatMap(({ asked }) => (asked?.by === undefined ? [] : [[asked.name, entryOf(asked)] as const]));
    return [id, Object.fromEntries(own)] as const;
  });
  const isAsked = scenarios.some(({ steps }) => steps.some(({ asked }) => asked?.by && asked.how !== 'beforehand'));
  const nonEmpty = entries.filter(([, own]) => Object.keys(own).length > 0);
  return isAsked ? stringify(Object.fromEntries(nonEmpty), { lineWidth: 0 }) : undefined;
}

function entryOf({ answer, file, by, at }: AnswerOfPerson): AnswerEntry {
  if (file !== undefined && answer !== undefined)
    return { file: keptName({ answer, file }), name: answer, ...defined({ by, at }) };
  return { answer: answer ?? cannotTell, ...defined({ by, at }) };
}
