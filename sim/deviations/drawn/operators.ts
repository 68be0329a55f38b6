/** Operators of deviations, from a file of their own, each expressed as a row. */
import fc from 'fast-check';
import { lazy } from '../../core/memoize.ts';
import type { DialectName } from '../../core/resource-type.ts';
import { methodOf } from '../../dialects/http-message.ts';
import { filled, type Options, optionsIn } from '../language/each.ts';
import { readRows } from '../language/read-rows.ts';
import type { DeviationRow } from '../language/schema.ts';
import type { DrawableAttribute, DrawableType } from './drawable.ts';
import { type DrawnDeviation, describeDeviation, type ExchangeFilter } from './drawn-deviation.ts';

/** Wires whose binding can deviate. */
const wireWorlds = ['mqtt', 'ws', 'coap'] as const;
export type WireWorld = (typeof wireWorlds)[number];

/** A CSE behind a TLS listener that requires a client certificate, a gateway registered at a backend, or a CSE over such a wire. */
export type World = 'tls' | 'pair' | WireWorld;

export const isWire = (world: World | undefined): world is WireWorld => wireWorlds.some((one) => one === world);

type Part = Pick<DeviationRow, 'when' | 'nth' | 'does' | 'outgoing' | 'accepts-certificate'>;

interface Operator {
  readonly operator: string;
  readonly row: Part;
  /** The drawn deviation, for one about an attribute. */
  readonly does?: Readonly<Record<string, unknown>>;
  /** Facts that must all hold for the attribute. */
  readonly attribute?: Readonly<Record<string, unknown>>;
  /** Parameters drawn beside the attribute; `others` are those of the same form. */
  readonly parameters?: Readonly<Record<string, readonly unknown[] | 'others'>>;
  /** Values of `<each>` in the row of an installation, and of `<each.option>` in another. */
  readonly options?: Options;
}

interface InstalledOperator extends Operator {
  readonly world: World;
  /** What it concerns, in place of a resource type. */
  readonly about: 'certificate' | 'forwarded request' | 'notification' | 'registration' | 'any exchange';
  /** Both when absent. */
  readonly dialect?: DialectName;
  /** Why the result is wrong. */
  readonly forbiddenBy: string;
  readonly options: Options;
}

/** By name; the file is read at the first draw. */
const operators = lazy((): ReadonlyMap<string, Operator> => {
  const written = readRows<Operator>(new URL('operators.yaml', import.meta.url));
  return new Map(written.map((one) => [one.operator, one]));
});

const isInstalled = (one: Operator | undefined): one is InstalledOperator => one !== undefined && 'world' in one;

export const installedOperators = (): readonly InstalledOperator[] => [...operators().values()].filter(isInstalled);

/** Such as `{ when: { type: 'notification' }, does: { 'notify too few': '3' } }`; one about any exchange gets one of `exchanges`. */
export function drawInstalled(
  world: World,
  dialect: DialectName,
  exchanges: fc.Arbitrary<ExchangeFilter>,
): fc.Arbitrary<DrawnDeviation> {
  const all = installedOperators().filter((one) => one.world === world && (one.dialect ?? dialect) === dialect);
  return fc.constantFrom(...all).chain(({ operator, about, options }) =>
    fc.constantFrom(...optionsIn(options).keys()).chain((option) => {
      const filter = about === 'any exchange' ? exchanges : fc.constant({ type: about });
      return filter.map((when) => ({ when, does: { [operator]: option } }));
    }),
  );
}

/** Deviations of an attribute in representations or requests. */
export function drawOfAttribute(
  type: DrawableType,
  attribute: DrawableAttribute,
): fc.Arbitrary<DrawnDeviation['does']> {
  const { name, form, known } = attribute;
  const others = form === 'other' ? [] : type.attributes.filter((one) => one.form === form && one.name !== name);
  const facts: Readonly<Record<string, unknown>> = { ...attribute, isLikeOthers: others.length > 0 };
  const isAbout = ({ attribute: expectedFacts = {}, does }: Operator) =>
    does !== undefined &&
    Object.entries(expectedFacts).every(([fact, expected]) => [expected].flat().includes(facts[fact]));
  const ways = [...operators().values()].filter(isAbout).map(({ does, parameters: drawn = {} }) => {
    const parts = Object.values(drawn).map((one) => (one === 'others' ? others.map((other) => other.name) : one));
    return fc.tuple(...parts.map((one) => fc.constantFrom(...one))).map((values) => {
      const each = Object.fromEntries(Object.keys(drawn).map((part, at) => [part, values[at]]));
      return filled(does, { name, ...each }) as DrawnDeviation['does'];
    });
  });
  const [only] = ways;
  // An attribute of which only the presence is specified can only be missing.
  return !known && only !== undefined ? only : fc.oneof(...ways);
}

/** The operator of a deviation: the first key of `does`. */
export function operatorOf({ does }: DrawnDeviation): string {
  return Object.keys(does)[0] ?? '';
}

/** The attributes that it concerns. */
export function attributesIn(deviation: DrawnDeviation): readonly string[] {
  const template = Object.entries(operators().get(operatorOf(deviation))?.does ?? {});
  const named = template.filter(([, part]) => [part].flat().includes('<each.name>'));
  return named.flatMap(([key]) => deviation.does[key] as string | readonly string[]);
}

/** The operator and drawn option of a deviation of an installation. */
export function installedIn(
  deviation: DrawnDeviation,
): { readonly operator: InstalledOperator; readonly option: string } | undefined {
  const operator = operators().get(operatorOf(deviation));
  return isInstalled(operator) ? { operator, option: String(deviation.does[operator.operator]) } : undefined;
}

/** The part of its row from the operator. */
function partOf({ when, does }: DrawnDeviation): Part {
  const [[name = '', value] = []] = Object.entries(does);
  const operator = operators().get(name);
  const option = optionsIn(operator?.options ?? []).get(String(value));
  const each = isInstalled(operator) ? option : { above: 0, type: when.type ?? 'any', ...does, option };
  return filled(operator?.row ?? {}, each) as Part;
}

/** The row, for a CSE or a file. */
export function rowOf(deviation: DrawnDeviation): DeviationRow {
  const { when } = deviation;
  const says = describeDeviation(deviation);
  const part = partOf(deviation);
  const named = { id: `drawn.${says.replace(/[^\w.-]+/g, '-')}`, says };
  if ((installedIn(deviation)?.operator.about ?? 'any exchange') !== 'any exchange') return { ...named, ...part };
  return { ...named, ...part, when: { ...selectorOf(when), ...part.when }, ...(when.nth && { nth: when.nth }) };
}

function selectorOf({ operation, type, address, by, wire }: ExchangeFilter): Record<string, unknown> {
  return {
    ...(operation && { method: methodOf[operation] }),
    ...(type && aboutType(type, operation === undefined ? undefined : operation === 'create')),
    ...(address && { form: address }),
    ...(wire && { wire }),
    ...(by && { 'target.creator': by === 'creator' ? '$originator' : { not: '$originator' } }),
  };
}

/** A selector for the type created or addressed. */
function aboutType(type: string, creates: boolean | undefined): Record<string, unknown> {
  if (creates !== undefined) return { [creates ? 'root' : 'target.root']: type };
  return {
    either: [
      { method: 'POST', root: type },
      { method: { not: 'POST' }, 'target.root': type },
    ],
  };
}
