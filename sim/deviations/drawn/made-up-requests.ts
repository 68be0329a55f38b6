/** Sequences of requests made up from the resource tables, for a CSE of which nothing is known but its kinds. */
import fc from 'fast-check';
import type { AttributeType } from '../../core/attribute-types.ts';
import type { Operation } from '../../core/primitive.ts';
import type { DialectName, ResourceType } from '../../core/resource-type.ts';
import { kindsIn } from '../../resources/index.ts';
import { drawableKinds, formsFor, isAddressed, operationsOf } from './drawable.ts';
import type { DrawnAddressForm, ExchangeFilter } from './drawn-deviation.ts';

/** One request, in which earlier ones are named by number. */
export interface MadeUp {
  readonly operation: Exclude<Operation, 'notify'> | 'discover' | 'latest';
  /** Root of what is created, updated or addressed; empty for whatever is there. */
  readonly kind: string;
  /** Of what was created before. */
  readonly on: number;
  readonly form: DrawnAddressForm;
  readonly by: string;
  readonly named: boolean;
  readonly rcn?: number | undefined;
  readonly content: Readonly<Record<string, unknown>>;
}

/** What cannot be made up from the type alone. */
const known: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  'm2m:ae': { srv: fc.constant(['3']), api: fc.constantFrom('N.app', 'NApp'), csz: fc.constant(['application/json']) },
  'm2m:acp': {
    pv: fc.constantFrom({ acr: [{ acor: ['all'], acop: 63 }] }, { acr: [{ acor: ['Cone'], acop: 2 }] }),
    pvs: fc.constant({ acr: [{ acor: ['Cone'], acop: 63 }] }),
  },
  'm2m:sub': { nu: fc.constant(['http://127.0.0.1:9/inbox']), enc: fc.constantFrom({ net: [1] }, { net: [3, 4] }) },
  'm2m:grp': { mid: fc.constant([]), mnm: fc.integer({ min: 1, max: 20 }) },
  'm2m:csr': { csi: fc.constant('/cse-a'), cb: fc.constant('/cse-a/base') },
  'm2m:dvc': { cas: fc.constant({ sus: 1 }) },
  'm2m:cin': { cnf: fc.constantFrom('text/plain:0', 'application/json:1') },
};

/** What needs other resources, or other CSEs. */
const left = new Set('acpi daci at aa ast macp hael hsl csy spty esi acrs su nfu rn et'.split(' '));

/** What a create or an update of a kind gives: only what the dialect speaks of. */
function contentsOf(kind: ResourceType, operation: 'create' | 'update', dialect: DialectName) {
  const drawable = drawableKinds(dialect).find(({ root }) => root === kind.root);
  const spokenOf = new Set(drawable?.attributes.map(({ name }) => name));
  const given = kind.entries.flatMap(({ name, definition }) => {
    const presence = definition[operation];
    const isNeeded = presence === 'mandatory';
    const isLeft = left.has(name) || !spokenOf.has(name);
    if (presence === 'not permitted' || (isLeft && !isNeeded)) return [];
    const isDefinition = (name === 'cnd' || name === 'mgd') && kind.definition !== undefined;
    const fixed = isDefinition ? fc.constant(kind.definition) : undefined;
    const value = fixed ?? known[kind.root]?.[name] ?? sampleOf(definition.type, dialect);
    return value === undefined ? [] : [{ name, value, isNeeded }];
  });
  const valuesOf = (some: typeof given) => fc.record(Object.fromEntries(some.map(({ name, value }) => [name, value])));
  const needed = given.filter(({ isNeeded }) => isNeeded);
  const optional = given.filter(({ isNeeded }) => !isNeeded);
  // A few at a time: one that is refused hides what would become of the others.
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((chosen) => valuesOf([...needed, ...chosen]));
}

/**
 * Half of them meet what they are about: they create it, with what it can only be created below, and send its operation. With
 * operations, addresses and parameters that the dialect speaks of.
 */
export function sequencesOf(
  { type, operation }: Pick<ExchangeFilter, 'type' | 'operation'>,
  dialect: DialectName,
): fc.Arbitrary<readonly MadeUp[]> {
  const drawable = new Set(drawableKinds(dialect).map(({ root }) => root));
  const kinds = kindsIn(dialect).filter(({ root }) => drawable.has(root));
  const favourite = kinds.find(({ root }) => root === type);
  const line = favourite === undefined ? [] : lineOf(favourite, kinds, dialect);
  const usual = [...new Set([...kinds.filter(({ root }) => everywhere.has(root)), ...line])];
  const writing = (how: 'create' | 'update', kind: ResourceType) =>
    madeUp(how, kind.root, contentsOf(kind, how, dialect), dialect);
  const some = (how: 'create' | 'update') => fc.constantFrom(...usual).chain((kind) => writing(how, kind));
  const nothing = fc.constant({});
  const other = fc
    .constantFrom<MadeUp['operation'][]>('retrieve', 'retrieve', 'retrieve', 'delete', 'discover', 'latest')
    .chain((how) => madeUp(how, '', nothing, dialect));
  const meeting = (kind: ResourceType) =>
    fc
      .constantFrom(...asked(kind, operation, dialect))
      .chain((how) =>
        how === 'create' || how === 'update' ? writing(how, kind) : madeUp(how, kind.root, nothing, dialect),
      );
  const one = fc.oneof(
    { weight: 4, arbitrary: some('create') },
    { weight: 4, arbitrary: other },
    { weight: dialect === 'documented' ? 0 : 1, arbitrary: some('update') },
    ...(favourite === undefined ? [] : [{ weight: 8, arbitrary: meeting(favourite) }]),
  );
  // What it has to be below comes first.
  const [usually = ''] = originators[dialect];
  const above = line
    .slice(0, -1)
    .map((kind) => writing('create', kind).map((step) => ({ ...step, by: registrars.get(kind.root) ?? usually })));
  const rest = fc.array(one, { minLength: 4, maxLength: 40, size: 'max' });
  return fc.tuple(fc.tuple(...above), rest).map(([before, after]) => [...before, ...after]);
}

