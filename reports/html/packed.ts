/** Folded content, which is most of a long report, compressed: a page unpacks it when something is unfolded for the first time. */
import { deflateSync, inflateSync } from 'node:zlib';

const template = /<template>([\s\S]*?)<\/template>/g;
const packedTemplate = /<template data-part="(\d+)"><\/template>/g;
const packedContent = /<template id="folded">([^<]*)<\/template>\n?/;

/** The markup with each template empty, and all of their content in one more at its end. */
export function packed(markup: string): string {
  const parts: string[] = [];
  const emptied = markup.replace(template, (_, part: string) => {
    parts.push(part);
    return `<template data-part="${parts.length - 1}"></template>`;
  });
  if (parts.length === 0) return markup;
  const content = deflateSync(JSON.stringify(parts), { level: 9 }).toString('base64');
  return `${emptied}\n<template id="folded">${content}</template>`;
}

/** What `packed` was given, with whatever stands around it. */
export function unpacked(page: string): string {
  const [, content = ''] = packedContent.exec(page) ?? [];
  if (content === '') return page;
  const parts = JSON.parse(inflateSync(Buffer.from(content, 'base64')).toString('utf8')) as string[];
  return page
    .replace(packedContent, '')
    .replace(packedTemplate, (_, part: string) => `<template>${parts[Number(part)]}</template>`);
}
