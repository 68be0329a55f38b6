/** The only list of written deviations. Who imports it has them known; the rows are read when somebody first asks for one. */
import { know } from './applying.ts';
import { beyondRows } from './custom/beyond-rows.ts';
import { races } from './custom/races.ts';
import { variedRows } from './drawn/variation-rows.ts';
import { deviationOf } from './language/row.ts';
import { writtenRows } from './language/row-files.ts';
import type { WrittenDeviation } from './vocabulary/deviation.ts';

let all: readonly WrittenDeviation[] | undefined;

export function deviations(): readonly WrittenDeviation[] {
  all ??= [...races, ...beyondRows, ...writtenRows().map(deviationOf)];
  return all;
}

know({ written: deviations, deviationOf, variedRows });
