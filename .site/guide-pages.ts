/** Pages from the guides of the folders: references and decisions become their own pages, and links follow them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, posix } from 'node:path';

/** The path of each page, such as `guide/sim.md`, with its Markdown. */
export type Pages = Map<string, string>;

const guides = new Map([
  ['README.md', 'guide/start.md'],
  ['scenarios/README.md', 'guide/scenarios.md'],
  ['reports/README.md', 'guide/reports.md'],
  ['sim/README.md', 'guide/sim.md'],
  ['fixtures/README.md', 'guide/fixtures.md'],
  ['certs/README.md', 'guide/certs.md'],
  ['sim/deviations/rows/README.md', 'guide/deviations.md'],
  ['CONTRIBUTING.md', 'guide/contributing.md'],
  ['CHANGELOG.md', 'guide/changelog.md'],
]);

/** Short generated parts stay where they are. */
const isShort = (name: string) => name === 'scores';

interface Guides {
  readonly pages: Pages;
  /** Paths in the repository. */
  readonly images: ReadonlySet<string>;
}

/** `repository`: URL for links to files that are not pages. Throws for a dead link. */
export function guidePages(repository: string): Guides {
  const pages: Pages = new Map();
  const images = new Set<string>();
  const decisions: string[] = [];
  for (const [file, page] of guides) {
    const linked = withLinks(readFileSync(file, 'utf8'), { file, repository, images });
    const { text, references } = withoutReferences(linked);
    for (const [name, body] of references)
      pages.set(`reference/${slugOf(name)}.md`, `# ${titleOf(name)}\n\n${body.replaceAll(/^####+ /gm, '## ')}`);
    const [decided] = /^## Decisions\n[\s\S]*?(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
    if (decided) decisions.push(decided.replace('Decisions', posix.dirname(file)));
    const notice = 'Why things are as they are: [decisions](/reference/decisions.md).\n\n';
    const whole = decided ? text.replace(decided, `## Decisions\n\n${notice}`) : text;
    pages.set(page, `${whole.replaceAll(/^<!--[\s\S]*?-->\n/gm, '').replaceAll(/^ +<!--.*?-->\n/gm, '')}`);
  }
  pages.set('reference/decisions.md', `# Decisions\n\n${decisions.join('\n')}`);
  return { pages, images };
}

function withoutReferences(markdown: string) {
  const references = new Map<string, string>();
  const text = markdown.replaceAll(
    /<!-- reference: (\S+) -->\n\n([\s\S]*?)\n\n<!-- end of \1 -->/g,
    (whole, name: string, body: string) => {
      if (isShort(name)) return whole;
      references.set(name, body);
      return `[${titleOf(name)}](/reference/${slugOf(name)}.md)`;
    },
  );
  return { text, references };
}

const titles = new Map([
  ['commands', 'Commands'],
  ['up', 'cselab up'],
  ['certs', 'cselab certs'],
  ['grammar', 'The grammar of scenario files'],
]);
const titleOf = (name: string) => titles.get(name) ?? `Library: ${name}`;

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

interface LinkContext {
  readonly file: string;
  readonly repository: string;
  readonly images: Set<string>;
}

/** Leaves code and comments as they are; nothing else is markup. */
function withLinks(markdown: string, context: LinkContext): string {
  const parts = /^( *```)[\s\S]*?^\1$|`[^`\n]+`|<!--|\]\(([^)\s]+)\)|</gm;
  return markdown.replaceAll(parts, (whole, _fence, to?: string) => {
    if (whole === '<') return '&lt;';
    return to === undefined || /^(https?:|#)/.test(to) ? whole : `](${linkTarget(to, context)})`;
  });
}

function linkTarget(to: string, { file, repository, images }: LinkContext): string {
  const [path = '', fragment] = to.split('#');
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, '');
  const hash = fragment === undefined ? '' : `#${fragment}`;
  const page = guides.get(target) ?? guides.get(`${target}/README.md`);
  if (page !== undefined) return `/${page}${hash}`;
  if (!existsSync(target)) throw new Error(`${file}: the link ${to} leads nowhere`);
  if (!target.endsWith('.png'))
    return `${repository}/${statSync(target).isDirectory() ? 'tree' : 'blob'}/main/${target}`;
  images.add(target);
  return `/${basename(target)}`;
}
