import type { RunEvent, RunResult } from '../../scenarios/words.ts';
import { renderTerminal } from '../check/run-text.ts';
import type { TextOptions } from '../document/terminal.ts';
import { deathNews } from '../facts/run-facts.ts';
import { counted, visibleText } from '../facts/wording.ts';
import type { TextStream } from '../writing/io.ts';
import { writeWhole } from '../writing/output-file.ts';
import { LineProgress, runProgress } from '../writing/progress.ts';

export interface TerminalContext extends TextOptions {
  /** Takes the results. */
  readonly stdout: TextStream;
  /** Takes the progress. */
  readonly stderr: TextStream;
  /** Whether stderr is a terminal, so that progress can be shown. */
  readonly isTTY: boolean;
}

const fileColumns = 80;

/**
 * Progress on stderr while the run goes on, and the results on stdout at its end, or in a file: without colours, 80 columns wide.
 */
export function terminalReporter(context: TerminalContext, path = '-') {
  const { stdout, stderr, isTTY, columns } = context;
  const lines = new LineProgress({ isTTY, columns, write: (text) => stderr.write(text) }, {});
  const progress = runProgress(({ finished, planned, failures, left }, event) => {
    const { title } = event.type === 'scenario started' ? event : event.result;
    lines.passing(`${finished} of ${counted(planned, 'scenario')}${failures}${left}: ${visibleText(title)}`);
  });
  return {
    onEvent(event: RunEvent): void {
      progress(event);
      const line = newsIn(event);
      if (line !== '') lines.line(visibleText(line));
    },
    async finish(result: RunResult): Promise<void> {
      lines.end();
      if (path === '-') stdout.write(renderTerminal(result, context));
      else await writeWhole(path, renderTerminal(result, { ...context, color: false, columns: fileColumns }));
    },
  };
}

/** What is told at once. */
function newsIn(event: RunEvent): string {
  if (event.type === 'notice') return event.text;
  return event.type === 'target died' || event.type === 'target back' ? deathNews(event) : '';
}
