import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { type CheckResult, checkedShare, isWhole, type RunResult } from '../../scenarios/words.ts';
import { type CauseFacts, causeFacts, deathFacts, newCauses } from '../facts/run-facts.ts';
import { counted, verdictLine, visibleLines, visibleText } from '../facts/wording.ts';
import { io, type TextStream } from '../writing/io.ts';

/** GitHub shows ten annotations of a type for a step and drops the rest, which our last one counts. */
const mostShown = 9;

interface Annotation {
  readonly type: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly location?: CheckResult['place'] | undefined;
}

/**
 * Prints the workflow commands by which GitHub Actions annotates a run; it reads them from stdout. If the action has stopped commands, by
 * a token that no target can know, they are resumed for just these lines.
 */
export function githubReporter(
  stdout: TextStream,
  token = io().env.CSELAB_COMMANDS_STOPPED_BY,
): { finish(result: RunResult): void } {
  return {
    finish(result) {
      const commands = renderAnnotations(result);
      const isStopped = token !== undefined && token !== '' && commands !== '';
      stdout.write(isStopped ? `::${token}::\n${commands}::stop-commands::${token}\n` : commands);
    },
  };
}

/** One command on each line, the worst first. */
export function renderAnnotations(result: RunResult, exists: (path: string) => boolean = existsSync): string {
  const all = annotations(result);
  const lines = (['error', 'warning', 'notice'] as const).flatMap((type) => {
    const own = all.filter((one) => one.type === type);
    const more = own.length - mostShown;
    const listed = more > 1 ? own.slice(0, mostShown) : own;
    const rest = more > 1 ? [{ type, title: 'cselab', message: `${more} more; the report has all of them` }] : [];
    return [...listed, ...rest].map((one) => command(one, exists));
  });
  return lines.map((line) => `${line}\n`).join('');
}

function annotations(result: RunResult): Annotation[] {
  const causes = causeFacts(result);
  const { exit, notes = [], requirements } = result;
  const { problems = [], file = '' } = result.baseline ?? {};
  const location = { file, line: 1, column: 1 };
  const ofRun = (type: Annotation['type'], message: string): Annotation => ({ type, title: 'cselab', message });
  const isPartial = exit.code === 0 && !isWhole(checkedShare(requirements));
  return [
    ...deathFacts(result).map(({ says, title, lines, curl }): Annotation => {
      return { type: 'error', title: says, message: [title, ...lines, ...curl].join('\n') };
    }),
    ...newCauses(causes, 'violated').map((one) => deviation('error', one)),
    ...problems.map(({ kind, says }): Annotation => {
      return { type: 'error', title: `baseline: ${kind}`, message: says, location };
    }),
    ...(exit.code > 1 ? [ofRun('error', verdictLine(result))] : []),
    ...newCauses(causes, 'intermittent').map((one) => deviation('warning', one)),
    ...(isPartial ? [ofRun('notice', verdictLine(result))] : []),
    ...notes.map((note) => ofRun('notice', note)),
  ];
}

function deviation(type: Annotation['type'], { requirement, others, failure, elsewhere }: CauseFacts): Annotation {
  const { id, says, section, source, verdict } = requirement;
  const { expected, actual, place: location } = failure.check;
  const beside = others.map((one) => one.id).join(', ');
  const lines = [
    says,
    `(${section}, ${source})`,
    `expected: ${expected.join(', or ')}`,
    `actual: ${actual}`,
    ...(elsewhere.length > 0 ? [`also at ${counted(elsewhere.length, 'other place')}`] : []),
    ...(others.length > 0 ? [`with it ${counted(others.length, 'requirement')}: ${beside}`] : []),
  ];
  return { type, title: `${verdict}: ${id}`, message: lines.join('\n'), location };
}

/** Names only files of the repository: GitHub does not show annotations of others. */
function command({ type, title, message, location }: Annotation, exists: (path: string) => boolean): string {
  const properties = [...locationProperties(location, exists), `title=${property(visibleText(title))}`];
  return `::${type} ${properties.join(',')}::${data(visibleLines(message).join('\n'))}`;
}

function locationProperties(location: Annotation['location'], exists: (path: string) => boolean): string[] {
  if (location === undefined || location.file === '') return [];
  const path = isAbsolute(location.file) ? relative('', location.file) : location.file;
  if (path.startsWith('..') || !exists(path)) return [];
  return [`file=${property(path)}`, `line=${location.line}`, `col=${location.column}`];
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * GitHub's runner reads each line that a step writes: one that begins with `::` (after blanks), or has `##[` anywhere, may be a workflow command.
 * What a target says must not become one.
 */
export function withoutCommands(stream: TextStream, environment = io().env): TextStream {
  if (environment.GITHUB_ACTIONS !== 'true') return stream;
  return { write: (text) => stream.write(text.replaceAll('##[', '## [').replace(/^(\s*):(?=:)/gm, '$1: ')) };
}
