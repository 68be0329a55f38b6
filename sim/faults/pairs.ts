/** Faults that show only where another CSE has a part in it: in requests that it hands on, in those for it, in the registration. */
import type { Cse } from '../core/cse.ts';
import type { Resource } from '../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../dialects/http-message.ts';
import { writeTimestamp } from '../dialects/timestamp.ts';
import type { Fault, Wrap } from './fault.ts';
import {
  askingFor,
  createdBy,
  drifting,
  isApplicationEntity,
  isInstance,
  latestAskedOf,
  retelling,
} from './stateful/history.ts';
import { asked, isSuccess, resourceAt, resourceAtPath, sentIn } from './vocabulary/asked.ts';
import { changingDiscoveries, handling, refusal } from './vocabulary/blocks.ts';

/** Whoever hands a request on says so (RFC 9110, clause 7.6.3). */
const isHandedOn = ({ headers }: HttpRequest) => headers.via !== undefined;

/** Remembers what handed-on requests create. */
function withForeign(watched: (isForeign: (resource: Resource) => boolean) => Wrap): Wrap {
  return (service, core) => {
    const foreign = new WeakSet<Resource>();
    const remembering = handling(async (request) => {
      const answer = await service.handle(request);
      const created = isHandedOn(request) ? createdBy(request, answer, core) : undefined;
      if (created !== undefined) foreign.add(created);
      return answer;
    })(service, core);
    return watched((resource) => foreign.has(resource))(remembering, core);
  };
}

const handedOn: readonly Fault[] = [
  {
    id: 'pair.handed-on.creation-uncounted',
    violates: 'container.cni.counts',
    says: 'cni of a container does not count the content instances whose creation another CSE has handed on.',
    wrap: drifting('cni', (drift, core) => (request, answer) => {
      const created = isHandedOn(request) ? createdBy(request, answer, core) : undefined;
      if (created?.parent !== undefined && isInstance(created)) drift(created.parent, -1);
    }),
  },
  {
    id: 'pair.handed-on.removal-uncounted',
    violates: 'container.cni.counts',
    says: 'cni of a container still counts the content instances whose removal another CSE has handed on.',
    wrap: (service, core) => {
      const leaving = new WeakMap<HttpRequest, Resource>();
      const watched = drifting('cni', (drift) => (request, answer) => {
        const container = isSuccess(answer) ? leaving.get(request) : undefined;
        if (container !== undefined) drift(container, 1);
      })(service, core);
      return handling((request, inner) => {
        const { method, path } = asked(request);
        const resource = method === 'DELETE' && isHandedOn(request) ? resourceAtPath(path, core) : undefined;
        if (resource?.parent !== undefined && isInstance(resource)) leaving.set(request, resource.parent);
        return inner.handle(request);
      })(watched, core);
    },
  },
  {
    id: 'pair.handed-on.creation-not-discovered',
    violates: 'discovery.label.finds',
    says: 'A discovery by label does not find what was created by a request that another CSE has handed on.',
    wrap: withForeign((isForeign) =>
      changingDiscoveries((found, { query }, core) => {
        if (!query.has('lbl')) return undefined;
        const stays = (resource: Resource | undefined) => resource === undefined || !isForeign(resource);
        return found.filter((address) => stays(resourceAt(address, core)));
      }),
    ),
  },
  {
    id: 'pair.handed-on.creation-never-latest',
    violates: 'latest.newest',
    says: 'latest passes over content instances whose creation another CSE has handed on, where there are others.',
    wrap: withForeign((isForeign) =>
      handling((request, service, core) => {
        const container = latestAskedOf(asked(request), core);
        const own = [...(container?.instances ?? [])].filter((instance) => !isForeign(instance)).at(-1);
        return service.handle(own === undefined ? request : askingFor(own, request));
      }),
    ),
  },
  {
    id: 'pair.handed-on.creation-below-base',
    violates: 'content-instance.pi.is-parent',
    says: 'pi of a content instance whose creation another CSE has handed on is the identifier of the CSE base.',
    wrap: retelling((tell, core) => (request, answer) => {
      const created = isHandedOn(request) ? createdBy(request, answer, core) : undefined;
      if (created !== undefined && isInstance(created)) tell(created, { pi: core.tree.base.id });
    }),
  },
  {
    id: 'pair.handed-on.update-creates-anew',
    violates: 'common.ct.stable',
    says: 'After an update that another CSE has handed on ct of the resource is the time of the update.',
    wrap: retelling((tell, core) => (request, answer) => {
      const { method, path } = asked(request);
      const updated =
        method === 'PUT' && isHandedOn(request) && isSuccess(answer) ? resourceAtPath(path, core) : undefined;
      if (updated !== undefined) tell(updated, { ct: writeTimestamp(updated.modified) });
    }),
  },
];

