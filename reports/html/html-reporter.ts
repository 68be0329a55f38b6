import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RunResult } from '../../scenarios/index.ts';
import { writeWhole } from '../output-file.ts';
import { targetText, verdictLine } from '../wording.ts';
import { ReportPage } from './report-page.tsx';

/** In the order in which they build on each other. */
const styleSheets = ['colours', 'page', 'parts', 'rows', 'views', 'table', 'media'];

/** Writes the result as one HTML file that asks nothing of any server. */
export function htmlReporter(path: string): { finish(result: RunResult): Promise<void> } {
  return { finish: (result) => writeWhole(path, renderHtml(result)) };
}

/**
 * The whole page. Its content security policy allows exactly the style and the script written here, so that nothing a
 * target answered could run or be fetched, even if it got into the page as markup.
 */
export function renderHtml(result: RunResult): string {
  const style = styleSheets.map((name) => textBeside(`./style/${name}.css`)).join('');
  const script = textBeside('./page.js');
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${renderToString(h('title', {}, `${verdictLine(result)} – ${targetText(result)}`))}
<style>${style}</style>
</head>
<body>
${renderToString(h(ReportPage, { result }))}
<script type="module">${script}</script>
</body>
</html>
`;
}

function textBeside(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
