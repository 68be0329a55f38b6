/** What chosen deviations do to a CSE. Their list is long: an installation without any never loads it. */
import { closest } from 'fastest-levenshtein';
import type { Cse } from '../core/operations/cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import type { OtherText } from '../environment/defined.ts';
import type { Variation } from './drawn/variation.ts';
import type { DeviationRow } from './language/schema.ts';
import { UnknownDeviationError, type WrittenDeviation } from './vocabulary/deviation.ts';

/** Of those that are written. The package declares each of them, so that an editor offers them; `.ci/build.ts` writes that. */
export type DeviationId = string;

/** One of those that are written, by its id, or one as data. */
export type DeviationChoice = DeviationId | OtherText | DeviationRow;

/** What options say of deviations. */
interface Choices {
  readonly deviations?: readonly DeviationChoice[];
  /** Ways to do otherwise that everybody has to take. */
  readonly variations?: readonly Variation[];
}

/** The list of those that are written, and what makes rows to deviations. */
interface Catalogue {
  readonly written: () => ReadonlyMap<string, WrittenDeviation>;
  readonly deviationOf: (row: DeviationRow) => WrittenDeviation;
  readonly variedRows: (variations: readonly Variation[]) => readonly DeviationRow[];
}

let catalogue: Catalogue | undefined;

/** Said once, by the list. */
export function registerCatalogue(all: Catalogue): void {
  catalogue = all;
}

function loadedCatalogue(): Catalogue {
  if (catalogue === undefined) throw new TypeError('the list of deviations is not loaded');
  return catalogue;
}

/** Whether some are chosen: the list is to be loaded then before anything here is called with them. */
export function areChosen({ deviations = [], variations = [] }: Choices): boolean {
  return deviations.length + variations.length > 0;
}

/** What is chosen; an UnknownDeviationError for an id that none has. */
export function chosenIn({ deviations = [], variations = [] }: Choices): readonly WrittenDeviation[] {
  const ofVariations = variations.length > 0 ? loadedCatalogue().variedRows(variations) : [];
  return [...deviations, ...ofVariations].map(chosen);
}

export function chosen(choice: DeviationChoice): WrittenDeviation {
  return typeof choice === 'string' ? deviationById(choice) : loadedCatalogue().deviationOf(choice);
}

/** The service with these around it, the last one outermost. */
export function withDeviations(service: HttpService, core: Cse, all: readonly WrittenDeviation[]): HttpService {
  return all.reduce((inner, { wrap }) => wrap?.(inner, core) ?? inner, service);
}

/** What the CSE sends, with those around it that are about it. */
export function withSendingDeviations(sender: Sender, core: Cse, all: readonly WrittenDeviation[]): Sender {
  return all.reduce((inner, { wrapSender }) => wrapSender?.(inner, core) ?? inner, sender);
}

/** An UnknownDeviationError for an id that none has. */
function deviationById(id: string): WrittenDeviation {
  const known = loadedCatalogue().written();
  const one = known.get(id);
  if (one !== undefined) return one;
  const nearest = closest(id, [...known.keys()]);
  throw new UnknownDeviationError(`There is no deviation called "${id}"; the nearest is "${nearest}".`);
}
