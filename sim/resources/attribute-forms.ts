/** The usual combinations of what a create and an update say of an attribute (the columns of TS-0004's tables). */
import type { AttributeType } from '../core/attribute-types.ts';
import type { TabledAttribute } from '../core/resource-type.ts';

type Given = Pick<TabledAttribute, 'create' | 'update'>;

const form =
  (create: Given['create'], update: Given['update'], announced: TabledAttribute['announced'] = 'when asked') =>
  (type: AttributeType, long: string, more: Partial<TabledAttribute> = {}): TabledAttribute => ({
    ...{ type, long, create, update, announced },
    ...more,
  });

/** Must be given in a create; can be changed. */
export const needed = form('mandatory', 'optional');
/** Must be given in a create, and stays. */
export const neededOnce = form('mandatory', 'not permitted');
/** Can be given in a create and an update. */
export const free = form('optional', 'optional');
/** Can be given in a create, and stays. */
export const once = form('optional', 'not permitted');
/** Can be given in an update only. */
export const later = form('not permitted', 'optional');
/** Given by the CSE. */
export const ofCse = form('not permitted', 'not permitted', 'never');

export const unannounced = { announced: 'never' } as const;
