import { appendFile } from 'node:fs/promises';
import type { RunResult } from '../../scenarios/index.ts';
import { UnwritableReport, writeWhole } from '../output-file.ts';
import { type Section, summarySections } from './summary-sections.ts';

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
  const room = { left: budget - 200 };
  const parts = summarySections(result).map((section) => fitted(section, room));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** As many of the entries as there is room for. */
function fitted({ heading, entries, after = '' }: Section, room: { left: number }): string {
  const taken: string[] = [];
  const frame = bytes(heading) + bytes(after) + 80;
  if (frame > room.left) return '';
  room.left -= frame;
  for (const entry of entries) {
    const size = bytes(entry) + 1;
    if (size > room.left) break;
    room.left -= size;
    taken.push(entry);
  }
  const missing = entries.length - taken.length;
  const note = missing === 0 ? '' : `\n\n_${missing} more, left out to keep this summary short._`;
  return `${heading}${taken.map((entry) => `\n${entry}`).join('')}${note}${after}`;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
