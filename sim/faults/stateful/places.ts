/** Faults that show in some places only, through some addresses only, or once in so many times. */
import type { Resource } from '../../core/resource.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Fault } from '../fault.ts';
import { asked, isSuccess, resourceAt, resourceAtPath, sentIn, shownIn } from '../vocabulary/asked.ts';
import { changingDiscoveries, handling } from '../vocabulary/blocks.ts';
import { changingShown } from '../vocabulary/changed-answers.ts';
import {
  askingFor,
  createdBy,
  drifting,
  echoing,
  ghost,
  isContainer,
  isInstance,
  isNested,
  latestAskedOf,
} from './history.ts';

const nested: readonly Fault[] = [
  {
    id: 'stateful.nested.cni-zero',
    violates: 'container.cni.counts',
    says: 'cni of a container in a container is 0, whatever it holds.',
    wrap: changingShown('m2m:cnt', (attributes, { tree }) => {
      const container = tree.byId(String(attributes.ri));
      if (container !== undefined && isNested(container)) attributes.cni = 0;
    }),
  },
  {
    id: 'stateful.nested.latest-is-oldest',
    violates: 'latest.newest',
    says: 'latest below a container in a container is the oldest content instance.',
    wrap: handling((request, service, core) => {
      const container = latestAskedOf(asked(request), core);
      const oldest = container && isNested(container) ? container.instances?.first : undefined;
      return service.handle(oldest === undefined ? request : askingFor(oldest, request));
    }),
  },
  {
    id: 'stateful.nested.pi-outermost',
    violates: 'content-instance.pi.is-parent',
    says: 'pi of a content instance in a container in a container is the identifier of the outermost of them.',
    wrap: changingShown('m2m:cin', (attributes, { tree }) => {
      let container = tree.byId(String(attributes.pi));
      while (container !== undefined && isNested(container)) container = container.parent;
      if (container !== undefined && isContainer(container)) attributes.pi = container.id;
    }),
  },
  {
    id: 'stateful.nested.not-discovered',
    violates: 'discovery.label.finds',
    says: 'A discovery by label does not find containers in containers.',
    wrap: changingDiscoveries((found, { query }, core) => {
      if (!query.has('lbl')) return undefined;
      const stays = (resource: Resource | undefined) => resource === undefined || !isNested(resource);
      return found.filter((address) => stays(resourceAt(address, core)));
    }),
  },
];

const throughCseNames: readonly Fault[] = [
  {
    id: 'stateful.sp-relative.container-remembered',
    violates: 'sp-relative.retrieve.same-resource',
    says: 'A container that is read by a path that names the CSE is answered for ever as at the first such time.',
    wrap: (service, core) => {
      const remembered = new Map<string, HttpResponse>();
      return handling(async (request) => {
        const { method, spRelative, path, query } = asked(request);
        const container = method === 'GET' && spRelative && query.size === 0 ? resourceAtPath(path, core) : undefined;
        const answer = await service.handle(request);
        if (container === undefined || !isContainer(container) || !isSuccess(answer)) return answer;
        const first = remembered.get(container.id) ?? answer;
        remembered.set(container.id, first);
        return echoing({ ...answer, body: first.body }, request);
      })(service, core);
    },
  },
  {
    id: 'stateful.sp-relative.creation-uncounted',
    violates: 'container.cni.counts',
    says: 'cni of a container does not count the content instances that were created by a path that names the CSE.',
    wrap: drifting('cni', (drift, core) => (request, answer) => {
      const created = asked(request).spRelative ? createdBy(request, answer, core) : undefined;
      if (created?.parent !== undefined && isInstance(created)) drift(created.parent, -1);
    }),
  },
  {
    id: 'stateful.sp-relative.half-removed',
    violates: 'lifecycle.removed-is-gone',
    says: 'What was removed by a path that names the CSE is still read by its path relative to the CSE base.',
    wrap: (service, core) => {
      const ghosts = new Map<string, Resource>();
      return handling(async (request) => {
        const { method, spRelative, path } = asked(request);
        const leaving = method === 'DELETE' && spRelative ? resourceAtPath(path, core) : undefined;
        const answer = await service.handle(request);
        if (leaving !== undefined && isSuccess(answer)) ghosts.set(`/${leaving.path}`, leaving);
        const gone = method === 'GET' && answer.status === 404 ? ghosts.get(path) : undefined;
        return gone === undefined ? answer : ghost(gone, request, core);
      })(service, core);
    },
  },
];

