import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Shard } from '../../engine/running/shard.ts';
import { operatorOf, type World } from '../../engine/targets/embedded/simulated-deviations.ts';
import { version } from '../../engine/version.ts';
import { type DrawnRow, type DrawnVerdict, drawnVerdicts } from './drawn-row.ts';

/** What was asked for: parts of one run have the same. */
export interface DrawnQuestion {
  /** Of cselab. */
  readonly version: string;
  readonly of: 'deviations' | 'variations';
  readonly dialect: Dialect;
  readonly seed: number;
  /** Rows of the whole run. */
  readonly count: number;
  /** Where the CSE is installed; in every way when absent. */
  readonly world?: World;
  /** Whether each row is two deviations together. */
  readonly inPairs: boolean;
  /** Generated sequences at the most, against each that no scenario sees. */
  readonly runs: number;
}

/** What the harness makes of what a seed drew. */
export interface DrawnTable extends DrawnQuestion {
  readonly startedAt: string;
  /** Milliseconds. */
  readonly took: number;
  /** The part of the run that this is; absent for a whole one. */
  readonly shard?: Shard;
  /** Drawn in all: the others do nothing that could be shown. */
  readonly drawn: number;
  /** Rows that an earlier run, which did not come to its end, had left. */
  readonly kept: number;
  readonly interrupted: boolean;
  readonly totals: DrawnTotals;
  readonly figures: readonly Figure[];
  /** In the order in which they were drawn. */
  readonly rows: readonly DrawnRow[];
}

export interface DrawnTotals {
  readonly verdicts: Readonly<Record<DrawnVerdict, number>>;
  /** Rows of which the scenarios reported a violation, and those of which only generated sequences did. */
  readonly check: number;
  readonly explore: number;
  /** Of pairs: rows of which both deviations are named by violations. */
  readonly bothNamed: number;
  /** Rows with collateral, and the requirements that these are. */
  readonly collateral: { readonly rows: number; readonly requirements: number };
}

/** The same for a part of the rows, such as those with the operator `drop`. A pair counts at both of its deviations. */
export interface Figure extends Omit<DrawnTotals, 'verdicts' | 'bothNamed' | 'collateral'> {
  /** `operator`, `resource type` or another dimension of deviations. */
  readonly by: string;
  readonly is: string;
  readonly rows: number;
  readonly identified: number;
  /** Rows with collateral. */
  readonly collateral: number;
}

type Work = Pick<DrawnTable, 'startedAt' | 'took' | 'drawn' | 'kept'> & { readonly shard?: Shard | undefined };

export function questionOf(question: Omit<DrawnQuestion, 'version'>): DrawnQuestion {
  return { version: version(), ...question };
}

export function drawnTableOf(
  question: DrawnQuestion,
  { shard, ...work }: Work,
  judged: readonly DrawnRow[],
): DrawnTable {
  const rows = judged.toSorted((a, b) => a.number - b.number);
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

/** Every so-many-th falls to a shard. */
export function isInShard(rank: number, { index, count }: Shard = { index: 1, count: 1 }): boolean {
  return rank % count === index - 1;
}

function shareOf(count: number, shard: Shard | undefined): number {
  return Array.from({ length: count }).filter((_, rank) => isInShard(rank, shard)).length;
}

function totalsOf(rows: readonly DrawnRow[]): DrawnTotals {
  const number = (isMeant: (row: DrawnRow) => boolean) => rows.filter(isMeant).length;
  const all = [...new Set(Object.values(drawnVerdicts).flat())];
  const verdicts = Object.fromEntries(all.map((one) => [one, number(({ verdict }) => verdict === one)]));
  return {
    verdicts: verdicts as DrawnTotals['verdicts'],
    check: number(({ by }) => by === 'check'),
    explore: number(({ by }) => by === 'explore'),
    bothNamed: number(({ named }) => named > 1),
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
    return values.map((is) =>
      figureOf(
        { by, is },
        rows.filter((row) => valuesOf(row).includes(is)),
      ),
    );
  });
}

function figureOf(what: Pick<Figure, 'by' | 'is'>, rows: readonly DrawnRow[]): Figure {
  const { verdicts, check, explore, collateral } = totalsOf(rows);
  return {
    ...{ ...what, rows: rows.length, check, explore },
    ...{ identified: verdicts.identified, collateral: collateral.rows },
  };
}

type Facet = readonly [by: string, is: string];

/** What is drawn says by nothing that it is about all of a dimension. */
function valuesIn(drawn: DrawnRow['drawn'], by: string): string[] {
  const each =
    'deviations' in drawn ? drawn.deviations.map((one) => facetsOf({ deviations: [one] })) : [facetsOf(drawn)];
  return each.flatMap((facets) => {
    const own = facets.filter(([name]) => name === by).map(([, is]) => is);
    return own.length > 0 ? own : ['any'];
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

const dimensions: ReadonlyMap<string, string> = new Map([
  ['address', 'address form'],
  ['by', 'originator'],
  ['nth', 'occurrence'],
]);

/** `every n` of `{ every: 5 }`: which number it is makes no difference. */
function valueText(value: unknown): string {
  return typeof value === 'object' && value !== null ? `${Object.keys(value).join(', ')} n` : String(value);
}
