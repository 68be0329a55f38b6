import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Links within a built site that lead to no page, or to no anchor of one; `base` is the path that it is served at. */
export function deadAnchors(folder: string, base: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const texts = new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const ids = new Map([...texts].map(([name, text]) => [name, new Set(found(text, / id="([^"]+)"/g))]));
  return [...texts].flatMap(([name, text]) => {
    const links = new Set(found(text, / href="([^"]+)"/g));
    return [...links].filter((link) => isDead(link, name)).map((link) => `${name}: ${link}`);
  });

  function isDead(link: string, from: string): boolean {
    if (!link.startsWith(base) && !link.startsWith('#')) return false;
    const [path = '', fragment = ''] = link.replace(/\?[^#]*/, '').split('#');
    const page = path === '' ? from : path.slice(base.length).replace(/(^|\/)$/, '$1index.html');
    if (!/(\.html|\/[^.]*)$/.test(`/${page}`)) return false;
    const known = ids.get(page.endsWith('.html') ? page : `${page}.html`);
    return known === undefined || (fragment !== '' && !known.has(decodeURIComponent(fragment)));
  }
}

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, one = '']) => one);
