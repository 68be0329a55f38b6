import type { ObjectType, Value } from '../core/attribute-types.ts';
import type { TabledAttribute } from '../core/resource-type.ts';

type Table = Record<string, TabledAttribute>;

const byTheCse = { create: 'not permitted', update: 'not permitted' } as const;
const optional = { create: 'optional', update: 'optional' } as const;

/** Attributes that every kind answers with. */
export const identity = {
  ri: { type: 'text', long: 'resourceID', ...byTheCse, from: (resource) => resource.id },
  rn: {
    type: 'text',
    long: 'resourceName',
    create: 'optional',
    update: 'not permitted',
    from: (resource) => resource.name,
  },
  ty: { type: 'integer', long: 'resourceType', ...byTheCse, from: (resource) => resource.type.ty },
  pi: {
    type: 'text',
    long: 'parentID',
    ...byTheCse,
    from: { documented: (resource) => resource.parent?.id, onem2m: (resource) => resource.parent?.id ?? '' },
  },
  ct: { type: 'timestamp', long: 'creationTime', ...byTheCse, from: (resource) => resource.created },
  lt: { type: 'timestamp', long: 'lastModifiedTime', ...byTheCse, from: (resource) => resource.modified },
} as const satisfies Table;

export const labels = {
  lbl: { type: 'list of token', long: 'labels', ...optional, announced: 'always', from: (resource) => resource.labels },
} as const satisfies Table;

/** Attributes of every kind but the CSE base, which never expires. */
export const common = {
  ...identity,
  et: {
    type: 'timestamp',
    long: 'expirationTime',
    ...optional,
    announced: 'always',
    from: (resource) => resource.expires,
  },
  ...labels,
} as const satisfies Table;

/** Who may do what with the resource (TS-0001, table 9.6.1.3.2-1). */
export const controlled = {
  acpi: { type: 'list of text', long: 'accessControlPolicyIDs', ...optional, announced: 'always' },
  daci: { type: 'list of text', long: 'dynamicAuthorizationConsultationIDs', ...optional, announced: 'when asked' },
  cstn: { type: 'text', long: 'custodian', ...optional },
} as const satisfies Table;

/** Where the resource is announced, with which attributes. */
export const announceable = {
  at: { type: 'list of text', long: 'announceTo', ...optional },
  aa: { type: 'list of text', long: 'announcedAttribute', ...optional },
  ast: { type: { oneOf: [1, 2] }, long: 'announceSyncType', ...optional, announced: 'always' },
} as const satisfies Table;

/** Who created the resource; set when the request gives it as null. */
export const creator = {
  cr: { type: 'text', long: 'creator', ...byTheCse },
} as const satisfies Table;

/** How deep the lists of coordinates can be, by m2m:geometryType; a single polygon is written with and without a list of its rings. */
const depths: readonly (readonly number[])[] = [[], [1], [2], [2, 3], [2], [3], [3, 4]];

/** A place (m2m:geoCoordinates, TS-0004 release 4): the kind of its geometry, and its coordinates: a JSON list, or the text of one. */
const geoCoordinates: ObjectType = {
  members: {
    typ: { type: { oneOf: [1, 2, 3, 4, 5, 6] }, long: 'type', mandatory: true },
    crd: { type: 'any', long: 'coordinates', mandatory: true },
  },
  check: ({ typ, crd }) => problemOf(depths[Number(typ)] ?? [], crd),
};

export const location = {
  loc: { type: geoCoordinates, long: 'location', ...optional, announced: 'when asked' },
} as const satisfies Table;

export const stateTag = {
  st: { type: 'state tag', long: 'stateTag', ...byTheCse, from: (resource) => resource.stateTag },
} as const satisfies Table;

/** What a container or another holder of instances counts and keeps (TS-0001, table 9.6.6-2). */
export const retention = {
  cni: { type: 'integer', long: 'currentNrOfInstances', ...byTheCse, from: (r) => r.instances?.size ?? 0 },
  cbs: { type: 'integer', long: 'currentByteSize', ...byTheCse, from: (r) => r.instanceBytes },
  mni: { type: 'integer', long: 'maxNrOfInstances', ...optional, announced: 'when asked' },
  mbs: { type: 'integer', long: 'maxByteSize', ...optional, announced: 'when asked' },
  mia: { type: 'integer', long: 'maxInstanceAge', ...optional, announced: 'when asked' },
} as const satisfies Table;

function problemOf(allowed: readonly number[], crd: Value | undefined): string | undefined {
  const depth = depthOf(typeof crd === 'string' ? parsed(crd) : crd);
  if (depth === undefined) return 'crd must be a JSON list of coordinates or the text of one, such as "[13.4, 52.5]"';
  return allowed.includes(depth) ? undefined : `crd is ${depth} lists deep, and typ asks for ${allowed.join(' or ')}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 1 for a position of two or three numbers, and one more for each list around it; undefined for what is no such thing. */
function depthOf(value: unknown, most = 4): number | undefined {
  if (!Array.isArray(value) || value.length === 0 || most === 0) return undefined;
  if (value.every((one) => typeof one === 'number')) return value.length === 2 || value.length === 3 ? 1 : undefined;
  const [first, ...others] = value.map((one) => depthOf(one, most - 1));
  return first !== undefined && others.every((one) => one === first) ? first + 1 : undefined;
}
