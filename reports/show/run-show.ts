/** What `cselab show` does once its flags are read. */
import pc from 'picocolors';
import { readReport } from '../read-report.ts';
import { takesColor } from '../reporting.ts';
import type { ShowFlags } from '../show-command.ts';
import type { Screen } from '../terminal/screen.ts';
import { findFailures } from './failures.ts';
import { showFailure } from './show-failure.ts';
import { showList } from './show-list.ts';

const widest = 80;

export function runShow(path: string, id: string | undefined, flags: ShowFlags): void {
  const result = readReport(path);
  const screen = screenOf(flags);
  const lines = id === undefined ? showList(screen, result) : showFailure(screen, result, findFailures(result, id));
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** What is read as prose is best read in 80 columns, however wide the terminal is. */
export function screenOf({ color }: ShowFlags): Screen {
  const columns = Math.max(40, Math.min(process.stdout.columns ?? widest, widest));
  return { columns, verbose: true, colors: pc.createColors(color && takesColor(process.stdout)) };
}
