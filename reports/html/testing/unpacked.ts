/** For tests: a page as it is once everything in it is unfolded. */
import { inflateSync } from 'node:zlib';
import type { PackedContent } from '../document.ts';

const packedTemplate =
  /(?:<summary id="([^"]*)">)?((?:(?!<summary id)[\s\S])*?)<template data-part="(\d+)"><\/template>/g;
const packedContent = /<template id="folded">([^<]*)<\/template>\n?/;

/** What `packed` was given, with whatever stands around it. */
export function unpacked(page: string): string {
  const [, content = ''] = packedContent.exec(page) ?? [];
  if (content === '') return page;
  const text = inflateSync(Buffer.from(content, 'base64')).toString('utf8');
  const { parts, phrases } = JSON.parse(text) as PackedContent;
  const whole = (part = '') => part.replace(/\x7f(.)/gs, (_, sign: string) => phrases[sign.charCodeAt(0) - 32] ?? '');
  // Steps get their ids as the script of the page gives them.
  const filled = (markup: string): string =>
    markup.replace(packedTemplate, (_, id: string | undefined, between: string, part: string) => {
      const content = filled(whole(parts[Number(part)]));
      const steps = content.replace(/<li value="(\d+)"/g, `<li id="${id}:$1" value="$1"`);
      return `${id === undefined ? '' : `<summary id="${id}">`}${between}<template>${id === undefined ? content : steps}</template>`;
    });
  return filled(page.replace(packedContent, ''));
}
