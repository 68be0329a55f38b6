import { operatorOf } from '../../../sim/deviations/drawn/operators.ts';
import { version } from '../../engine/basics/version.ts';
import type { Shard } from '../../engine/files/shard.ts';
import { countedBy } from '../scoring/deviation-work.ts';
import {
  type DrawnRow,
  type DrawnSettings,
  type DrawnTable,
  type DrawnTotals,
  drawnVerdicts,
  type Figure,
} from '../scoring/tables.ts';

type Work = Pick<DrawnTable, 'startedAt' | 'took' | 'drawn' | 'kept'> & { readonly shard?: Shard | undefined };

export function drawnSettingsOf(question: Omit<DrawnSettings, 'version'>): DrawnSettings {
  return { version: version(), ...question };
}

export function drawnTableOf(
  question: DrawnSettings,
  { shard, ...work }: Work,
  checked: readonly DrawnRow[],
): DrawnTable {
  const rows = checked.toSorted((a, b) => a.number - b.number);
  return {
    ...question,
    ...work,
    ...(shard && { shard }),
    interrupted: rows.length < shareOf(question.count, shard),
    totals: totalsOf(rows),
    figures: figuresOf(rows),
    rows,
  };
}

/** A shard has every nth row. */
export function isInShard(rank: number, { index, count }: Shard = { index: 1, count: 1 }): boolean {
  return rank % count === index - 1;
}

function shareOf(count: number, shard: Shard | undefined): number {
  return Array.from({ length: count }).filter((_, rank) => isInShard(rank, shard)).length;
}

function totalsOf(rows: readonly DrawnRow[]): DrawnTotals {
  const number = (isMeant: (row: DrawnRow) => boolean) => rows.filter(isMeant).length;
  return {
    verdicts: countedBy(Object.values(drawnVerdicts).flat(), rows),
    check: number(({ by }) => by === 'check'),
    explore: number(({ by }) => by === 'explore'),
    bothIdentified: number(({ identified }) => identified > 1),
    collateral: {
      rows: number(({ collateral }) => collateral.length > 0),
      requirements: rows.reduce((sum, { collateral }) => sum + collateral.length, 0),
    },
  };
}

function figuresOf(rows: readonly DrawnRow[]): Figure[] {
  const dimensions = new Set(rows.flatMap(({ drawn }) => facetsOf(drawn).map(([by]) => by)));
  return [...dimensions].flatMap((by) => {
    const valuesOf = ({ drawn }: DrawnRow) => valuesIn(drawn, by);
    const values = [...new Set(rows.flatMap(valuesOf))].sort();
    return values.map((is) => {
      const own = rows.filter((row) => valuesOf(row).includes(is));
      const { verdicts, check, explore, collateral } = totalsOf(own);
      return { by, is, rows: own.length, check, explore, identified: verdicts.identified, collateral: collateral.rows };
    });
  });
}

type Facet = readonly [by: string, is: string];

/** A missing facet means all of a dimension. */
function valuesIn(drawn: DrawnRow['drawn'], by: string): string[] {
  const each = 'deviations' in drawn ? drawn.deviations.map((one) => ({ deviations: [one] })) : [drawn];
  return each.flatMap((one) => {
    const own = facetsOf(one).filter(([name]) => name === by);
    return own.length > 0 ? own.map(([, is]) => is) : ['any'];
  });
}

function facetsOf(drawn: DrawnRow['drawn']): Facet[] {
  if ('variations' in drawn)
    return drawn.variations.flatMap((one) => Object.keys(one).map((is) => ['variation', is] as const));
  return drawn.deviations.flatMap((deviation) => {
    const { type = 'any', ...when } = deviation.when;
    const more = Object.entries(when).map(([name, value]): Facet => [dimensions.get(name) ?? name, valueText(value)]);
    return [['operator', operatorOf(deviation)] as const, ['resource type', type] as const, ...more];
  });
}

const dimensions = new Map(Object.entries({ address: 'address form', by: 'originator', nth: 'occurrence' }));

/** `every n` of `{ every: 5 }`: the number makes no difference. */
function valueText(value: unknown): string {
  return typeof value === 'object' && value !== null ? `${Object.keys(value).join(', ')} n` : String(value);
}
