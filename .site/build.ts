/**
 * `npm run site -- [--base /PATH/] [--reports DIR]`: builds the site into `.site/dist`, to be served at a path of that name. Pages are
 * made anew in `.site/pages` from guides, code and, for the field matrix, the JSON reports of a directory.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleLab } from '../.ci/lab-bundle.ts';
import { installIn, runIn } from '../.ci/own-packages.ts';
import { deadAnchors } from './anchors.ts';
import { guidePages, type Pages } from './guide-pages.ts';
import { matrixPage } from './matrix-page.ts';
import { obligationsPage, robustnessPage, ruleLinks, rulePages } from './rule-pages.ts';

const { values } = parseArgs({
  options: { base: { type: 'string', default: '/cselab/' }, reports: { type: 'string' } },
});
const site = '.site';
const written = join(site, 'pages');

installIn(site);
rmSync(written, { recursive: true, force: true });
const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { repository: { url: string } };
const { pages, images } = guidePages(repository.url.replace(/^git\+|\.git$/g, ''));
const links = ruleLinks();
const all: Pages = new Map([
  ...pages,
  ...rulePages(),
  ['reference/robustness.md', robustnessPage()],
  ['reference/obligations.md', obligationsPage(links)],
  ['matrix.md', await matrixPage(values.reports, links)],
  ['playground.md', readFileSync(join(site, 'playground.md'), 'utf8')],
  ['index.md', readFileSync(join(site, 'home.md'), 'utf8')],
]);
for (const [path, text] of all) write(path, text);
for (const image of images) {
  mkdirSync(join(written, 'public'), { recursive: true });
  copyFileSync(image, join(written, 'public', basename(image)));
}
await bundleLab(join(written, 'public', 'lab.js'));
write('sidebar.json', JSON.stringify([...all].map(([path, text]) => [path, /^# (.*)$/m.exec(text)?.[1] ?? ''])));
runIn(site, 'node_modules/vitepress/bin/vitepress.js', 'build', '.', '--base', values.base);
const dead = deadAnchors(join(site, 'dist'), values.base);
if (dead.length > 0) throw new Error(`dead links:\n${dead.join('\n')}`);
console.log(`the site is in ${site}/dist; serve it at ${values.base}`);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(written, path)), { recursive: true });
  writeFileSync(join(written, path), text);
}
