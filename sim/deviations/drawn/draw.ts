/** Draws deviations by a seed from operators and resource tables, independently of any check. */
import fc from 'fast-check';
import type { Operation } from '../../core/primitive.ts';
import type { DialectName } from '../../core/resource-type.ts';
import type { Wire } from '../../dialects/http-message.ts';
import { optionsIn } from '../language/each.ts';
import { variationRows } from '../language/row-files.ts';
import { type DrawableType, type DrawnOperation, drawableTypes, formsFor } from './drawable.ts';
import type { DrawnDeviation, ExchangeFilter } from './drawn-deviation.ts';
import { drawInstalled, drawOfAttribute, isWire, type World } from './operators.ts';
import type { Variation } from './variation.ts';

/**
 * An endless sequence, the same for the same seed; two of three are of the world, if any, and all of a wire. Some have no
 * visible effect: see `witnessOf`.
 */
export function* drawDeviations(dialect: DialectName, seed: number, world?: World): Generator<DrawnDeviation, void> {
  const all = drawableTypes(dialect);
  // The many specializations of flexible containers and management objects have the weight of one type.
  const types = [...new Set(all.map(({ ty }) => ty))].map((ty) => all.filter((one) => one.ty === ty));
  const anyType = fc.constantFrom(...types).chain((alike) => fc.constantFrom(...alike));
  const ofResources = anyType.chain((drawable) => deviationOf(drawable, dialect));
  const exchanges = anyType.chain(({ root, operations }) => exchangesOf(root, operations, dialect));
  const arbitrary: fc.Arbitrary<DrawnDeviation> =
    world === undefined
      ? ofResources
      : fc.oneof(
          { weight: 2, arbitrary: drawInstalled(world, dialect, exchanges) },
          { weight: isWire(world) ? 0 : 1, arbitrary: ofResources },
        );
  const seen = new Set<string>();
  for (let batch = 0; ; batch += 1) {
    for (const deviation of fc.sample(arbitrary, { seed: seed + batch * 1_000_003, numRuns: 100 })) {
      const text = JSON.stringify(deviation);
      if (!seen.has(text)) yield deviation;
      seen.add(text);
    }
  }
}

function deviationOf(drawable: DrawableType, dialect: DialectName): fc.Arbitrary<DrawnDeviation> {
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(...drawable.attributes)
        .chain((attribute) => drawOfAttribute(drawable, attribute))
        .chain((does) => whenOf(drawable, 'ignore' in does, dialect).map((when) => ({ when, does }))),
    },
    { weight: 1, arbitrary: ofExchange(drawable, dialect) },
  );
}

const counts = [1, 2, 3, 5, 10, 20, 50];

/** Exchanges with a type: one of these operations, or any, under some conditions. */
function exchangesOf(
  root: string,
  operations: readonly Operation[],
  dialect: DialectName,
): fc.Arbitrary<ExchangeFilter> {
  return fc.option(fc.constantFrom(...operations), { freq: 3 }).chain((operation) =>
    conditions(root, operation ?? 'retrieve', dialect).map((more) => ({
      type: root,
      ...(operation !== null && { operation }),
      ...more,
    })),
  );
}

/** `writes`: only creates and updates. */
function whenOf(
  { root, operations }: DrawableType,
  writes: boolean,
  dialect: DialectName,
): fc.Arbitrary<ExchangeFilter> {
  const possible = operations.filter((one) => one !== 'delete' && (!writes || one === 'create' || one === 'update'));
  return exchangesOf(root, possible, dialect);
}

/** Mostly none; otherwise by address, by originator, or by count. */
function conditions(root: string, operation: DrawnOperation, dialect: DialectName): fc.Arbitrary<ExchangeFilter> {
  const forms = formsFor(dialect, operation, root);
  const nth = fc.oneof(
    fc.constantFrom(2, 3, 5, 10).map((every) => ({ every })),
    fc.constantFrom(2, 3, 5, 10, 20).map((from) => ({ from })),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: forms.length > 1 ? 1 : 0, arbitrary: fc.constantFrom(...forms).map((address) => ({ address })) },
    { weight: operation === 'create' ? 0 : 1, arbitrary: fc.constantFrom('creator', 'another').map((by) => ({ by })) },
    { weight: 1, arbitrary: nth.map((one) => ({ nth: one })) },
  ) as fc.Arbitrary<ExchangeFilter>;
}

