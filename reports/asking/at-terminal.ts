/** Asks a person at a terminal. */
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import {
  type AnswerOfPerson,
  type Ask,
  answerIn,
  cannotTell,
  keptName,
  objectionTo,
  type QuestionToPerson,
  type Upload,
  uploaded,
} from '../../scenarios/results.ts';
import { UsageError } from '../../scenarios/words.ts';
import { visibleLines, visibleText } from '../facts/wording.ts';
import { io, type TextStream } from '../writing/io.ts';
import { writeWhole } from '../writing/output-file.ts';
import { eraseLine } from '../writing/progress.ts';

/** By whom, when and how an answer is given now. */
export function answeredNow(
  how: NonNullable<AnswerOfPerson['how']>,
  { env } = io(),
): Pick<AnswerOfPerson, 'by' | 'at' | 'how'> {
  const { USER: user, USERNAME: name } = env;
  return { by: user || name || 'somebody', at: new Date().toISOString(), how };
}

/** Writes an uploaded file below the directory of reports, and returns its entry in the result. */
export async function keepUpload(
  { bytes, ...answer }: Upload,
  folder: string,
): Promise<Pick<AnswerOfPerson, 'answer' | 'file'>> {
  await writeWhole(join(folder, keptName(answer)), bytes);
  return answer;
}

/** Answers nothing without a terminal. `folder`: where uploaded files are kept. `close` releases the terminal. */
export function atTerminal(folder: string): { readonly ask: Ask; close(): void } {
  const own = io();
  const { stdin, stdout, stderr, env } = own;
  const isInteractive = stdin.isTTY === true && stderr.isTTY === true && env.CI === undefined;
  let lines: Interface | undefined;
  const ask: Ask = async (question, signal) => {
    if (!isInteractive) return {};
    // The terminal keeps its mode, so that Ctrl-C still ends the run.
    lines ??= createInterface({ input: stdin, terminal: false });
    const prompt = { lines, signal, folder };
    const answered = await holdOutput([stdout, stderr], (say) => promptUntil(prompt, question, say));
    return answered === undefined ? {} : { ...answered, ...answeredNow('at the terminal', own) };
  };
  return { ask, close: () => lines?.close() };
}

interface Prompt {
  readonly lines: Interface;
  readonly signal: AbortSignal;
  readonly folder: string;
}

type Say = (text: string) => void;
type PersonReply = Pick<AnswerOfPerson, 'answer' | 'file'>;

/** Asks until there is an answer; undefined if the input ends. */
async function promptUntil(prompt: Prompt, question: QuestionToPerson, say: Say): Promise<PersonReply | undefined> {
  if (question.countdown !== undefined) return countDown(prompt, question.text, question.countdown, say);
  say(
    `\n${visibleText(question.scenario)} asks:\n${visibleLines(question.text).join('\n')}\n${waysToAnswer(question)}`,
  );
  for (;;) {
    say('> ');
    const line = await nextLine(prompt);
    if (line === undefined) return undefined;
    const result = await parseAnswer(line.trim(), question, prompt.folder);
    if (typeof result !== 'string') return result;
    say(`${visibleText(result)}\n`);
  }
}

function waysToAnswer({ choice, upload }: QuestionToPerson): string {
  const options = choice?.map((one, at) => `  ${at + 1}  ${visibleText(one)}\n`) ?? [];
  const uploadHint = upload === undefined ? '' : '  the path of the file, or\n';
  return [...options, uploadHint, `  ?  ${cannotTell}\n`].join('');
}

/** The answer, or why it is none. */
async function parseAnswer(line: string, question: QuestionToPerson, folder: string): Promise<PersonReply | string> {
  const answer = line === '?' ? cannotTell : (question.choice?.[Number(line) - 1] ?? line);
  try {
    if (question.upload !== undefined && answer !== cannotTell) return await keepUpload(uploaded(answer), folder);
    return objectionTo(answer, question) ?? answerIn(answer);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

async function countDown(prompt: Prompt, text: string, countdown: number, say: Say): Promise<PersonReply | undefined> {
  const ends = performance.now() + countdown;
  const showLeft = () => {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    say(`${eraseLine}${left} s left: ${visibleText(text)} (Enter goes on)`);
  };
  showLeft();
  const timer = setInterval(showLeft, 1000);
  const line = await nextLine(prompt);
  clearInterval(timer);
  say(eraseLine);
  return line === undefined ? undefined : {};
}

/** Ignores what was typed before. Undefined if the input ends. */
function nextLine({ lines, signal }: Prompt): Promise<string | undefined> {
  return new Promise((resolve) => {
    const done = (line?: string) => {
      lines.off('line', done).off('close', end);
      signal.removeEventListener('abort', end);
      resolve(line);
    };
    const end = () => done();
    lines.once('line', done).once('close', end);
    signal.addEventListener('abort', end);
    if (signal.aborted || isEnded(lines)) end();
  });
}

const isEnded = (lines: Interface): boolean => 'closed' in lines && lines.closed === true;

/** Delays all other output until it is done. */
async function holdOutput<Result>(streams: readonly TextStream[], use: (say: Say) => Promise<Result>): Promise<Result> {
  const waiting: Array<() => unknown> = [];
  const own = [...new Set(streams)].map((stream) => {
    const { write } = stream;
    const writes = write.bind(stream) as (...all: unknown[]) => unknown;
    stream.write = (...all: unknown[]) => waiting.push(() => writes(...all)) > 0;
    return { stream, write, writes };
  });
  try {
    return await use((text) => own.at(-1)?.writes(text));
  } finally {
    for (const { stream, write } of own) stream.write = write;
    for (const write of waiting) write();
  }
}
