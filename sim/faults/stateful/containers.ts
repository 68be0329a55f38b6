/** What goes wrong with the counters and the newest instance of a container after something has gone from it. */
import type { Resource } from '../../core/resource.ts';
import type { Fault, Wrap } from '../fault.ts';
import { asked, isSuccess, sentIn } from '../vocabulary/asked.ts';
import { handling, refusal } from '../vocabulary/blocks.ts';
import { bytesOf } from '../vocabulary/bytes.ts';
import {
  afterCreations,
  askingFor,
  createdBy,
  drifting,
  type End,
  ghost,
  hearing,
  isInstance,
  latestAskedOf,
  parentOf,
} from './history.ts';

/** Instances that ended so are counted for ever. */
const stillCounting = (counter: 'cni' | 'cbs', how: End): Wrap =>
  drifting(counter, (drift, core) => {
    hearing(core, (resource, end) => {
      if (end !== how || !isInstance(resource) || resource.parent === undefined) return;
      drift(resource.parent, counter === 'cni' ? 1 : Number(resource.values.cs));
    });
    return undefined;
  });

/** After the newest instance was removed by a request, and until another comes, `latest` is answered in another way. */
const afterNewestRemoved = (answers: 'the removed one' | 'nothing'): Wrap => {
  return (service, core) => {
    const removed = new Map<Resource, Resource>();
    hearing(core, (resource, end) => {
      const { parent } = resource;
      const newest = parent?.instances?.last;
      const wasNewest = isInstance(resource) && (newest === undefined || newest.created < resource.created);
      if (end === 'itself' && parent !== undefined && wasNewest) removed.set(parent, resource);
    });
    return handling(async (request, inner) => {
      const container = latestAskedOf(asked(request), core);
      const before = container && removed.get(container);
      if (before === undefined) {
        const answer = await inner.handle(request);
        const created = createdBy(request, answer, core);
        if (created?.parent !== undefined) removed.delete(created.parent);
        return answer;
      }
      if (answers === 'the removed one') return ghost(before, request, core);
      return refusal({ status: 404, code: 4004, says: 'The container has no latest content instance.' });
    })(service, core);
  };
};

const afterRemovals: readonly Fault[] = [
  {
    id: 'stateful.removed.cni-not-lowered',
    violates: 'container.cni.counts',
    says: 'cni of a container still counts the content instances that were removed from it by requests.',
    wrap: stillCounting('cni', 'itself'),
  },
  {
    id: 'stateful.removed.cbs-not-lowered',
    violates: 'container.cbs.counts',
    says: 'cbs of a container still counts the bytes of the content instances that were removed from it by requests.',
    wrap: stillCounting('cbs', 'itself'),
  },
  {
    id: 'stateful.removed.latest-is-a-ghost',
    violates: 'lifecycle.removed-is-gone',
    says: 'When the newest content instance was removed by a request, latest still answers it until another is created.',
    wrap: afterNewestRemoved('the removed one'),
  },
  {
    id: 'stateful.removed.latest-is-lost',
    violates: 'latest.status',
    says: 'When the newest content instance was removed by a request, latest is answered by 404 until another is created.',
    wrap: afterNewestRemoved('nothing'),
  },
  {
    id: 'stateful.expired.cni-not-lowered',
    violates: 'container.cni.counts',
    says: 'cni of a container still counts the content instances in it that have expired.',
    wrap: stillCounting('cni', 'expired'),
  },
];

const limitOf = ({ values }: Resource, name: 'mni' | 'mbs') => {
  const limit = values[name];
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
};

const full = { status: 406, code: 5207, says: 'The container is full.' };

/** Refuses content instances, of so many bytes of content, for a container that `hasNoRoom`. */
const refusingWhere = (hasNoRoom: (container: Resource, bytes: number) => boolean): Wrap =>
  handling((request, service, core) => {
    const container = parentOf(asked(request), core);
    const sent = container?.instances === undefined ? undefined : sentIn(request);
    const { con } = sent?.kind === 'm2m:cin' ? sent.attributes : {};
    const refuses = container !== undefined && typeof con === 'string' && hasNoRoom(container, bytesOf(con).length);
    return refuses ? refusal(full) : service.handle(request);
  });

