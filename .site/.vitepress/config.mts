import { readFileSync } from 'node:fs';

const written = JSON.parse(readFileSync(new URL('../pages/sidebar.json', import.meta.url), 'utf8'));
const below = (folder) =>
  written
    .filter(([path]) => path.startsWith(folder))
    .map(([path, text]) => ({
      text: text === 'cselab' ? 'Start' : text,
      link: `/${path.replace(/(index)?\.md$/, '')}`,
    }));
// One that can be folded is a button within a button there.
const group = (text, folder) => ({ text, items: below(folder) });

export default {
  title: 'cselab',
  description: 'A oneM2M laboratory: a reference CSE in memory, and a conformance harness',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '.cache',
  metaChunk: true,
  markdown: { linkify: false, theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/guide/start' },
      { text: 'Rules', link: '/rules/' },
      { text: 'Playground', link: '/playground' },
      { text: 'Field matrix', link: '/matrix' },
    ],
    sidebar: {
      '/rules/documented/': [group('Rules, documented dialect', 'rules/documented/')],
      '/rules/onem2m/': [group('Rules, onem2m dialect', 'rules/onem2m/')],
      '/': [group('Guide', 'guide/'), group('Reference', 'reference/')],
    },
  },
};
