/** The field matrix: which requirements deployed CSEs were seen to violate, from reports of live runs and from the product files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReport } from '../reports/formats/read-report.ts';
import { getOrAdd } from '../scenarios/engine/basics/memoize.ts';
import { type Dialect, loadRequirements } from '../scenarios/index.ts';
import { productNames, productPath, readProduct, writtenDeviations } from '../sim/index.ts';
import { findingsOf } from './findings.ts';
import { slugOf } from './guide-pages.ts';
import { plain } from './rule-pages.ts';

interface ViolatedRow {
  readonly id: string;
  /** What the product does, or which requirement fails by the same cause. */
  readonly cause: string;
  /** Query of the playground that shows it. */
  readonly query?: string;
  readonly exchange?: string;
}

interface Product {
  readonly name: string;
  readonly dialect: Dialect;
  /** The report or product file, and its date. */
  readonly source: string;
  readonly violated: readonly ViolatedRow[];
}

/** `folder`: of JSON reports, which take the place of what product files say of the same version. */
export async function matrixPage(folder: string | undefined, links: ReadonlyMap<string, string>): Promise<string> {
  const reported = folder === undefined ? [] : reportsIn(folder).map(fromReport);
  const shipped = await Promise.all(productNames.map(fromFile));
  const all = [...new Map([...shipped, ...reported].map((one) => [`${one.dialect} ${one.name}`, one])).values()];
  const sections = new Map([...loadRequirements().requirements.values()].map((one) => [one.id, one]));
  const areaOf = (id: string) => sections.get(id)?.section ?? 'Rules of a team';
  const tables = (['documented', 'onem2m'] as const).map((dialect) =>
    tableOf(
      all.filter((one) => one.dialect === dialect),
      dialect,
      areaOf,
    ),
  );
  const details = all.map((product) => detailsOf(product));
  return [readFileSync('.site/matrix.md', 'utf8'), ...tables, ...details].join('\n\n');

  function detailsOf(product: Product): string {
    const items = [...byArea(product, areaOf)].map(([area, violated]) => {
      const lines = violated.map((one) => lineOf(one, links.get(one.id), sections.get(one.id)));
      return `### ${plain(product.name)}: ${area} {#${anchorOf(product, area)}}\n\n${lines.join('\n')}`;
    });
    return [`## ${plain(product.name)}`, product.source, ...items].join('\n\n');
  }
}

const anchorOf = ({ name }: Product, area: string) => slugOf(`${name} ${area}`);

function byArea({ violated }: Product, areaOf: (id: string) => string): Map<string, ViolatedRow[]> {
  const areas = new Map<string, ViolatedRow[]>();
  for (const one of violated) getOrAdd(areas, areaOf(one.id), () => []).push(one);
  return areas;
}

function tableOf(products: readonly Product[], dialect: Dialect, areaOf: (id: string) => string): string {
  if (products.length === 0) return '';
  const columns = products.map((product) => ({ product, areas: byArea(product, areaOf) }));
  const areas = [...new Set(columns.flatMap(({ areas }) => [...areas.keys()]))].sort();
  const rows = areas.map((area) => {
    const cells = columns.map(({ product, areas }) => {
      const count = areas.get(area)?.length;
      return count === undefined ? '0' : `[${count}](#${anchorOf(product, area)})`;
    });
    return `| ${area} | ${cells.join(' | ')} |`;
  });
  const head = `| area | ${products.map(({ name }) => plain(name)).join(' | ')} |`;
  const sums = `| all | ${products.map(({ violated }) => violated.length).join(' | ')} |`;
  return `## Violated, ${dialect} dialect\n\n<div class="matrix">\n\n${[head, `|---|${products.map(() => '--:|').join('')}`, ...rows, sums].join('\n')}\n\n</div>`;
}

type RequirementText = { readonly says: string; readonly source: string };

function lineOf(
  { id, cause, query, exchange }: ViolatedRow,
  link: string | undefined,
  rule: RequirementText | undefined,
): string {
  const name = link === undefined ? `\`${id}\`` : `[\`${id}\`](${link})`;
  const clause = rule === undefined ? '' : `${plain(rule.says)} <small>${plain(rule.source)}</small>`;
  const attempt =
    query === undefined ? ' *The profile keeps it: there is nothing to try.*' : ` [Try it](/playground?${query})`;
  const messages = exchange === undefined ? '' : `\n  ${foldOf(exchange)}\n`;
  return `- ${name} ${clause}\n\n  ${plain(cause)}${attempt}\n${messages}`;
}

/** On one line, escaped for Markdown, HTML and Vue. */
function foldOf(exchange: string): string {
  const text = exchange
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/\r?\n|\r/g, '&#10;');
  return `<details><summary>The exchange</summary><pre v-pre tabindex="0">${text}</pre></details>`;
}

async function fromFile(name: (typeof productNames)[number]): Promise<Product> {
  const { imitates, version = '', settings, deviations, notImitated, rows } = await readProduct(name);
  const [, day = ''] = /live run on (\d{4}-\d\d-\d\d)/.exec(readFileSync(productPath(name), 'utf8')) ?? [];
  if (day === '') throw new Error(`${productPath(name)} does not say of which day the live run is`);
  const says = new Map([...writtenDeviations(), ...rows].map((one) => [one.id, one.says]));
  const same = [...deviations].map(([id, by]) => ({ id, cause: says.get(by) ?? by, query: `as=${name}&check=${id}` }));
  const others = notImitated.map((id) => ({ id, cause: 'Violated in the live run.' }));
  return {
    name: `${imitates} ${version}`,
    dialect: settings.dialect ?? 'documented',
    source: `From [the product file](/guide/sim.md), made of the report of a live run on ${day}. The imitation shows the exchange; made again by \`npx cselab check --target ${name} --url URL --report json --out field/${name}\`.`,
    violated: [...same, ...others],
  };
}

const reportsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));

function fromReport(file: string): Product {
  const result = readReport(file);
  const { target, startedAt, tool, summary } = result;
  const { product = target.cseId, version = '' } = target;
  const imitated = productNames.find((name) => product.toLowerCase().includes(name));
  const violated = findingsOf(result).filter(({ verdict }) => verdict === 'violated');
  return {
    name: `${product} ${version}`.trim(),
    dialect: result.dialect,
    source: `From a run on ${startedAt.slice(0, 10)} by cselab ${plain(tool.version)}, ${summary.requests} requests.`,
    violated: violated.flatMap(({ id, actual, others, request, answer }) => {
      const one = {
        id,
        cause: `Seen: ${actual}`,
        exchange: `${request}\n\n${answer}`,
        query: playgroundQuery(id, imitated, result.dialect),
      };
      return [
        one,
        ...others.map((other) => ({
          id: other,
          cause: `By the same cause as ${id}.`,
          query: playgroundQuery(other, imitated, result.dialect),
        })),
      ];
    }),
  };
}

const playgroundQuery = (id: string, name: string | undefined, dialect: Dialect) =>
  `${name === undefined ? `dialect=${dialect}` : `as=${name}`}&check=${id}`;