const onceInAWhile: readonly Fault[] = [
  {
    id: 'stateful.every-10th.creation-is-200',
    violates: 'content-instance.create.status',
    says: 'Every tenth creation of a content instance is answered by 200 instead of 201.',
    wrap: (service, core) => {
      let number = 0;
      return handling(async (request) => {
        const answer = await service.handle(request);
        const counts = answer.status === 201 && sentIn(request)?.kind === 'm2m:cin';
        if (counts) number += 1;
        return counts && number % 10 === 0 ? { ...answer, status: 200 } : answer;
      })(service, core);
    },
  },
  {
    id: 'stateful.every-5th.creation-is-lost',
    violates: 'common.rn.path-segment',
    says: 'Every fifth content instance is gone as soon as its creation is answered.',
    wrap: (service, core) => {
      let number = 0;
      return handling(async (request) => {
        const answer = await service.handle(request);
        const created = createdBy(request, answer, core);
        if (created === undefined || !isInstance(created)) return answer;
        number += 1;
        if (number % 5 === 0) core.tree.remove(created);
        return answer;
      })(service, core);
    },
  },
  {
    id: 'stateful.every-3rd.latest-is-late',
    violates: 'latest.newest',
    says: 'Every third time that latest of a container is read it is the newest content instance but one, where there are several.',
    wrap: (service, core) => {
      const times = new WeakMap<Resource, number>();
      return handling((request) => {
        const container = latestAskedOf(asked(request), core);
        if (container === undefined) return service.handle(request);
        const time = (times.get(container) ?? 0) + 1;
        times.set(container, time);
        const late = time % 3 === 0 ? [...(container.instances ?? [])].at(-2) : undefined;
        return service.handle(late === undefined ? request : askingFor(late, request));
      })(service, core);
    },
  },
  {
    id: 'stateful.every-2nd.latest-is-consumed',
    violates: 'latest.newest',
    says: 'Every second time that latest of a container is read, the content instance that was answered is removed after it.',
    wrap: (service, core) => {
      const times = new WeakMap<Resource, number>();
      return handling(async (request) => {
        const container = latestAskedOf(asked(request), core);
        const answer = await service.handle(request);
        const newest = container?.instances?.last;
        if (container === undefined || newest === undefined || !isSuccess(answer)) return answer;
        const time = (times.get(container) ?? 0) + 1;
        times.set(container, time);
        if (time % 2 === 0) core.tree.remove(newest);
        return answer;
      })(service, core);
    },
  },
  {
    id: 'stateful.same-content.not-created',
    violates: 'common.ri.distinct',
    says: 'A content instance with the content of the newest in its container is not created: that one is answered again.',
    wrap: handling(async (request, service, core) => {
      const { method, path } = asked(request);
      const sent = method === 'POST' ? sentIn(request) : undefined;
      const newest = sent?.kind === 'm2m:cin' ? resourceAtPath(path, core)?.instances?.last : undefined;
      const { con } = newest?.values ?? {};
      if (newest === undefined || con === undefined || con !== sent?.attributes.con) return service.handle(request);
      const answer = ghost(newest, request, core);
      return { ...answer, status: 201, headers: { ...answer.headers, 'X-M2M-RSC': '2001' } };
    }),
  },
  {
    id: 'stateful.many.ch-cut',
    violates: 'ae.ch.nm',
    says: 'ch of an application entity lists no more than the three children that were created first.',
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      const shown = isSuccess(answer) ? shownIn(answer.body) : undefined;
      const { ch } = shown?.attributes ?? {};
      if (shown?.kind !== 'm2m:ae' || !Array.isArray(ch)) return answer;
      return { ...answer, body: JSON.stringify({ 'm2m:ae': { ...shown.attributes, ch: ch.slice(0, 3) } }) };
    }),
  },
];

/** Places, addresses and times at which something is wrong. */
export const places: readonly Fault[] = [...nested, ...throughCseNames, ...onceInAWhile];
