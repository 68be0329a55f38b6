import { readFileSync } from 'node:fs';
import { h } from 'preact';
import type { GeneratedTable } from '../../scenarios/index.ts';
import { htmlDocument } from '../html/document.ts';
import { GeneratedPage } from './generated-page.tsx';
import { generatedHeadline } from './generated-words.ts';

/** What the generators alone find, as one HTML file that asks nothing of any server. */
export function renderGeneratedHtml(table: GeneratedTable): string {
  const style = readFileSync(new URL('./mutants.css', import.meta.url), 'utf8');
  return htmlDocument({ title: `Generators: ${generatedHeadline(table)}`, body: h(GeneratedPage, { table }), style });
}
