import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { type ComponentChild, Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';

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

const template = /<template>([\s\S]*?)<\/template>/g;
const searched = / data-text="([^"]*)"/g;

export interface PackedContent {
  /** Of each template, by its number. */
  readonly parts: readonly string[];
  /** Of each element that can be searched for, in the order of the page. */
  readonly texts: readonly string[];
}

/** The markup with each template and each text to search for empty, and all of their content in one more template at its end. */
function packed(markup: string): string {
  const parts: string[] = [];
  const texts: string[] = [];
  const emptied = markup
    .replace(template, (_, part: string) => {
      parts.push(part);
      return `<template data-part="${parts.length - 1}"></template>`;
    })
    .replace(searched, (_, text: string) => {
      texts.push(text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'));
      return ' data-text';
    });
  if (parts.length + texts.length === 0) return markup;
  const content = deflateSync(JSON.stringify({ parts, texts } satisfies PackedContent), { level: 9 }).toString(
    'base64',
  );
  return `${emptied}\n<template id="folded">${content}</template>`;
}
