/** Folded content and the texts that a search looks into, which are most of a long report, compressed: a page unpacks them when it needs them. */
import { deflateSync, inflateSync } from 'node:zlib';

const template = /<template>([\s\S]*?)<\/template>/g;
const searched = / data-text="([^"]*)"/g;
const packedTemplate = /<template data-part="(\d+)"><\/template>/g;
const packedText = / data-text(?=[ >])/g;
const packedContent = /<template id="folded">([^<]*)<\/template>\n?/;

interface Content {
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
  const content = deflateSync(JSON.stringify({ parts, texts } satisfies Content), { level: 9 }).toString('base64');
  return `${emptied}\n<template id="folded">${content}</template>`;
}

/** What `packed` was given, with whatever stands around it. */
export function unpacked(page: string): string {
  const [, content = ''] = packedContent.exec(page) ?? [];
  if (content === '') return page;
  const { parts, texts } = JSON.parse(inflateSync(Buffer.from(content, 'base64')).toString('utf8')) as Content;
  let at = 0;
  return page
    .replace(packedContent, '')
    .replace(packedText, () => ` data-text="${escaped(texts[at++] ?? '')}"`)
    .replace(packedTemplate, (_, part: string) => `<template>${parts[Number(part)]}</template>`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
