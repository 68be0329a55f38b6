/** What `cselab up --fault` and `--list-faults` know. */
import type { Fault } from '../faults/fault.ts';
import { nearest } from '../faults/nearest.ts';
import type { Product } from '../products/product.ts';
import type { UpOptions } from './options.ts';
import { UpOptionsError } from './options-error.ts';

const columns = 80;

/** The list, for those who name one of it. */
async function listFor(ids: readonly string[]): Promise<readonly Fault[]> {
  return ids.length === 0 ? [] : (await import('../faults/index.ts')).faults;
}

/** Rejects with an UpOptionsError that names the nearest, for an id that no fault has. */
export async function checkFaults(ids: readonly string[]): Promise<void> {
  const faults = await listFor(ids);
  const known = faults.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return;
  throw new UpOptionsError(
    `--fault: there is no fault called "${unknown}"; the nearest is "${nearest(unknown, known)}". See --list-faults.`,
  );
}

/** `id: sentence` of each of them. */
export async function faultLines(ids: readonly string[]): Promise<string[]> {
  const faults = await listFor(ids);
  return faults.filter(({ id }) => ids.includes(id)).map(({ id, says }) => `${id}: ${says}`);
}

interface Listed {
  readonly id: string;
  readonly violates: readonly string[];
  readonly says: string;
}

/** What has the text in its id, requirement or sentence, at 80 columns. Rejects with an UpOptionsError where nothing has. */
export async function listFaults({ listFaults: text, as }: UpOptions, product: Product | undefined): Promise<string> {
  const listed = product === undefined ? await allFaults() : quirksOf(product);
  const wanted = text === true || text === undefined ? '' : text.toLowerCase();
  const found = listed.filter(({ id, violates, says }) => [id, ...violates, says].some((one) => isIn(one, wanted)));
  if (found.length > 0) return found.map(shown).join('\n');
  throw new UpOptionsError(`--list-faults: nothing ${as === undefined ? '' : `of ${as} `}has "${wanted}" in it`);
}

const isIn = (one: string, wanted: string): boolean => one.toLowerCase().includes(wanted);

async function allFaults(): Promise<Listed[]> {
  const { faults } = await import('../faults/index.ts');
  return faults.map(({ id, violates, says }) => ({ id, violates: [violates], says }));
}

function quirksOf({ quirks }: Product): Listed[] {
  return quirks.map(({ id, violates, says }) => ({ id, violates: Object.values(violates).flat(), says }));
}

function shown({ id, violates, says }: Listed): string {
  const broken = violates.length === 0 ? [] : [`breaks ${violates.join(', ')}`];
  return [id, ...[says, ...broken].flatMap((text) => wrapped(text, columns - 2).map((line) => `  ${line}`))].join('\n');
}

/** Lines of at most so many characters; a longer word has one to itself. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
