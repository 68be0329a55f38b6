/** The usual combinations of what a create and an update say of an attribute (the columns of TS-0004's tables). */
import type { AttributeType } from '../core/attribute-types.ts';
import type { TabledAttribute } from '../core/resource-type.ts';

const form =
  (create: 'mandatory' | 'optional' | 'not permitted', update: 'optional' | 'not permitted') =>
  (type: AttributeType, long: string): TabledAttribute => ({ type, long, create, update, announced: 'when asked' });

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
export const ofCse = (type: AttributeType, long: string): TabledAttribute => ({
  type,
  long,
  create: 'not permitted',
  update: 'not permitted',
});
