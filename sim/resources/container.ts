import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { optional, readOnly } from './attribute-forms.ts';
import { announceable, common, controlled, creator, location, retention, stateTag } from './common.ts';
import { admitInstance, enforceLimits } from './retention.ts';

const { cni, cbs, mni, mbs, mia } = retention;

/** Container (TS-0001, clause 9.6.6). */
export const container: ResourceTypeTable = {
  ty: 3,
  root: 'm2m:cnt',
  longName: 'container',
  children: [3, 4, 23, 28, 29],
  holdsInstances: true,
  attributes: {
    ...common,
    ...creator,
    cni,
    cbs,
    ...stateTag,
    mni,
    mbs,
    mia,
    li: readOnly('text', 'locationID'),
    or: optional('text', 'ontologyRef'),
    disr: optional('boolean', 'disableRetrieval'),
    ...controlled,
    ...announceable,
    ...location,
  },
  assign({ values }, { configuration }, { from }) {
    if (configuration.dialect.name === 'documented') values.cr = from || 'nobody';
  },
  admit: admitInstance,
  stored: changeParent,
  updated(resource, _changed, services, _request, { disr }) {
    enforceLimits(resource, services);
    // TS-0001, clause 10.2.4.5: instances stored while retrieval was disabled (`disr`) are removed when it is enabled again.
    const reopened = disr === true && resource.values.disr !== true ? [...(resource.instances ?? [])] : [];
    for (const instance of reopened) services.tree.remove(instance, 'to make room');
    changeParent(resource, services);
  },
  removed: changeParent,
};

/** A change of a child container counts as one of its parent: DMR/UPD/010 and DMR/DEL/005 of TS-0018 expect it in `st`. */
function changeParent({ type, parent }: Resource, { configuration }: Services): void {
  if (configuration.dialect.name === 'onem2m' && parent?.type === type) parent.stateTag++;
}
