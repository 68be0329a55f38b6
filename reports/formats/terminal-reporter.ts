import type { RunEvent, RunResult } from '../../scenarios/words.ts';
import { renderTerminal } from '../check/run-text.ts';
import type { TextOptions } from '../document/terminal.ts';
import { deathNews } from '../facts/run-facts.ts';
import { visibleText } from '../facts/wording.ts';
import type { TextStream } from '../writing/io.ts';
import { writeWhole } from '../writing/output-file.ts';
import { LineProgress, runProgress } from '../writing/progress.ts';

export interface TerminalContext extends TextOptions {
  /** Stream of the results. */
  readonly stdout: TextStream;
  /** Stream of the progress. */
  readonly stderr: TextStream;
  /** Whether stderr is a terminal, so that a line can change. */
  readonly isTTY: boolean;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

const fileColumns = 80;

/**
 * Progress on stderr while the run goes on, and the results on stdout at its end, or in a file: without colours, 80 columns wide.
 */
export function terminalReporter(context: TerminalContext, path = '-') {
  const { stdout, stderr, isTTY, columns, now } = context;
  const lines = new LineProgress({ isTTY, columns, write: (text) => stderr.write(text) }, {}, now);
  const progress = runProgress(lines);
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

/** Lines that are printed at once. */
function newsIn(event: RunEvent): string {
  if (event.type === 'notice') return event.text;
  return event.type === 'target died' || event.type === 'target back' ? deathNews(event) : '';
}
