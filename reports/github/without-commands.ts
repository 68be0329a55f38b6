/**
 * GitHub's runner reads each line that a step writes: one that begins with `::` (after blanks), or has `##[` anywhere, may be a workflow command.
 * What a target says must not become one.
 */
import type { TextStream } from '../terminal/terminal-reporter.ts';

export function textWithoutCommands(text: string): string {
  return text.replaceAll('##[', '## [').replace(/^(\s*):(?=:)/gm, '$1: ');
}

/** The stream, where this is such a step. */
export function withoutCommands(stream: TextStream, environment = process.env): TextStream {
  if (environment.GITHUB_ACTIONS !== 'true') return stream;
  return { write: (text) => stream.write(textWithoutCommands(text)) };
}
