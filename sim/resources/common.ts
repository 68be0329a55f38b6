import type { AttributeType, ObjectType, Value } from '../core/attribute-types.ts';
import type { TabledAttribute } from '../core/resource-type.ts';
import { attempt } from '../core/status.ts';
import { optional, optionalOnce, readOnly, unannounced } from './attribute-forms.ts';

type Table = Record<string, TabledAttribute>;

/** Attributes of every representation. */
export const identity = {
  ri: readOnly('text', 'resourceID', { compute: ({ id }) => id }),
  rn: optionalOnce('text', 'resourceName', { ...unannounced, compute: ({ name }) => name }),
  ty: readOnly('integer', 'resourceType', { compute: ({ type }) => type.ty }),
  pi: readOnly('text', 'parentID', {
    compute: ({ parent }) => parent?.id ?? '',
    documented: { compute: ({ parent }) => parent?.id },
  }),
  ct: readOnly('timestamp', 'creationTime', { compute: ({ created }) => created }),
  lt: readOnly('timestamp', 'lastModifiedTime', { compute: ({ modified }) => modified }),
} as const satisfies Table;

export const labels = {
  lbl: optional('list of token', 'labels', { announced: 'always', compute: (resource) => resource.labels }),
} as const satisfies Table;

/** Attributes of every type but the CSE base, which never expires. */
export const common = {
  ...identity,
  et: optional('timestamp', 'expirationTime', { announced: 'always', compute: ({ expires }) => expires }),
  ...labels,
} as const satisfies Table;

/** Access control of the resource (TS-0001, table 9.6.1.3.2-1). */
export const controlled = {
  acpi: optional('list of text', 'accessControlPolicyIDs', { announced: 'always' }),
  daci: optional('list of text', 'dynamicAuthorizationConsultationIDs'),
  cstn: optional('text', 'custodian', unannounced),
} as const satisfies Table;

/** `batchNotify` of TS-0004. */
export const batch: AttributeType = {
  members: { num: { type: 'integer', long: 'number' }, dur: { type: 'duration', long: 'duration' } },
};

/** Where the resource is announced, and with which attributes. */
export const announceable = {
  at: optional('list of text', 'announceTo', unannounced),
  aa: optional('list of text', 'announcedAttribute', unannounced),
  ast: optional({ oneOf: [1, 2] }, 'announceSyncType', { announced: 'always' }),
} as const satisfies Table;

/** Who created the resource; set when the request has it as null. */
export const creator = { cr: readOnly('text', 'creator') } as const satisfies Table;

/** Nesting of the coordinate lists, by m2m:geometryType; a single polygon is written with and without a list of its rings. */
const depths: readonly (readonly number[])[] = [[], [1], [2], [2, 3], [2], [3], [3, 4]];

/** A location (m2m:geoCoordinates, TS-0004 release 4): geometry type and coordinates, as a JSON list or the text of one. */
const geoCoordinates: ObjectType = {
  members: {
    typ: { type: { oneOf: [1, 2, 3, 4, 5, 6] }, long: 'type', mandatory: true },
    crd: { type: 'any', long: 'coordinates', mandatory: true },
  },
  check: ({ typ, crd }) => problemOf(depths[Number(typ)] ?? [], crd),
};

export const location = { loc: optional(geoCoordinates, 'location') } as const satisfies Table;

/** m2m:e2eSecInfo (TS-0004 6.3.5.52). */
const security: AttributeType = {
  members: {
    esf: { type: 'list of integer', long: 'supportedE2ESecFeatures', mandatory: true },
    escert: { type: 'list of text', long: 'certificates' },
    esro: { type: 'any', long: 'sharedReceiverESPrimRandObject' },
  },
};

/** m2m:scheduleEntries (TS-0004 6.3.5.11). */
const schedule: AttributeType = {
  members: { sce: { type: { listOf: 'text', atLeast: 1 }, long: 'scheduleEntry', mandatory: true } },
};

/** m2m:activityPattern (TS-0004 6.3.5.65). */
const activity: AttributeType = {
  members: {
    se: { type: { listOf: schedule, atLeast: 1 }, long: 'scheduleElement', mandatory: true },
    sti: { type: { oneOf: [1, 2] }, long: 'stationaryIndication' },
    dsi: { type: 'positive integer', long: 'dataSizeIndicator' },
  },
};

/** Attributes that AEs and CSEs register with. */
export const registering = {
  esi: optional(security, 'e2eSecInfo', { only: 'onem2m' }),
  tren: optional('boolean', 'triggerEnable', { only: 'onem2m' }),
  ape: optional({ listOf: activity }, 'activityPatternElements', { only: 'onem2m' }),
} as const satisfies Table;

export const stateTag = {
  st: readOnly('state tag', 'stateTag', { compute: (resource) => resource.stateTag }),
} as const satisfies Table;

/** Counts and limits of a container or another parent of instances (TS-0001, table 9.6.6-2). */
export const retention = {
  cni: readOnly('integer', 'currentNrOfInstances', { compute: ({ instances }) => instances?.size ?? 0 }),
  cbs: readOnly('integer', 'currentByteSize', { compute: ({ instanceBytes }) => instanceBytes }),
  mni: optional('integer', 'maxNrOfInstances'),
  mbs: optional('integer', 'maxByteSize'),
  mia: optional('integer', 'maxInstanceAge'),
} as const satisfies Table;

function problemOf(allowed: readonly number[], crd: Value | undefined): string | undefined {
  const depth = depthOf(typeof crd === 'string' ? attempt(() => JSON.parse(crd)) : crd);
  if (depth === undefined) return 'crd must be a JSON list of coordinates or the text of one, such as "[13.4, 52.5]"';
  return allowed.includes(depth) ? undefined : `crd is ${depth} lists deep, and typ asks for ${allowed.join(' or ')}`;
}

/** 1 for a position of two or three numbers, plus one for each list around it; undefined for anything else. */
function depthOf(value: unknown, maxDepth = 4): number | undefined {
  if (!Array.isArray(value) || value.length === 0 || maxDepth === 0) return undefined;
  if (value.every((one) => typeof one === 'number')) return value.length === 2 || value.length === 3 ? 1 : undefined;
  const [first, ...others] = value.map((one) => depthOf(one, maxDepth - 1));
  return first !== undefined && others.every((one) => one === first) ? first + 1 : undefined;
}
