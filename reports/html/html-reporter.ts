import type { RunResult } from '../../scenarios/index.ts';
import { runDocument } from '../check/run-document.ts';
import { renderPage } from '../document/html.tsx';
import { writeWhole } from '../output-file.ts';

/** Writes the result as one HTML file that asks nothing of any server. */
export function htmlReporter(path: string): { finish(result: RunResult): Promise<void> } {
  return { finish: (result) => writeWhole(path, renderHtml(result)) };
}

/** The whole page. */
export function renderHtml(result: RunResult): string {
  return renderPage(runDocument(result));
}
