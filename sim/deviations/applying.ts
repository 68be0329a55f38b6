/** Applies chosen deviations to a CSE. Their list is long: an installation without any never loads it. */
import { closest } from 'fastest-levenshtein';
import type { Cse } from '../core/operations/cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import type { OtherText } from '../environment/defined.ts';
import type { Variation } from './drawn/variation.ts';
import type { DeviationRow } from './language/schema.ts';
import { UnknownDeviationError, type WrittenDeviation } from './vocabulary/deviation.ts';

/** Id of a written deviation. The package declares each one, so that editors offer them; `.ci/build.ts` writes that. */
export type DeviationId = string;

/** The id of a written deviation, or one as data. */
export type DeviationChoice = DeviationId | OtherText | DeviationRow;

/** What options say of deviations. */
interface Choices {
  readonly deviations?: readonly DeviationChoice[];
  /** Behaviour that every client has to accept. */
  readonly variations?: readonly Variation[];
}

/** The list of written deviations, and functions that turn rows into deviations. */
interface Catalogue {
  readonly written: () => ReadonlyMap<string, WrittenDeviation>;
  readonly deviationOf: (row: DeviationRow) => WrittenDeviation;
  readonly variedRows: (variations: readonly Variation[]) => readonly DeviationRow[];
}

let catalogue: Catalogue | undefined;

/** Called once, by the list. */
export function registerCatalogue(all: Catalogue): void {
  catalogue = all;
}

function loadedCatalogue(): Catalogue {
  if (catalogue === undefined) throw new TypeError('the list of deviations is not loaded');
  return catalogue;
}

/** Whether any are chosen: the list must then be loaded before they are used. */
export function areChosen({ deviations = [], variations = [] }: Choices): boolean {
  return deviations.length + variations.length > 0;
}

/** The chosen ones. Throws an UnknownDeviationError for an unknown id. */
export function chosenIn({ deviations = [], variations = [] }: Choices): readonly WrittenDeviation[] {
  const ofVariations = variations.length > 0 ? loadedCatalogue().variedRows(variations) : [];
  return [...deviations, ...ofVariations].map(chosen);
}

export function chosen(choice: DeviationChoice): WrittenDeviation {
  return typeof choice === 'string' ? deviationById(choice) : loadedCatalogue().deviationOf(choice);
}

/** The service wrapped in these, the last one outermost. */
export function withDeviations(service: HttpService, core: Cse, all: readonly WrittenDeviation[]): HttpService {
  return all.reduce((inner, { wrap }) => wrap?.(inner, core) ?? inner, service);
}

/** The sender wrapped in those of them that affect it. */
export function withSendingDeviations(sender: Sender, core: Cse, all: readonly WrittenDeviation[]): Sender {
  return all.reduce((inner, { wrapSender }) => wrapSender?.(inner, core) ?? inner, sender);
}

/** Throws an UnknownDeviationError for an unknown id. */
function deviationById(id: string): WrittenDeviation {
  const known = loadedCatalogue().written();
  const one = known.get(id);
  if (one !== undefined) return one;
  const nearest = closest(id, [...known.keys()]);
  throw new UnknownDeviationError(`There is no deviation called "${id}"; the nearest is "${nearest}".`);
}
