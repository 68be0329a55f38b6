/** For tests: a page as it is once everything in it is unfolded. */
import { inflateSync } from 'node:zlib';
import type { PackedContent } from '../document.ts';

const packedTemplate = /<template data-part="(\d+)"><\/template>/g;
const packedText = / data-text(?=[ >])/g;
const packedContent = /<template id="folded">([^<]*)<\/template>\n?/;

/** What `packed` was given, with whatever stands around it. */
export function unpacked(page: string): string {
  const [, content = ''] = packedContent.exec(page) ?? [];
  if (content === '') return page;
  const { parts, texts } = JSON.parse(inflateSync(Buffer.from(content, 'base64')).toString('utf8')) as PackedContent;
  let at = 0;
  return page
    .replace(packedContent, '')
    .replace(packedText, () => ` data-text="${escaped(texts[at++] ?? '')}"`)
    .replace(packedTemplate, (_, part: string) => `<template>${parts[Number(part)]}</template>`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