/** What is asked of a kind: the operation that matters twice as often as its creation, else all that the dialect speaks of. */
function asked({ root }: ResourceType, operation: Operation | undefined, dialect: DialectName) {
  const spokenOf = operationsOf(root, dialect);
  const chosen = operation === undefined ? spokenOf : (['create', operation, operation] as const);
  return chosen.map((one) => (one === 'notify' ? 'retrieve' : one));
}

const everywhere: ReadonlySet<string> = new Set(['m2m:ae', 'm2m:cnt', 'm2m:cin']);

/** A kind, after all that it can be below where that is not the CSE base, which is always there. */
function lineOf(kind: ResourceType, kinds: readonly ResourceType[], dialect: DialectName): readonly ResourceType[] {
  const above = kinds.filter(
    ({ root, children }) => children.includes(kind.ty) && isAddressed(dialect, 'create', kind.root, root),
  );
  if (above.some(({ root }) => root === 'm2m:cb')) return [kind];
  const others = kinds.filter((one) => one !== kind);
  return [...above.flatMap((parent) => lineOf(parent, others, dialect)), kind];
}

function madeUp(
  operation: MadeUp['operation'],
  kind: string,
  content: fc.Arbitrary<MadeUp['content']>,
  dialect: DialectName,
): fc.Arbitrary<MadeUp> {
  const registrar = operation === 'create' ? registrars.get(kind) : undefined;
  return fc.record({
    operation: fc.constant(operation),
    kind: fc.constant(kind),
    on: fc.nat(9),
    form: fc.constantFrom<DrawnAddressForm[]>(...formsFor(dialect, operation, kind)),
    by: fc.constantFrom(...(registrar === undefined ? originators[dialect] : [registrar])),
    named: fc.boolean(),
    rcn: fc.constantFrom(undefined, undefined, ...(dialect === 'onem2m' ? [4] : [])),
    content,
  });
}

/** In the standard's dialect the administrator may do what others lack the rights for. */
const originators: Readonly<Record<DialectName, readonly string[]>> = {
  documented: ['Cone', 'Cone', 'Cone', 'Ctwo'],
  onem2m: ['CAdmin', 'CAdmin', 'Cone', 'Ctwo'],
};

/** Who alone may create some kinds: a CSE registers itself. */
const registrars: ReadonlyMap<string, string> = new Map([['m2m:csr', '/cse-a']]);

// Values that attributes of a type can have on the wire, for requests that are made up.

/** Short and long ones, with letters of each class that a deviation may be about. */
const texts = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('Living Room', 'ÄÖ températures', ' around ', '007', 'tab\there', 'x'.repeat(300), 'y'.repeat(5000)),
);
const tokens = fc.constantFrom('a', 'Label', 'two-words', 'ümlaut', '0042');

/** Undefined for a type of which nothing can be made up. */
function sampleOf(type: AttributeType, dialect: DialectName): fc.Arbitrary<unknown> | undefined {
  if (typeof type === 'string') return simple[type]?.(dialect);
  if ('oneOf' in type) return fc.constantFrom<unknown>(...type.oneOf);
  if ('listOf' in type) {
    const element = sampleOf(type.listOf, dialect);
    return element && fc.array(element, { minLength: Math.max(1, type.atLeast ?? 0), maxLength: 3 });
  }
  return undefined;
}

type Simple = Extract<AttributeType, string>;

const whole = (min: number) => () => fc.oneof(fc.integer({ min, max: 30 }), fc.constantFrom(127, 128, 255, 65_536));

const simple: Readonly<Partial<Record<Simple, (dialect: DialectName) => fc.Arbitrary<unknown>>>> = {
  text: () => texts,
  any: () => texts,
  'list of text': () => fc.array(texts, { minLength: 1, maxLength: 3 }),
  'list of token': () => fc.uniqueArray(tokens, { minLength: 1, maxLength: 3 }),
  'list of integer': () => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 }),
  integer: whole(0),
  'positive integer': whole(1),
  'any integer': whole(-5),
  number: () => fc.constantFrom(0, 1.5, -3, 21.25),
  boolean: (dialect) => (dialect === 'documented' ? fc.constantFrom('TRUE', 'FALSE') : fc.boolean()),
  timestamp: () => fc.constantFrom('20991231T235959', '20500101T000000'),
  'absolute or relative timestamp': () => fc.constantFrom('20991231T235959', '20200101T000000'),
};
