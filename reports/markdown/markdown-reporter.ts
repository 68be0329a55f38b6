import { appendFile } from 'node:fs/promises';
import type { RunResult } from '../../scenarios/index.ts';
import { fitted } from '../document/markdown.ts';
import { UnwritableReport, writeWhole } from '../output-file.ts';
import { summaryParts } from './summary-parts.ts';

/** Bytes. A comment on GitHub takes 65,536 characters, the summary of a step 1 MiB; the whole of what is longer is refused. */
const usualBudget = 65_000;

/** Writes a summary for people as Markdown. `append`: to what other steps of a job have written already. */
export function markdownReporter(path: string, append: boolean): { finish(result: RunResult): Promise<void> } {
  return {
    async finish(result) {
      const text = renderMarkdown(result);
      if (!append) return writeWhole(path, text);
      await appendFile(path, text, 'utf8').catch((cause: unknown) => {
        throw new UnwritableReport(path, cause);
      });
    },
  };
}

/** At most `budget` bytes: what matters most comes first, and what is left out is counted. */
export function renderMarkdown(result: RunResult, budget = usualBudget): string {
  return fitted(summaryParts(result), budget - 200);
}
