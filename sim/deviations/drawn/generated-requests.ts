/** Generates sequences of requests from the resource tables, for a CSE of which only the resource types are known. */
import fc from 'fast-check';
import type { AttributeType } from '../../core/attribute-types.ts';
import type { Operation } from '../../core/primitive.ts';
import type { DialectName, ResourceType } from '../../core/resource-type.ts';
import { typesIn } from '../../resources/index.ts';
import { drawableTypes, formsFor, isAddressed, operationsOf } from './drawable.ts';
import type { DrawnAddressForm, ExchangeFilter } from './drawn-deviation.ts';

/** One request, which refers to earlier ones by number. */
export interface GeneratedRequest {
  readonly operation: Exclude<Operation, 'notify'> | 'discover' | 'latest';
  /** Root of the resource to be created, updated or addressed; empty for any. */
  readonly type: string;
  /** Number among the resources created before. */
  readonly on: number;
  readonly form: DrawnAddressForm;
  readonly by: string;
  readonly named: boolean;
  readonly rcn?: number | undefined;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Values that cannot be generated from the type alone. */
const fixedValues: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
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

/** Attributes that need other resources or CSEs. */
const excluded = new Set('acpi daci at aa ast macp hael hsl csy spty esi acrs su nfu rn et'.split(' '));

/** Contents for creates or updates of a type, with attributes that the dialect specifies. */
function contentsOf(type: ResourceType, operation: 'create' | 'update', dialect: DialectName) {
  const drawable = drawableTypes(dialect).find(({ root }) => root === type.root);
  const covered = new Set(drawable?.attributes.map(({ name }) => name));
  const attributes = type.entries.flatMap(({ name, definition }) => {
    const presence = definition[operation];
    const isNeeded = presence === 'mandatory';
    const isExcluded = excluded.has(name) || !covered.has(name);
    if (presence === 'not permitted' || (isExcluded && !isNeeded)) return [];
    const isDefinition = (name === 'cnd' || name === 'mgd') && type.definition !== undefined;
    const fixed = isDefinition ? fc.constant(type.definition) : undefined;
    const value = fixed ?? fixedValues[type.root]?.[name] ?? sampleOf(definition.type, dialect);
    return value === undefined ? [] : [{ name, value, isNeeded }];
  });
  const valuesOf = (some: typeof attributes) =>
    fc.record(Object.fromEntries(some.map(({ name, value }) => [name, value])));
  const needed = attributes.filter(({ isNeeded }) => isNeeded);
  const optional = attributes.filter(({ isNeeded }) => !isNeeded);
  // A few at a time: a refused one hides the effect of others.
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((chosen) => valuesOf([...needed, ...chosen]));
}

/**
 * Half of them concern the type: they create it, with the parents it needs, and send the operation. With operations, addresses and
 * parameters that the dialect specifies.
 */
export function sequencesOf(
  { type: root, operation }: Pick<ExchangeFilter, 'type' | 'operation'>,
  dialect: DialectName,
): fc.Arbitrary<readonly GeneratedRequest[]> {
  const drawable = new Set(drawableTypes(dialect).map((type) => type.root));
  const types = typesIn(dialect).filter((type) => drawable.has(type.root));
  const target = types.find((type) => type.root === root);
  const ancestry = target === undefined ? [] : ancestryOf(target, types, dialect);
  const coreTypes = [...new Set([...types.filter((type) => everywhere.has(type.root)), ...ancestry])];
  const writing = (how: 'create' | 'update', type: ResourceType) =>
    generate(how, type.root, contentsOf(type, how, dialect), dialect);
  const some = (how: 'create' | 'update') => fc.constantFrom(...coreTypes).chain((type) => writing(how, type));
  const nothing = fc.constant({});
  const other = fc
    .constantFrom<GeneratedRequest['operation'][]>('retrieve', 'retrieve', 'retrieve', 'delete', 'discover', 'latest')
    .chain((how) => generate(how, '', nothing, dialect));
  const relevant = (type: ResourceType) =>
    fc
      .constantFrom(...operationsFor(type, operation, dialect))
      .chain((how) =>
        how === 'create' || how === 'update' ? writing(how, type) : generate(how, type.root, nothing, dialect),
      );
  const one = fc.oneof(
    { weight: 4, arbitrary: some('create') },
    { weight: 4, arbitrary: other },
    { weight: dialect === 'documented' ? 0 : 1, arbitrary: some('update') },
    ...(target === undefined ? [] : [{ weight: 8, arbitrary: relevant(target) }]),
  );
  // Its parents come first.
  const [originator = ''] = originators[dialect];
  const above = ancestry
    .slice(0, -1)
    .map((type) => writing('create', type).map((step) => ({ ...step, by: registrars.get(type.root) ?? originator })));
  const rest = fc.array(one, { minLength: 4, maxLength: 40, size: 'max' });
  return fc.tuple(fc.tuple(...above), rest).map(([before, after]) => [...before, ...after]);
}

/** Operations on a type: the relevant one twice as often as creation, otherwise all that the dialect specifies. */
function operationsFor({ root }: ResourceType, operation: Operation | undefined, dialect: DialectName) {
  const covered = operationsOf(root, dialect);
  const chosen = operation === undefined ? covered : (['create', operation, operation] as const);
  return chosen.map((one) => (one === 'notify' ? 'retrieve' : one));
}

const everywhere: ReadonlySet<string> = new Set(['m2m:ae', 'm2m:cnt', 'm2m:cin']);

/** A type after its possible ancestors, unless it can be below the CSE base, which is always there. */
function ancestryOf(type: ResourceType, types: readonly ResourceType[], dialect: DialectName): readonly ResourceType[] {
  const above = types.filter(
    ({ root, children }) => children.includes(type.ty) && isAddressed(dialect, 'create', type.root, root),
  );
  if (above.some(({ root }) => root === 'm2m:cb')) return [type];
  const others = types.filter((one) => one !== type);
  return [...above.flatMap((parent) => ancestryOf(parent, others, dialect)), type];
}

function generate(
  operation: GeneratedRequest['operation'],
  type: string,
  content: fc.Arbitrary<GeneratedRequest['content']>,
  dialect: DialectName,
): fc.Arbitrary<GeneratedRequest> {
  const registrar = operation === 'create' ? registrars.get(type) : undefined;
  return fc.record({
    operation: fc.constant(operation),
    type: fc.constant(type),
    on: fc.nat(9),
    form: fc.constantFrom<DrawnAddressForm[]>(...formsFor(dialect, operation, type)),
    by: fc.constantFrom(...(registrar === undefined ? originators[dialect] : [registrar])),
    named: fc.boolean(),
    rcn: fc.constantFrom(undefined, undefined, ...(dialect === 'onem2m' ? [4] : [])),
    content,
  });
}

/** In the standard's dialect the administrator has all rights. */
const originators: Readonly<Record<DialectName, readonly string[]>> = {
  documented: ['Cone', 'Cone', 'Cone', 'Ctwo'],
  onem2m: ['CAdmin', 'CAdmin', 'Cone', 'Ctwo'],
};

/** The only originators that may create some types: a CSE registers itself. */
const registrars: ReadonlyMap<string, string> = new Map([['m2m:csr', '/cse-a']]);

// Attribute values in wire form, for generated requests.

/** Short and long ones, with letters of each class that deviations may affect. */
const texts = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('Living Room', 'ÄÖ températures', ' around ', '007', 'tab\there', 'x'.repeat(300), 'y'.repeat(5000)),
);
const tokens = fc.constantFrom('a', 'Label', 'two-words', 'ümlaut', '0042');

/** Undefined for a type without generated values. */
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
