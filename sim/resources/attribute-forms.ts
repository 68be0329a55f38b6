/** The usual presence of an attribute in creates and updates (the columns of TS-0004's tables). */
import type { AttributeType } from '../core/attribute-types.ts';
import type { TabledAttribute } from '../core/resource-type.ts';

type Attribute = TabledAttribute;

const form =
  (create: Attribute['create'], update: Attribute['update'], announced: Attribute['announced'] = 'when asked') =>
  (type: AttributeType, long: string, more: Partial<Attribute> = {}): Attribute => ({
    ...{ type, long, create, update, announced },
    ...more,
  });

/** Mandatory in a create; can be updated. */
export const required = form('mandatory', 'optional');
/** Mandatory in a create; never changes. */
export const requiredOnce = form('mandatory', 'not permitted');
/** Optional in a create and an update. */
export const optional = form('optional', 'optional');
/** Optional in a create; never changes. */
export const optionalOnce = form('optional', 'not permitted');
/** Optional in an update only. */
export const updateOnly = form('not permitted', 'optional');
/** Set by the CSE. */
export const readOnly = form('not permitted', 'not permitted', 'never');

export const unannounced = { announced: 'never' } as const;