/** What has the same path here as what a request for another CSE speaks of. */
function namesakeOf(request: HttpRequest, core: Cse): Resource | undefined {
  const within = pathElsewhere(request, core);
  return within === undefined ? undefined : resourceAtPath(within, core);
}

/** The path within the other CSE that a request is for; undefined where it is for this one. */
function pathElsewhere(request: HttpRequest, { configuration }: Cse): string | undefined {
  const [, cseId, within] = /^\/(?:~|_\/[^/]+)\/([^/]+)(\/.*)$/.exec(asked(request).path) ?? [];
  return cseId === configuration.cseId ? undefined : within;
}

/** Does something here once a request for another CSE is done there. */
function afterThose(then: (request: HttpRequest, answer: HttpResponse, core: Cse) => void): Wrap {
  return handling(async (request, service, core) => {
    const answer = await service.handle(request);
    if (isSuccess(answer) && pathElsewhere(request, core) !== undefined) then(request, answer, core);
    return answer;
  });
}

const taken = { status: 409, code: 4105, says: 'The name is taken.' };

const forTheOther: readonly Fault[] = [
  {
    id: 'pair.for-the-other.removal-takes-namesake',
    violates: 'ae.retrieve.status',
    says: 'The removal of an application entity of another CSE also removes the one that has its path here.',
    wrap: (service, core) =>
      afterThose((request) => {
        const namesake = request.method === 'DELETE' ? namesakeOf(request, core) : undefined;
        if (namesake !== undefined && isApplicationEntity(namesake)) core.tree.remove(namesake);
      })(service, core),
  },
  {
    id: 'pair.for-the-other.creation-takes-the-name',
    violates: 'ae.create.status',
    says: 'An application entity with the name of one that was created at another CSE from here is refused with 409.',
    wrap: (service, core) => {
      const names = new Set<unknown>();
      const remembering = afterThose((request) => {
        const sent = request.method === 'POST' ? sentIn(request) : undefined;
        if (sent?.kind === 'm2m:ae') names.add(sent.attributes.rn);
      })(service, core);
      return handling((request, inner) => {
        const sent = request.method === 'POST' ? sentIn(request) : undefined;
        const isOwn = pathElsewhere(request, core) === undefined && sent?.kind === 'm2m:ae';
        return isOwn && names.has(sent.attributes.rn) ? refusal(taken) : inner.handle(request);
      })(remembering, core);
    },
  },
  {
    id: 'pair.for-the-other.update-labels-namesake',
    violates: 'discovery.label.leaves-out-others',
    says: 'The labels of an update for another CSE are also given to what has the same path here.',
    wrap: afterThose((request, _answer, core) => {
      const namesake = request.method === 'PUT' ? namesakeOf(request, core) : undefined;
      const labels = sentIn(request)?.attributes.lbl;
      if (namesake === undefined || !Array.isArray(labels)) return;
      core.tree.relabel(namesake, [...new Set([...(namesake.labels ?? []), ...labels.map(String)])]);
    }),
  },
];

function* below(resource: Resource): Generator<Resource> {
  for (const child of [...(resource.children?.values() ?? [])]) {
    yield child;
    yield* below(child);
  }
}

const renewal: readonly Fault[] = [
  {
    id: 'pair.renewal.loses-labels',
    violates: 'discovery.label.finds',
    says: 'When its registration is renewed the gateway forgets the labels of everything.',
    wrapSender: (sender, core) => ({
      async send(url, request, signal) {
        const answer = await sender.send(url, request, signal);
        const renews = request.method === 'PUT' && String(request.body).includes('m2m:csr');
        if (renews) for (const resource of below(core.tree.base)) core.tree.relabel(resource, undefined);
        return answer;
      },
    }),
  },
];

/** Left to generators: a scenario would have to go the same way by chance. */
export const pairs: readonly Fault[] = [...handedOn, ...forTheOther, ...renewal].map((fault) => ({
  ...fault,
  sequencesOnly: true,
}));
