/** The deviations of `cselab up --deviation` and `--list-deviations`. */
import { existsSync } from 'node:fs';
import { Help } from 'commander';
import { closest } from 'fastest-levenshtein';
import { eachOf } from '../deviations/language/each.ts';
import type { DeviationRow } from '../deviations/language/schema.ts';
import type { WrittenDeviation } from '../deviations/vocabulary/deviation.ts';
import type { Product } from '../products/product.ts';
import { type UpOptions, UpOptionsError } from './options.ts';

const columns = 80;

/** Shipped ones by their ids, and rows of files. Rejects with an UpOptionsError that names the nearest id, or file, line and column. */
export async function chosenDeviations({
  deviation: names = [],
}: UpOptions): Promise<readonly (string | DeviationRow)[]> {
  const read = await Promise.all(names.map((one) => (isFile(one) ? rowsIn(one) : [one])));
  const chosen = read.flat();
  const ids = chosen.filter((one) => typeof one === 'string');
  const known = (await listFor(ids)).map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return chosen;
  const guess = existsSync(unknown)
    ? 'files of rows end in .yaml, .yml or .json'
    : `the nearest is "${closest(unknown, known)}"`;
  throw new UpOptionsError(`--deviation: there is none called "${unknown}"; ${guess}. See --list-deviations.`);
}

const isFile = (text: string): boolean => /\.(ya?ml|json)$/.test(text);

async function rowsIn(file: string): Promise<readonly DeviationRow[]> {
  const [{ rowsSchema }, { readYamlFile }] = await Promise.all([
    import('../deviations/language/schema.ts'),
    import('../seeding/yaml-file.ts'),
  ]);
  const { value } = await readYamlFile(file, rowsSchema, UpOptionsError);
  return value.flatMap(eachOf);
}

/** The shipped ones, loaded only where one is named. */
async function listFor(ids: readonly string[]): Promise<readonly WrittenDeviation[]> {
  return ids.length === 0 ? [] : (await import('../deviations/index.ts')).deviations();
}

/** `id: sentence` of each of them. */
export async function deviationLines(chosen: readonly (string | DeviationRow)[]): Promise<string[]> {
  const written = await listFor(chosen.filter((one) => typeof one === 'string'));
  const of = (one: string | DeviationRow) => (typeof one === 'string' ? written.find(({ id }) => id === one) : one);
  return chosen.flatMap((one) => of(one) ?? []).map(({ id, says }) => `${id}: ${says}`);
}

interface ListedDeviation {
  readonly id: string;
  readonly violates: readonly string[];
  readonly says: string;
}

/** Deviations with the text in their id, requirement or sentence, at 80 columns. Rejects with an UpOptionsError where there are none. */
export async function listDeviations(
  { listDeviations: text, as }: UpOptions,
  product: Product | undefined,
): Promise<string> {
  const all = await allWritten();
  const listed = product === undefined ? all : deviationsOf(product, all);
  const search = text === true || text === undefined ? '' : text.toLowerCase();
  const found = listed.filter(({ id, violates, says }) => [id, ...violates, says].some((one) => isIn(one, search)));
  if (found.length > 0) return found.map(deviationText).join('\n');
  throw new UpOptionsError(`--list-deviations: nothing ${as === undefined ? '' : `of ${as} `}has "${search}" in it`);
}

const isIn = (one: string, search: string): boolean => one.toLowerCase().includes(search);

async function allWritten(): Promise<ListedDeviation[]> {
  const { deviations } = await import('../deviations/index.ts');
  const written = deviations();
  return written.map(({ id, violates, says }) => ({ id, violates: [violates], says }));
}

/** Its violations, and its other differences. */
function deviationsOf({ rows, deviations, ways }: Product, all: readonly ListedDeviation[]): ListedDeviation[] {
  const chosen = new Set(deviations.values());
  const violatedBy = (rowId: string) => [...deviations].flatMap(([violated, id]) => (id === rowId ? violated : []));
  const own = rows.map(({ id, says }) => ({ id, says, violates: violatedBy(id) }));
  return [
    ...[...all, ...own].filter(({ id }) => chosen.has(id)),
    ...ways.map(({ id, says }) => ({ id, violates: [], says })),
  ];
}

function deviationText({ id, violates, says }: ListedDeviation): string {
  const broken = violates.length === 0 ? [] : [`breaks ${violates.join(', ')}`];
  const lines = [says, ...broken].flatMap((text) => new Help().boxWrap(text, columns - 2).split('\n'));
  return [id, ...lines.map((line) => `  ${line}`)].join('\n');
}
