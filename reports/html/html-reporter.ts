import { h } from 'preact';
import type { RunResult } from '../../scenarios/index.ts';
import { writeWhole } from '../output-file.ts';
import { targetText, verdictLine } from '../wording.ts';
import { htmlDocument } from './document.ts';
import { ReportPage } from './report-page.tsx';

/** Writes the result as one HTML file that asks nothing of any server. */
export function htmlReporter(path: string): { finish(result: RunResult): Promise<void> } {
  return { finish: (result) => writeWhole(path, renderHtml(result)) };
}

/** The whole page. */
export function renderHtml(result: RunResult): string {
  return htmlDocument({ title: `${verdictLine(result)} – ${targetText(result)}`, body: h(ReportPage, { result }) });
}
