import { readFileSync } from 'node:fs';
import { h } from 'preact';
import type { DrawnTable } from '../../scenarios/index.ts';
import { htmlDocument } from '../html/document.ts';
import { DrawnPage } from './drawn-page.tsx';
import { drawnHeadline } from './drawn-words.ts';

/** What was seen of what a seed drew, as one HTML file that asks nothing of any server. */
export function renderDrawnHtml(table: DrawnTable): string {
  const style = readFileSync(new URL('./mutants.css', import.meta.url), 'utf8');
  return htmlDocument({ title: `Drawn: ${drawnHeadline(table)}`, body: h(DrawnPage, { table }), style });
}
