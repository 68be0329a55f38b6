/** The only list of written deviations. Importing it registers them; the rows are read at first use. */

import { lazy } from '../core/memoize.ts';
import { defined } from '../environment/defined.ts';
import { registerCatalogue } from './applying.ts';
import { codedDeviations } from './custom/coded-deviations.ts';
import { races } from './custom/races.ts';
import { variedRows } from './drawn/variation-rows.ts';
import { checkedRow } from './language/checked-row.ts';
import { deviationOf } from './language/row.ts';
import { writtenRows } from './language/row-files.ts';
import type { WrittenDeviation } from './vocabulary/deviation.ts';

export const deviationsById = lazy(
  (): ReadonlyMap<string, WrittenDeviation> =>
    new Map([...races, ...codedDeviations, ...writtenRows().map(deviationOf)].map((one) => [one.id, one])),
);

export const deviations = (): readonly WrittenDeviation[] => [...deviationsById().values()];

registerCatalogue({ written: deviationsById, deviationOf: (row) => deviationOf(checkedRow(row)), variedRows });

/** Public facts about a deviation: never how it works, only what it violates. */
export type DeviationFacts = Pick<
  WrittenDeviation,
  'id' | 'violates' | 'also' | 'equivalent' | 'sequencesOnly' | 'says'
>;

/** All deviations that `CseOptions.deviations` can name. */
export const writtenDeviations = (): readonly DeviationFacts[] =>
  deviations().map(({ id, violates, also, equivalent, sequencesOnly, says }) => ({
    ...{ id, violates, says },
    ...defined({ also, equivalent, sequencesOnly }),
  }));