const atLimits: readonly Fault[] = [
  {
    id: 'stateful.limit.full-takes-nothing',
    violates: 'content-instance.create.status',
    says: 'A content instance for a container that already holds as many as its mni is refused with 406.',
    wrap: refusingWhere((container) => (container.instances?.size ?? 0) >= Math.max(1, limitOf(container, 'mni'))),
  },
  {
    id: 'stateful.limit.last-byte-refused',
    violates: 'content-instance.create.status',
    says: 'A content instance that would bring a container to exactly as many bytes as its mbs is refused with 406.',
    wrap: refusingWhere((container, bytes) => container.instanceBytes + bytes === limitOf(container, 'mbs')),
  },
  {
    id: 'stateful.limit.one-less',
    violates: 'content-instance.retrieve.status',
    says: 'The oldest content instance goes as soon as a container holds as many as its mni, instead of one more.',
    wrap: afterCreations(({ parent }, _about, { tree }) => {
      const { first, size = 0 } = parent?.instances ?? {};
      if (parent !== undefined && first !== undefined && size >= limitOf(parent, 'mni')) {
        tree.remove(first, 'to make room');
      }
    }),
  },
  {
    id: 'stateful.limit.cni-not-lowered',
    violates: 'container.cni.counts',
    says: 'cni of a container still counts the content instances that went to make room for others.',
    wrap: stillCounting('cni', 'to make room'),
  },
  {
    id: 'stateful.limit.cbs-not-lowered',
    violates: 'container.cbs.counts',
    says: 'cbs of a container still counts the bytes of the content instances that went to make room for others.',
    wrap: stillCounting('cbs', 'to make room'),
  },
  {
    id: 'stateful.limit.latest-is-oldest',
    violates: 'latest.newest',
    says: 'Once a content instance went to make room for another, latest of its container is the oldest, for ever.',
    wrap: (service, core) => {
      const wrapped = new WeakSet<Resource>();
      hearing(core, ({ parent }, end) => {
        if (end === 'to make room' && parent !== undefined) wrapped.add(parent);
      });
      return handling((request) => {
        const container = latestAskedOf(asked(request), core);
        const oldest = container && wrapped.has(container) ? container.instances?.first : undefined;
        return service.handle(oldest === undefined ? request : askingFor(oldest, request));
      })(service, core);
    },
  },
];

const afterRefusals: readonly Fault[] = [
  {
    id: 'stateful.refused.counted',
    violates: 'container.cni.counts',
    says: 'cni of a container also counts the requests to create something in it that were refused.',
    wrap: drifting('cni', (drift, core) => (request, answer) => {
      const container = parentOf(asked(request), core);
      if (container?.instances !== undefined && !isSuccess(answer)) drift(container, 1);
    }),
  },
  {
    id: 'stateful.refused.takes-its-place',
    violates: 'content-instance.retrieve.status',
    says: 'A creation that is refused because its name is taken removes the content instance that has the name.',
    wrap: handling(async (request, service, core) => {
      const answer = await service.handle(request);
      const name = answer.status === 409 ? sentIn(request)?.attributes.rn : undefined;
      const holder = typeof name === 'string' ? parentOf(asked(request), core)?.children?.get(name) : undefined;
      if (holder !== undefined && isInstance(holder)) core.tree.remove(holder);
      return answer;
    }),
  },
  {
    id: 'stateful.refused.next-read-fails',
    violates: 'container.retrieve.status',
    says: 'A container that is read by the request that comes next after a refused one is answered by 503.',
    wrap: (service, core) => {
      let wasRefused = false;
      return handling(async (request) => {
        const answer = await service.handle(request);
        const fails = wasRefused && isSuccess(answer) && asked(request).method === 'GET' && showsContainer(answer.body);
        wasRefused = !isSuccess(answer);
        return fails ? refusal({ status: 503, code: 5000, says: 'The CSE is not ready.' }) : answer;
      })(service, core);
    },
  },
];

const showsContainer = (body: string | Uint8Array) => typeof body === 'string' && body.startsWith('{"m2m:cnt":');

/** What goes wrong in a container after a removal, at its limits, and after a refusal. */
export const containers: readonly Fault[] = [...afterRemovals, ...atLimits, ...afterRefusals];
