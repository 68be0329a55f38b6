import { readFileSync } from 'node:fs';
import { h } from 'preact';
import type { KillTable } from '../../scenarios/index.ts';
import { htmlDocument } from '../html/document.ts';
import { MutantsPage } from './mutants-page.tsx';
import { headlineOf } from './mutants-words.ts';

/** The kill table as one HTML file that asks nothing of any server. */
export function renderMutantsHtml(table: KillTable): string {
  const style = readFileSync(new URL('./mutants.css', import.meta.url), 'utf8');
  return htmlDocument({ title: `Kill table: ${headlineOf(table)}`, body: h(MutantsPage, { table }), style });
}
