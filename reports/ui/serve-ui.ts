/** `cselab check --ui`: a page on which scenarios are chosen, run, read, changed and compared. */
import { z } from 'zod';
import { completionsAt } from '../../scenarios/completion/complete.ts';
import { type Problem, ScenarioFilesError } from '../../scenarios/engine/basics/diagnostics.ts';
import type { CheckOptions } from '../../scenarios/index.ts';
import { largestUpload } from '../../scenarios/results.ts';
import { UsageError } from '../../scenarios/words.ts';
import { inForm, PortRefusal, pageFilesOf, servePage } from '../../sim/web/page-server.ts';
import { runDocument } from '../check/run-document.ts';
import { compareDocument } from '../compare/compare-document.ts';
import { comparisonOf } from '../compare/comparison.ts';
import { renderPage } from '../document/html.tsx';
import { say } from '../writing/output-file.ts';
import { Session } from './session.ts';

export interface Ui {
  readonly url: string;
  /** Tells all watchers that a file has changed. */
  changed(): void;
  /** Stops a current run, and waits for its clean-up. */
  close(): Promise<void>;
}

/**
 * At 127.0.0.1; `options`: those of the command line; port 0: a free one; `folder`: where answers of people are kept. Rejects with a
 * UsageError for a port in use.
 */
export async function openUi(options: () => CheckOptions, port: number, folder: string): Promise<Ui> {
  const session = new Session(options, folder);
  const server = await servePage(await pageOf(session), port).catch((error: unknown) => {
    throw new UsageError(`--ui ${port}: ${messageOf(error)}`);
  });
  const close = async () => {
    await session.stop();
    await server.close();
  };
  return { url: server.url, changed: () => session.feed.publish({ changed: true }), close };
}

const forms = {
  run: z.strictObject({ ids: z.array(z.string()) }),
  source: z.strictObject({ id: z.string(), text: z.string() }),
  complete: z.strictObject({ text: z.string(), at: z.int() }),
  answer: z.strictObject({
    number: z.int(),
    text: z.string().optional(),
    file: z.strictObject({ name: z.string(), content: z.base64() }).optional(),
  }),
  known: z.strictObject({ run: z.int(), scenario: z.string().optional() }),
};

const sources = { title: 'cselab check', folder: new URL('./page/', import.meta.url), styles: ['page'] };

async function pageOf(session: Session) {
  return {
    name: 'page',
    // A file, in base64.
    longestBody: 1.5 * largestUpload,
    files: await pageFilesOf(sources),
    events: session.feed,
    onError,
    reads: new Map<string, (parameter: (name: string) => string) => unknown>([
      ['/api/scenarios', () => orRefuse(() => session.choices())],
      ['/api/source', (parameter) => orRefuse(() => session.source(parameter('id')))],
    ]),
    actions: new Map<string, (body: unknown) => unknown>([
      action('/api/run', forms.run, ({ ids }) => session.run(ids, (error) => publishProblem(session, error))),
      ['/api/stop', () => session.stop()],
      action('/api/answer', forms.answer, (sent) => session.questions.answer(sent)),
      action('/api/source', forms.source, (sent) => saveSource(session, sent)),
      action('/api/complete', forms.complete, ({ text, at }) => completionsAt(text, at)),
      action('/api/known', forms.known, ({ run, scenario }) => orRefuse(() => session.keepKnown(run, scenario))),
    ]),
    documents: new Map<string, (parameter: (name: string) => string) => string>([
      ['/report', (parameter) => renderPage(runDocument(session.resultOf(Number(parameter('run')))))],
      ['/compare', (parameter) => comparePage(session, parameter('runs'))],
    ]),
  };
}

/** What is sent in this form. */
const action = <Sent>(path: string, form: z.ZodType<Sent>, act: (sent: Sent) => unknown) =>
  [path, (body: unknown) => act(inForm(form, body))] as const;

/** Mistakes in files or requests go to the page; other errors to the terminal as well. */
function publishProblem(session: Session, error: unknown): void {
  if (!isUserError(error)) onError(error);
  session.feed.publish({ problem: messageOf(error) });
}

const onError = (error: unknown): void => say(messageOf(error));
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const isUserError = (error: unknown): error is Error =>
  error instanceof ScenarioFilesError || error instanceof UsageError;

function orRefuse<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isUserError(error) ? new PortRefusal(422, error.message) : error;
  }
}

/** Saves it even with mistakes, as an editor does, and reports these. */
function saveSource(session: Session, { id, text }: z.infer<typeof forms.source>): { problems: readonly Problem[] } {
  orRefuse(() => session.write(id, text));
  try {
    session.choices();
    return { problems: [] };
  } catch (error) {
    if (error instanceof ScenarioFilesError) return { problems: error.problems };
    throw error;
  }
}

/** Of several runs, which may have checked different things. */
function comparePage(session: Session, runs: string): string {
  const results = runs.split(',').map((number) => session.resultOf(Number(number)));
  if (results.length < 2) throw new PortRefusal(400, 'Two runs at least are compared.');
  return renderPage(compareDocument(comparisonOf(results, { all: false, runs: results.length === 2 })));
}
