/** Announced resources (TS-0001, clause 9.6.26): copies of resources of another CSE. */
import { firstAnnouncedType } from '../core/numbers.ts';
import { announcedRoot, type ResourceTypeTable, type TabledAttribute } from '../core/resource-type.ts';
import { optional, required } from './attribute-forms.ts';
import { common, controlled, location } from './common.ts';

const anyOptional = { create: 'optional', update: 'optional' } as const;

/** The announced variant of a type: a link to the original, and the attributes that may be announced. */
export function announcedType(original: ResourceTypeTable, children: readonly number[]): ResourceTypeTable {
  const own: Record<string, TabledAttribute> = {};
  for (const [name, attribute] of Object.entries(original.attributes)) {
    if (attribute.announced === 'never' || name in common || name in controlled) continue;
    const { permanent: _permanent, compute: _compute, documented, ...announced } = attribute;
    own[name] = { ...announced, ...anyOptional, documented: { type: documented?.type ?? attribute.type } };
  }
  return {
    ty: firstAnnouncedType + original.ty,
    root: announcedRoot(original),
    prefix: `${original.root.slice(original.root.indexOf(':') + 1)}A`,
    longName: `${original.longName}Annc`,
    children,
    attributes: {
      ...common,
      lnk: required('text', 'link'),
      ...own,
      ast: optional({ oneOf: [1, 2] }, 'announceSyncType'),
      ...controlled,
      ...location,
    },
  };
}
