/** For tests: a page as it is once everything in it is unfolded. */
import { inflateSync } from 'node:zlib';
import type { PackedContent } from '../document.ts';

const summaryOrTemplate = /<summary id="([^"]*)">|<template data-part="(\d+)"><\/template>/g;
const packedContent = /<template id="folded">([^<]*)<\/template>\n?/;

/** What `packed` was given, with whatever stands around it. */
export function unpack(page: string): string {
  const [, content = ''] = packedContent.exec(page) ?? [];
  if (content === '') return page;
  const text = inflateSync(Buffer.from(content, 'base64')).toString('utf8');
  const { parts, phrases } = JSON.parse(text) as PackedContent;
  const whole = (part = '') => part.replace(/\x7f(.)/gs, (_, sign: string) => phrases[sign.charCodeAt(0) - 32] ?? '');
  // Steps get their ids, below that of their summary, as the script of the page gives them.
  const fillIn = (markup: string): string => {
    let id: string | undefined;
    return markup.replace(summaryOrTemplate, (all, summary: string | undefined, part: string) => {
      const above = id;
      id = summary;
      if (summary !== undefined) return all;
      const content = fillIn(whole(parts[Number(part)]));
      const steps = content.replace(/<li value="(\d+)"/g, `<li id="${above}:$1" value="$1"`);
      return `<template>${above === undefined ? content : steps}</template>`;
    });
  };
  return fillIn(page.replace(packedContent, ''));
}
