import type { AttributeDefinition } from '../core/resource-type.ts';

/** Attributes that every kind answers with. */
export const identity = {
  ri: { type: 'text', create: 'not permitted', update: 'not permitted', from: (resource) => resource.id },
  rn: { type: 'text', create: 'optional', update: 'not permitted', from: (resource) => resource.name },
  ty: { type: 'integer', create: 'not permitted', update: 'not permitted', from: (resource) => resource.type.ty },
  pi: { type: 'text', create: 'not permitted', update: 'not permitted', from: (resource) => resource.parent?.id },
  ct: { type: 'timestamp', create: 'not permitted', update: 'not permitted', from: (resource) => resource.created },
  lt: { type: 'timestamp', create: 'not permitted', update: 'not permitted', from: (resource) => resource.modified },
} as const satisfies Record<string, AttributeDefinition>;

export const labels = {
  lbl: { type: 'list of text', create: 'optional', update: 'optional', from: (resource) => resource.labels },
} as const satisfies Record<string, AttributeDefinition>;

/** Attributes of every kind but the CSE base, which never expires. */
export const common = {
  ...identity,
  et: { type: 'timestamp', create: 'optional', update: 'optional', from: (resource) => resource.expires },
  ...labels,
} as const satisfies Record<string, AttributeDefinition>;

export const stateTag = {
  st: { type: 'state tag', create: 'not permitted', update: 'not permitted', from: (resource) => resource.stateTag },
} as const satisfies Record<string, AttributeDefinition>;
