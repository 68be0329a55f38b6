/** What deviations can concern: resource types, attributes and operations, from the simulator's resource tables and a dialect. */

import type { AttributeType } from '../../core/attribute-types.ts';
import { getOrInsert } from '../../core/memoize.ts';
import type { Operation } from '../../core/primitive.ts';
import type { AttributeDefinition, DialectName, ResourceType } from '../../core/resource-type.ts';
import { typesIn } from '../../resources/index.ts';
import type { DrawnAddressForm } from './drawn-deviation.ts';

export interface DrawableAttribute {
  readonly name: string;
  readonly form: 'text' | 'texts' | 'number' | 'time' | 'other';
  /** Whether clients set it; otherwise the CSE does. */
  readonly given: boolean;
  /** Whether it can change during the life of the resource. */
  readonly changes: boolean;
  /** Whether it may hold any text. */
  readonly isWords: boolean;
  /** Whether its value is specified; otherwise only its presence. */
  readonly known: boolean;
}

export interface DrawableType {
  readonly root: string;
  readonly ty: number;
  readonly attributes: readonly DrawableAttribute[];
  readonly operations: readonly Operation[];
}

/** All that the interface specification says of its three types ("Resources", "Endpoints"); it leaves open what `st` counts. */
const documented: Readonly<Record<string, { names: readonly string[]; operations: readonly Operation[] }>> = {
  'm2m:ae': { names: ['api', 'rr', 'aei'], operations: ['create', 'retrieve', 'delete'] },
  'm2m:cnt': { names: ['cr', 'cni', 'cbs', 'st'], operations: ['create', 'retrieve'] },
  'm2m:cin': { names: ['con', 'cnf', 'cs', 'st'], operations: ['create', 'retrieve'] },
};
/** Allowed address forms of a request; in the documented dialect those of its endpoints. */
export function formsFor(dialect: DialectName, operation: DrawnOperation, root: string): readonly DrawnAddressForm[] {
  if (dialect === 'onem2m') return ['names', 'identifier', 'SP-relative', 'absolute'];
  if (operation === 'discover') return ['SP-relative'];
  if (operation === 'delete' || (operation === 'create' && root !== 'm2m:cin')) return ['names'];
  return operation === 'latest' ? ['names'] : ['names', 'SP-relative'];
}

export type DrawnOperation = Operation | 'discover' | 'latest';

/** Whether a create may have this parent, or another request this target. */
export function isAddressed(dialect: DialectName, operation: DrawnOperation, type: string, root: string): boolean {
  if (operation === 'latest') return root === 'm2m:cnt';
  if (operation === 'delete' && !operationsOf(root, dialect).includes('delete')) return false;
  if (dialect === 'onem2m') return true;
  if (operation === 'discover') return root === 'm2m:cb';
  if (operation === 'create') return parents.get(type) === root;
  return root !== 'm2m:cb';
}

const parents: ReadonlyMap<string, string> = new Map([
  ['m2m:ae', 'm2m:cb'],
  ['m2m:cnt', 'm2m:ae'],
  ['m2m:cin', 'm2m:cnt'],
]);

const common = ['ri', 'rn', 'ty', 'pi', 'ct', 'lt', 'et'];

/** Attributes that the CSE sets in every resource of a type, beside computed ones. */
const assigned = new Set(['aei', 'cs', 'cnd', 'mgd']);
/** A CSE may override their requested values (TS-0004 7.4.6.2.1). */
const limitsOf: ReadonlyMap<string, readonly string[]> = new Map([['m2m:cnt', ['mni', 'mbs', 'mia']]]);
/** Identifiers and addresses, which have neither letters beyond ASCII nor white space to lose (TS-0001 7.2; RFC 3986, 2). */
const addresses = new Set(
  'poa or nl hcl hsl dcse spi ici csi cb nu nfu gpi su acrs acpi daci cstn adri apri airi mid macp esi url obis obps mgs cmlk purl spur'.split(
    ' ',
  ),
);
const counted = new Set(['cni', 'cbs', 'cnm', 'st', 'lt']);

const known = new Map<DialectName, readonly DrawableType[]>();

export function drawableTypes(dialect: DialectName): readonly DrawableType[] {
  return getOrInsert(known, dialect, () => build(dialect));
}

/** The operations that the dialect specifies for a type. */
export function operationsOf(root: string, dialect: DialectName): readonly Operation[] {
  return drawableTypes(dialect).find((one) => one.root === root)?.operations ?? [];
}

function build(dialect: DialectName): readonly DrawableType[] {
  const types = typesIn(dialect).filter(({ ty, root }) => ty < 10_000 && root !== 'm2m:req');
  if (dialect === 'onem2m') return types.map(onem2mType);
  return Object.entries(documented).map(([root, { names, operations }]) => {
    const type = types.find((one) => one.root === root);
    const attributes = [...common, ...names].flatMap((name) =>
      attributeOf(name, type?.attributes[name], ['cni', 'cbs'], dialect),
    );
    return { root, ty: type?.ty ?? 0, attributes, operations };
  });
}

function onem2mType({ root, ty, entries, operations }: ResourceType): DrawableType {
  const attributes = entries
    .filter(({ name, definition }) => definition.create !== 'not permitted' || definition.compute || assigned.has(name))
    .flatMap(({ name, definition }) => attributeOf(name, definition, [...counted], 'onem2m'))
    .map((one) => (limitsOf.get(root)?.includes(one.name) ? { ...one, known: false } : one));
  return { root, ty, attributes, operations: ['create', ...operations] };
}

function attributeOf(
  name: string,
  definition: AttributeDefinition | undefined,
  changing: readonly string[],
  dialect: DialectName,
): DrawableAttribute[] {
  if (definition === undefined) return [];
  const given = definition.create !== 'not permitted';
  const changes = changing.includes(name) || definition.update === 'optional';
  return [
    {
      name,
      form: formOf(definition.type),
      given,
      changes,
      isWords: !addresses.has(name),
      known: !(name === 'et' || (name === 'st' && dialect === 'documented')),
    },
  ];
}

function formOf(type: AttributeType): DrawableAttribute['form'] {
  if (type === 'text') return 'text';
  if (type === 'timestamp') return 'time';
  if (type === 'list of text' || type === 'list of token') return 'texts';
  return type === 'integer' || type === 'positive integer' || type === 'any integer' || type === 'number'
    ? 'number'
    : 'other';
}
