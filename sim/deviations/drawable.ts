/** What deviations can be about: kinds, attributes and operations, by the resource tables of the simulator and what a dialect says of them. */
import type { AttributeType } from '../core/attribute-types.ts';
import type { Operation } from '../core/primitive.ts';
import type { AttributeDefinition, DialectName, ResourceType } from '../core/resource-type.ts';
import { kindsIn } from '../resources/index.ts';
import type { AddressForm } from './deviation.ts';

export interface DrawableAttribute {
  readonly name: string;
  readonly form: 'text' | 'texts' | 'number' | 'time' | 'other';
  /** Whether a client gives it; else the CSE makes it. */
  readonly given: boolean;
  /** Whether it can change while the resource is there. */
  readonly changes: boolean;
}

export interface DrawableKind {
  readonly root: string;
  readonly attributes: readonly DrawableAttribute[];
  readonly operations: readonly Operation[];
}

/** All that the interface specification says of its three kinds ("Resources", "Endpoints"); what `st` counts is not said. */
const documented: Readonly<Record<string, { names: readonly string[]; operations: readonly Operation[] }>> = {
  'm2m:ae': { names: ['api', 'rr', 'aei'], operations: ['create', 'retrieve', 'delete'] },
  'm2m:cnt': { names: ['cr', 'cni', 'cbs', 'st'], operations: ['create', 'retrieve'] },
  'm2m:cin': { names: ['con', 'cnf', 'cs', 'st'], operations: ['create', 'retrieve'] },
};
/** In which forms a request may name a resource. */
export const formsIn: Readonly<Record<DialectName, readonly AddressForm[]>> = {
  documented: ['names', 'SP-relative'],
  onem2m: ['names', 'identifier', 'SP-relative', 'absolute'],
};

const common = ['ri', 'rn', 'ty', 'pi', 'ct', 'lt', 'et'];

/** Attributes that the CSE sets in every resource of a kind, beside those that its table derives. */
const assigned = new Set(['aei', 'cs', 'cnd', 'mgd']);
const counted = new Set(['cni', 'cbs', 'cnm', 'st', 'lt']);

const known = new Map<DialectName, readonly DrawableKind[]>();

export function drawableKinds(dialect: DialectName): readonly DrawableKind[] {
  const found = known.get(dialect) ?? made(dialect);
  known.set(dialect, found);
  return found;
}

function made(dialect: DialectName): readonly DrawableKind[] {
  const kinds = kindsIn(dialect).filter(({ ty, root }) => ty < 10_000 && root !== 'm2m:req');
  if (dialect === 'onem2m') return kinds.map(ofTheStandard);
  return Object.entries(documented).map(([root, { names, operations }]) => {
    const kind = kinds.find((one) => one.root === root);
    const attributes = [...common, ...names].flatMap((name) =>
      attributeOf(name, kind?.attributes[name], ['cni', 'cbs']),
    );
    return { root, attributes, operations };
  });
}

function ofTheStandard({ root, entries, operations }: ResourceType): DrawableKind {
  const attributes = entries
    .filter(({ name, definition }) => definition.create !== 'not permitted' || definition.from || assigned.has(name))
    .flatMap(({ name, definition }) => attributeOf(name, definition, [...counted]));
  return { root, attributes, operations: ['create', ...operations] };
}

function attributeOf(
  name: string,
  definition: AttributeDefinition | undefined,
  changing: readonly string[],
): DrawableAttribute[] {
  if (definition === undefined) return [];
  const given = definition.create !== 'not permitted';
  const changes = changing.includes(name) || definition.update === 'optional';
  return [{ name, form: formOf(definition.type), given, changes }];
}

function formOf(type: AttributeType): DrawableAttribute['form'] {
  if (type === 'text') return 'text';
  if (type === 'timestamp') return 'time';
  if (type === 'list of text' || type === 'list of token') return 'texts';
  return type === 'integer' || type === 'positive integer' || type === 'any integer' || type === 'number'
    ? 'number'
    : 'other';
}
