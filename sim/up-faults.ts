/** What `cselab up --fault` and `--list-faults` know. */
import { faults } from './faults/index.ts';
import { nearest } from './faults/nearest.ts';
import type { Product } from './products/product.ts';
import type { UpOptions } from './up-command.ts';
import { UpOptionsError } from './up-options-error.ts';

const columns = 80;

/** Throws an UpOptionsError that names the nearest, for an id that no fault has. */
export function checkFaults(ids: readonly string[]): void {
  const known = faults.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return;
  throw new UpOptionsError(
    `--fault: there is no fault called "${unknown}"; the nearest is "${nearest(unknown, known)}". See --list-faults.`,
  );
}

/** `id: sentence` of each of them. */
export function faultLines(ids: readonly string[]): string[] {
  return faults.filter(({ id }) => ids.includes(id)).map(({ id, says }) => `${id}: ${says}`);
}

interface Listed {
  readonly id: string;
  readonly violates: readonly string[];
  readonly says: string;
}

/** What has the text in its id, requirement or sentence, at 80 columns. Throws an UpOptionsError where nothing has. */
export function listFaults({ listFaults: text, as }: UpOptions, product: Product | undefined): string {
  const listed = product === undefined ? allFaults() : quirksOf(product);
  const wanted = text === true || text === undefined ? '' : text.toLowerCase();
  const found = listed.filter(({ id, violates, says }) => [id, ...violates, says].some((one) => isIn(one, wanted)));
  if (found.length > 0) return found.map(shown).join('\n');
  throw new UpOptionsError(`--list-faults: nothing ${as === undefined ? '' : `of ${as} `}has "${wanted}" in it`);
}

const isIn = (one: string, wanted: string): boolean => one.toLowerCase().includes(wanted);

function allFaults(): Listed[] {
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
