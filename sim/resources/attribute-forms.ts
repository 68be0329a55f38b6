/** The usual combinations of what a create and an update say of an attribute (the columns of TS-0004's tables). */
import type { AttributeType } from '../core/attribute-types.ts';
import type { TabledAttribute } from '../core/resource-type.ts';

type Permissions = Pick<TabledAttribute, 'create' | 'update'>;

const form =
  (
    create: Permissions['create'],
    update: Permissions['update'],
    announced: TabledAttribute['announced'] = 'when asked',
  ) =>
  (type: AttributeType, long: string, more: Partial<TabledAttribute> = {}): TabledAttribute => ({
    ...{ type, long, create, update, announced },
    ...more,
  });

/** Must be given in a create; can be changed. */
export const required = form('mandatory', 'optional');
/** Must be given in a create, and stays. */
export const requiredOnce = form('mandatory', 'not permitted');
/** Can be given in a create and an update. */
export const optional = form('optional', 'optional');
/** Can be given in a create, and stays. */
export const optionalOnce = form('optional', 'not permitted');
/** Can be given in an update only. */
export const updateOnly = form('not permitted', 'optional');
/** Given by the CSE. */
export const readOnly = form('not permitted', 'not permitted', 'never');

export const unannounced = { announced: 'never' } as const;
