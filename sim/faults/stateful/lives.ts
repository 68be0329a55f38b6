/** What goes wrong when resources are updated, get children, are removed, and when others take their names. */
import type { Resource } from '../../core/resource.ts';
import { writeTimestamp } from '../../dialects/timestamp.ts';
import type { Fault, Wrap } from '../fault.ts';
import { asked, sentIn } from '../vocabulary/asked.ts';
import { changingResources, changingValues, handling, refusal } from '../vocabulary/blocks.ts';
import {
  afterCreations,
  afterUpdates,
  createdBy,
  drifting,
  haunted,
  hearing,
  isApplicationEntity,
  isContainer,
  parentOf,
  retelling,
} from './history.ts';

const second = 1_000_000;

const updates: readonly Fault[] = [
  {
    id: 'stateful.update.loses-labels',
    violates: 'discovery.label.finds',
    says: 'An update that does not name lbl takes away the labels, though its own answer still shows them.',
    wrap: afterUpdates((resource, _before, request, { tree }) => {
      if (sentIn(request)?.attributes.lbl === undefined) tree.relabel(resource, undefined);
    }),
  },
  {
    id: 'stateful.update.resets-api',
    violates: 'ae.api',
    says: 'An update of an application entity empties its application identifier, though its own answer still shows it.',
    wrap: afterUpdates((resource) => {
      if (isApplicationEntity(resource)) resource.values = { ...resource.values, api: '' };
    }),
  },
  {
    id: 'stateful.update.resets-rr',
    violates: 'ae.rr',
    says: 'An update of an application entity that does not name rr makes it false, though its own answer does not show it.',
    wrap: afterUpdates((resource, _before, request) => {
      const given = sentIn(request)?.attributes.rr;
      if (isApplicationEntity(resource) && given === undefined) resource.values = { ...resource.values, rr: false };
    }),
  },
  {
    id: 'stateful.update.creates-anew',
    violates: 'common.ct.stable',
    says: 'After an update ct of the resource is the time of the update, as lt is.',
    wrap: (service, core) => {
      const touched = new Map<Resource, string>();
      const watched = afterUpdates((resource) => touched.set(resource, writeTimestamp(resource.modified)))(
        service,
        core,
      );
      return retelling((tell) => () => {
        for (const [resource, ct] of touched) tell(resource, { ct });
        touched.clear();
      })(watched, core);
    },
  },
  {
    id: 'stateful.update.goes-back',
    violates: 'common.lt.not-before-ct',
    says: 'After an update lt is a second before the creation of the resource, though its own answer shows it rightly.',
    wrap: afterUpdates((resource) => {
      resource.modified = resource.created - second;
    }),
  },
];

const parents: readonly Fault[] = [
  {
    id: 'stateful.child.creates-parent-anew',
    violates: 'common.ct.stable',
    says: 'When something was created below a resource, ct and lt of the resource are the creation time of that.',
    wrap: retelling((tell, core) => (request, answer) => {
      const created = createdBy(request, answer, core);
      const time = created && writeTimestamp(created.created);
      if (created?.parent !== undefined) tell(created.parent, { ct: time, lt: time });
    }),
  },
  {
    id: 'stateful.child.removal-resets-parent',
    violates: 'common.lt.not-before-ct',
    says: 'When something that stands below a resource is removed by a request, lt of the resource is in the year 1970.',
    wrap: (service, core) => {
      hearing(core, ({ parent }, end) => {
        if (parent !== undefined && end === 'itself') parent.modified = 0;
      });
      return service;
    },
  },
];

