import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { type ComponentChild, Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** In the order of their dependencies. */
const styleSheets = ['page', 'parts', 'rows', 'views', 'table', 'pictures', 'media', 'documents'];

/**
 * A whole page in one file. Its content security policy allows exactly the style and the script written here, so that nothing of a
 * target's answers could run or be fetched, even as markup.
 */
export function htmlDocument(title: string, body: ComponentChild): string {
  const shared = ['colours', 'base'].map((name) => textBeside(`../../sim/web/${name}.css`));
  const style = [...shared, ...styleSheets.map((name) => textBeside(`./style/${name}.css`))].join('');
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

const textBeside = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const template = /<template>([\s\S]*?)<\/template>/g;
const later = /<x-packed>([\s\S]*?)<\/x-packed>/g;

export interface PackedContent {
  /** Of each template, by its number. */
  readonly parts: readonly string[];
  /** Repeated markup: `\x7f` and a character stand for an index, from a space on. */
  readonly phrases: readonly string[];
}

/** The markup with empty templates, and their contents in one more template at its end. */
function packed(markup: string): string {
  const parts: string[] = [];
  const emptied = (_: string, part: string) => {
    parts.push(part);
    return `<template data-part="${parts.length - 1}"></template>`;
  };
  // Quotation marks between tags need no escape.
  const lighter = markup.replace(/<(?:[^"<>]|"[^"]*")*>|&quot;/g, (found) => (found === '&quot;' ? '"' : found));
  const rest = lighter.replace(template, emptied).replace(later, emptied);
  if (parts.length === 0) return rest;
  const content = deflateSync(JSON.stringify(withPhrases(parts)), { level: 9 }).toString('base64');
  return `${rest}\n<template id="folded">${content}</template>`;
}

/** Runs of equal tags. */
const run = /(?:<(?![^<>]* (?:id|href)=)[^<>]+>)+/g;
const mostPhrases = 400;

/** A compressor looks back over 32 kB only: markup common to all parts is stored once. No text has a control character. */
function withPhrases(parts: readonly string[]): PackedContent {
  const counts = new Map<string, number>();
  for (const part of parts) for (const [tags] of part.matchAll(run)) counts.set(tags, (counts.get(tags) ?? 0) + 1);
  const weight = ([tags, count]: [string, number]) => tags.length * count;
  const phrases = [...counts]
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, mostPhrases)
    .map(([tags]) => tags);
  const signs = new Map(phrases.map((tags, at) => [tags, `\x7f${String.fromCharCode(at + 32)}`]));
  return { phrases, parts: parts.map((part) => part.replace(run, (tags) => signs.get(tags) ?? tags)) };
}
