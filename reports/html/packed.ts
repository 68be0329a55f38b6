/** Folded content and the texts that a search looks into, which are most of a long report, compressed: a page unpacks them when it needs them. */
import { deflateSync } from 'node:zlib';

const template = /<template>([\s\S]*?)<\/template>/g;
const searched = / data-text="([^"]*)"/g;

export interface PackedContent {
  /** Of each template, by its number. */
  readonly parts: readonly string[];
  /** Of each element that can be searched for, in the order of the page. */
  readonly texts: readonly string[];
}

/** The markup with each template and each text to search for empty, and all of their content in one more template at its end. */
export function packed(markup: string): string {
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