const removals: readonly Fault[] = [
  {
    id: 'stateful.delete.leaves-grandchildren',
    violates: 'lifecycle.removed-is-gone',
    says: 'What stood two levels or more below a resource that is gone is still read by its path relative to the CSE base.',
    wrap: (service, core) => {
      let removed: Resource | undefined;
      return haunted((resource, end) => {
        if (end !== 'with its parent') removed = resource;
        return end === 'with its parent' && resource.parent !== removed;
      })(service, core);
    },
  },
  {
    id: 'stateful.delete.leaves-identifier',
    violates: 'lifecycle.removed-is-gone',
    says: 'A container that is gone is still read by its resource identifier.',
    wrap: haunted(isContainer, ({ id }) => `/${id}`),
  },
  {
    id: 'stateful.delete.stays-in-ch',
    violates: 'lifecycle.removed-is-gone',
    says: 'An application entity that is read still lists in ch the containers that are gone from it.',
    wrap: (service, core) => {
      const removed = new Map<unknown, object[]>();
      hearing(core, (resource) => {
        const { parent, id, name, type } = resource;
        if (parent === undefined || !isContainer(resource)) return;
        removed.set(parent.id, [...(removed.get(parent.id) ?? []), { typ: type.ty, nm: name, val: id }]);
      });
      const listing = changingResources(
        'm2m:ae',
        (attributes) => {
          const ghosts = removed.get(attributes.ri) ?? [];
          if (ghosts.length > 0) attributes.ch = [...(Array.isArray(attributes.ch) ? attributes.ch : []), ...ghosts];
        },
        ({ method }) => method === 'GET',
      );
      return listing(service, core);
    },
  },
  {
    id: 'stateful.delete.takes-namesakes',
    violates: 'container.retrieve.status',
    says: 'The removal of a container also removes the containers beside it whose names begin with its name.',
    wrap: (service, core) => {
      hearing(core, (resource, end) => {
        if (end !== 'itself' || !isContainer(resource)) return;
        const beside = [...(resource.parent?.children?.values() ?? [])].filter(isContainer);
        const namesakes = beside.filter(({ name }) => name.startsWith(resource.name));
        for (const one of namesakes) if (core.tree.holds(one)) core.tree.remove(one);
      });
      return service;
    },
  },
  {
    id: 'stateful.expired.still-read',
    violates: 'lifecycle.removed-is-gone',
    says: 'What has expired, though not what stood below it, is still read by its path relative to the CSE base.',
    wrap: haunted((_resource, end) => end === 'expired'),
  },
];

/** Answers number a kind by how many there are, so that a number is given twice after a removal. */
function renumbering(
  isOne: (resource: Resource) => boolean,
  named: (resource: Resource) => unknown,
  keys: string[],
): Wrap {
  return (service, core) => {
    const shown = new Map<unknown, string>();
    let living = 0;
    hearing(core, (resource) => {
      if (isOne(resource)) living -= 1;
    });
    const watched = afterCreations((resource) => {
      if (!isOne(resource)) return;
      shown.set(named(resource), String(named(resource)).replace(/\d+$/, String(living)));
      living += 1;
    })(service, core);
    return changingValues(keys, (value) => shown.get(value) ?? value)(watched, core);
  };
}

const isCounted = (resource: Resource) => {
  const { aei } = resource.values;
  return isApplicationEntity(resource) && /^C\d+$/.test(String(aei)) && !resource.creator?.endsWith(String(aei));
};

const taken = { status: 409, code: 4105, says: 'The name is taken.' };

const names: readonly Fault[] = [
  {
    id: 'stateful.second-life.refused',
    violates: 'container.create.status',
    says: 'A container with the path of one that was removed before is refused with 409.',
    wrap: (service, core) => {
      const paths = new Set<string>();
      hearing(core, (resource) => {
        if (isContainer(resource)) paths.add(resource.path);
      });
      return handling((request) => {
        const sent = sentIn(request);
        const parent = sent?.kind === 'm2m:cnt' ? parentOf(asked(request), core) : undefined;
        const path = `${parent?.path}/${encodeURIComponent(String(sent?.attributes.rn))}`;
        return parent !== undefined && paths.has(path) ? refusal(taken) : service.handle(request);
      })(service, core);
    },
  },
  {
    id: 'stateful.second-life.counts-on',
    violates: 'container.cni.zero-on-creation',
    says: 'cni of a container with the path of one that was removed before goes on from what that one held.',
    wrap: drifting('cni', (drift, core) => {
      const held = new Map<string, number>();
      hearing(core, ({ path, instances }) => {
        if (instances !== undefined) held.set(path, instances.size);
      });
      return (request, answer) => {
        const created = createdBy(request, answer, core);
        if (created !== undefined) drift(created, held.get(created.path) ?? 0);
      };
    }),
  },
  {
    id: 'stateful.second-life.container-ri-again',
    violates: 'common.ri.distinct',
    says: 'A container is numbered by how many there are when it is created, wherever answers show its identifier.',
    wrap: renumbering(isContainer, ({ id }) => id, ['ri', 'pi', 'val']),
  },
  {
    id: 'stateful.second-life.aei-again',
    violates: 'ae.aei.distinct',
    says: 'A counted AE identifier has the number of those that there are when it is given, wherever answers show it.',
    wrap: renumbering(isCounted, ({ values }) => values.aei, ['aei']),
  },
];

/** Updates, parents, removals and names. */
export const lives: readonly Fault[] = [...updates, ...parents, ...removals, ...names];
