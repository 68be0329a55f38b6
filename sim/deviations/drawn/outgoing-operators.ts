/** What goes wrong where a CSE is installed: operators of a file of their own, each told as a row. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { DialectName } from '../../core/resource-type.ts';
import { filled, type Options, optionsIn } from '../language/each.ts';
import type { Row } from '../language/schema.ts';

/** Behind a TLS listener that demands a client certificate, or a gateway registered at a backend. */
export type World = 'tls' | 'pair';

type Part = Pick<Row, 'when' | 'nth' | 'does' | 'sends' | 'overlooks'>;

interface InstalledOperator {
  readonly world: World;
  /** What it is about, in place of a resource type. */
  readonly about: 'certificate' | 'forwarded request' | 'notification' | 'registration';
  /** Of both when absent. */
  readonly dialect?: DialectName;
  /** Why the result is wrong. */
  readonly wrongBy: string;
  /** With what `<each>` stands for in the row. */
  readonly options: ReadonlyMap<string, unknown>;
  readonly row: Part;
}

interface Written extends Omit<InstalledOperator, 'options'> {
  readonly operator: string;
  readonly options: Options;
}

let read: ReadonlyMap<string, InstalledOperator> | undefined;

/** By name; the file is read when somebody draws, and not before. */
export function installedOperators(): ReadonlyMap<string, InstalledOperator> {
  const written = () => parse(readFileSync(new URL('operators.yaml', import.meta.url), 'utf8')) as readonly Written[];
  read ??= new Map(
    written().map(({ operator, options, ...more }) => [operator, { ...more, options: optionsIn(options) }]),
  );
  return read;
}

/** One operator with its option. */
export type InstalledDoes = { readonly [Name in 'overlook' | 'unbind' | `${string} ${string}`]?: string };

/** Such as `{ when: { type: 'notification' }, does: { 'notify too few': '3' } }`. */
export interface InstalledDeviation {
  readonly when: { readonly type: string };
  readonly does: InstalledDoes;
}

export function drawInstalled(world: World, dialect: DialectName): fc.Arbitrary<InstalledDeviation> {
  const operators = [...installedOperators()].filter(
    ([, one]) => one.world === world && (one.dialect === undefined || one.dialect === dialect),
  );
  return fc
    .constantFrom(...operators)
    .chain(([name, { about, options }]) =>
      fc.constantFrom(...options.keys()).map((option) => ({ when: { type: about }, does: { [name]: option } })),
    );
}

/** The operator of a deviation, where it is of an installation, and what a CSE does with it. */
export function installedIn({
  does,
}: {
  readonly does: object;
}): { readonly operator: InstalledOperator; readonly option: string; readonly part: Part } | undefined {
  const [[name = '', option] = []] = Object.entries(does);
  const operator = installedOperators().get(name);
  if (operator === undefined) return undefined;
  return { operator, option: String(option), part: filled(operator.row, operator.options.get(String(option))) as Part };
}
