/** Attributes in requests of applications, by resource type (TS-0004 7.4, tables of request optionality and data types). */
import { isObject } from '../engine/basics/body.ts';
import { ownValue } from '../engine/basics/own-value.ts';

const wordsIn = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** `create`: not permitted in a creation or an update; `update`: not in an update; `required`: mandatory in a creation. */
interface Row {
  readonly create?: string;
  readonly update?: string;
  readonly required?: string;
}

/** Assigned by the CSE, for every resource type (TS-0004 7.4, universal and common attributes). */
const everywhere: Row = { create: 'ty ri pi ct lt', update: 'rn cr' };

const rows: ReadonlyMap<string, Row> = new Map(
  Object.entries({
    ae: { create: 'aei', update: 'api', required: 'api rr' },
    container: { create: 'st cni cbs li' },
    'content-instance': { create: 'st cs', required: 'con' },
    subscription: { update: 'psn su', required: 'nu' },
    group: { create: 'cnm mtv ssi', update: 'mt spty csy', required: 'mnm mid' },
    policy: { required: 'pv pvs' },
    'polling-channel': {},
  }),
);

/** JSON forms of attributes, by their data types (TS-0004 8.4.2). */
const shapes: ReadonlyArray<readonly [names: string, holds: (value: unknown) => boolean]> = [
  ['rn api apn or nl cnf gpi nfu su gn', (value) => typeof value === 'string'],
  ['lbl poa srv csz acpi at aa daci nu mid macp', isTexts],
  ['rr disr ln rqag', (value) => typeof value === 'boolean'],
  ['mni mbs mia', isCount],
  ['exc psn nsp mnm', (value) => isCount(value) && value !== 0],
  ['nct nec pn csy mt', Number.isInteger],
  ['et', isTimestamp],
  ['enc bn rl pv pvs', isObject],
];
const shapeOf: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  shapes.flatMap(([names, holds]) => wordsIn(names).map((name) => [name, holds] as const)),
);

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

/** The basic format, in UTC (TS-0004 6.3.3). */
export function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && /^\d{8}T\d{6}(,\d{1,6})?$/.test(value);
}

type Attributes = Readonly<Record<string, unknown>>;

/** Errors in the attributes of a request; undefined for resource types that are not listed here. */
export function attributeErrors(type: string, change: 'create' | 'update', { attributes, release }: RequestContent) {
  const row = rows.get(type);
  if (row === undefined) return undefined;
  const names = Object.keys(attributes).filter((name) => isPresent(name, attributes, change));
  const assigned = wordsIn(`${everywhere.create} ${row.create ?? ''}`);
  const fixed = change === 'update' ? wordsIn(`${everywhere.update} ${row.update ?? ''}`) : [];
  const named = type === 'ae' && /^[345]/.test(release ?? '') ? ' srv' : '';
  const required = change === 'create' ? wordsIn(`${row.required ?? ''}${named}`) : [];
  return {
    'not permitted': names.filter((name) => [...assigned, ...fixed].includes(name)),
    missing: required.filter((name) => !names.includes(name)),
    mistyped: names.filter((name) => !isOfItsType(name, attributes)),
  } as const;
}

interface RequestContent {
  readonly attributes: Attributes;
  /** Release of the request: `supportedReleaseVersions` is mandatory since release 3. */
  readonly release: string | undefined;
}

/** In an update, null removes an attribute; in a creation it is as good as absent. */
function isPresent(name: string, attributes: Attributes, change: 'create' | 'update'): boolean {
  return change === 'update' || ownValue(attributes, name) !== null;
}

function isOfItsType(name: string, attributes: Attributes): boolean {
  const value = ownValue(attributes, name);
  return value === null || (shapeOf.get(name)?.(value) ?? true);
}
