import type { TabledAttribute } from '../core/resource-type.ts';
import { geoCoordinates } from './geo-coordinates.ts';

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
