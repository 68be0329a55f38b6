import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ComponentChild, Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { packed } from './packed.ts';

/** In the order in which they build on each other. */
const styleSheets = ['colours', 'page', 'parts', 'rows', 'views', 'table', 'pictures', 'media', 'documents'];

/**
 * A whole page in one file. Its content security policy allows exactly the style and the script written here, so that nothing a
 * target answered could run or be fetched, even if it got into the page as markup.
 */
export function htmlDocument(title: string, body: ComponentChild): string {
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
${renderToString(h('title', {}, title))}
<style>${style}</style>
</head>
<body>
${packed(renderToString(h(Fragment, {}, body)))}
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
