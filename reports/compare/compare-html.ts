import { readFileSync } from 'node:fs';
import { h } from 'preact';
import { htmlDocument } from '../html/document.ts';
import { ComparePage } from './compare-page.tsx';
import { headlineOf } from './compare-words.ts';
import type { Comparison } from './comparison.ts';

/** The comparison as one HTML file that asks nothing of any server. */
export function renderComparisonHtml(comparison: Comparison): string {
  const style = readFileSync(new URL('./compare.css', import.meta.url), 'utf8');
  const labels = comparison.matrix.columns.map(({ label }) => label).join(', ');
  const title = `${headlineOf(comparison)} – ${labels}`;
  return htmlDocument({ title, body: h(ComparePage, { comparison }), style });
}