/** Deviations of an exchange as a whole. */
function ofExchange(drawable: DrawableType, dialect: DialectName): fc.Arbitrary<DrawnDeviation> {
  const { root: type, operations } = drawable;
  const has = (operation: Operation) => operations.includes(operation);
  const about = fc.constantFrom(...operations);
  const always = (operation: Operation, does: fc.Arbitrary<DrawnDeviation['does']>) =>
    fc
      .tuple(conditions(type, operation, dialect), does)
      .map(([more, one]) => ({ when: { type, operation, ...more }, does: one }));
  const ways: fc.Arbitrary<DrawnDeviation>[] = [
    about.chain((one) => always(one, fc.constantFrom({ succeed: one === 'create' ? 2000 : 2001 }))),
    about.chain((one) =>
      always(
        one,
        fc.constantFrom(4000, 4004, 4005, 4103, 5000).map((reject) => ({ reject })),
      ),
    ),
  ];
  if (has('delete')) ways.push(always('delete', fc.constant({ pretend: 'delete' })));
  if (has('update'))
    ways.push(
      always('update', fc.constantFrom({ pretend: 'update' } as const)),
      fc.constant({ when: { type }, does: { stale: 'until the next change' } }),
    );
  ways.push(ofLists(dialect));
  if (dialect === 'onem2m')
    ways.push(
      refusing(drawable),
      about.map((operation) => ({ when: { type, operation }, does: { trust: 'anybody' } })),
    );
  return fc.oneof(...ways);
}

/** Deviations in lists of found addresses or children, whatever is addressed. */
function ofLists(dialect: DialectName): fc.Arbitrary<DrawnDeviation> {
  const which = fc.constantFrom('first', 'last');
  const lose = fc.tuple(which, fc.constantFrom(0, ...counts)).map(([one, above]) => ({ lose: one, above }));
  const does = fc.oneof(
    lose,
    which.map((one) => ({ repeat: one })),
  ) as fc.Arbitrary<DrawnDeviation['does']>;
  return fc
    .tuple(does, conditions('', 'discover', dialect))
    .map(([one, more]) => ({ when: { operation: 'retrieve', ...more }, does: one }));
}

/** The standard defines the code of each refusal (TS-0004 6.6, 7.3). */
function refusing({ root: type, operations }: DrawableType): fc.Arbitrary<DrawnDeviation> {
  const codes = fc.constantFrom([4000, 4105], [4004, 4000], [4005, 4000], [4103, 4004], [4105, 4000]) as fc.Arbitrary<
    readonly [number, number]
  >;
  const about = fc.constantFrom(...operations);
  return fc.tuple(about, codes).map(([operation, refuse]) => ({ when: { type, operation }, does: { refuse } }));
}

/** An endless sequence of one to three together, the same for the same seed, visible over the wire, or HTTP. */
export function* drawVariations(
  dialect: DialectName,
  seed: number,
  wire: Wire = 'http',
): Generator<readonly Variation[], void> {
  const rows = variationRows().filter(
    (row) => (row.dialect ?? dialect) === dialect && (row.wire ?? wire) === wire && (wire === 'http' || !row.live),
  );
  const variants = [...new Set(rows.map(({ varies }) => varies))].map((what) => {
    const ways = rows.flatMap((row) => (row.varies === what ? [...optionsIn(row.variants).keys()] : []));
    return fc.constantFrom(...ways).map((how) => ({ [what]: how }));
  });
  const together = fc.uniqueArray(fc.oneof(...variants), {
    ...{ minLength: 1, maxLength: 3 },
    selector: (one) => Object.keys(one)[0],
  });
  for (let batch = 0; ; batch += 1) yield* fc.sample(together, { seed: seed + batch * 1_000_003, numRuns: 50 });
}
