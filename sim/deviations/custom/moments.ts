/** What goes wrong between requests at the same moment, and when somebody writes back what was read before others changed it. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Deviation, Wrap } from '../deviation.ts';
import { Ghosts } from '../language/memory.ts';
import { nothing } from '../language/scope.ts';
import { Told } from '../language/watching.ts';
import { handling, hearing, readingOf, resourceAtPath } from '../vocabulary/blocks.ts';
import { type Asked, asked, describedIn, echoOf, elsewhere, isSuccess, labelled } from '../vocabulary/messages.ts';

/** Turns of the event loop for which a creation waits, so that others can come meanwhile. */
const turns = 10;

async function waiting({ services }: Cse): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await services.ports.nextTurn();
}

const isInstance = ({ type }: Resource) => type.isInstance === true;

/** A content instance that is to be created. */
interface Creation {
  readonly request: HttpRequest;
  readonly container: Resource;
  /** Its name, where one is given. */
  readonly name: unknown;
  readonly create: () => HttpResponse | Promise<HttpResponse>;
}

/** The creation of a content instance goes through `handle`; all else as it does. */
function creating(handle: (creation: Creation, core: Cse) => HttpResponse | Promise<HttpResponse>): Wrap {
  return handling((request, service, core) => {
    const create = () => service.handle(request);
    const described = request.method === 'POST' ? describedIn(request.body) : undefined;
    const container = described?.root === 'm2m:cin' ? resourceAtPath(asked(request).path, core) : undefined;
    return container === undefined
      ? create()
      : handle({ request, container, name: described?.attributes.rn, create }, core);
  });
}

/** The container whose newest instance is read. */
function latestAskedOf({ method, path }: Asked, core: Cse): Resource | undefined {
  if (method !== 'GET' || !/\/(latest|la)$/.test(path)) return undefined;
  const container = resourceAtPath(path.slice(0, path.lastIndexOf('/')), core);
  return container?.instances === undefined ? undefined : container;
}

/** The request for one of the container's instances, in place of its newest. */
function askingFor(instance: Resource, request: HttpRequest): HttpRequest {
  const { path } = asked(request);
  return elsewhere(request, `${path.slice(0, path.lastIndexOf('/'))}/${encodeURIComponent(instance.name)}`);
}

/** The creation of a content instance: done at once, answered later. */
interface Writing {
  readonly container: Resource;
  created: Resource | undefined;
  /** The labels of the container when it began. */
  readonly labels: readonly string[] | undefined;
  /** What went from the container, or with it, since then. */
  readonly gone: Set<Resource>;
}

/** `written` is called when the creation of a content instance is answered, with what has happened meanwhile. */
const writingLate = (written: (writing: Writing, core: Cse) => void): Wrap => {
  return (service, core) => {
    const underWay = new Set<Writing>();
    hearing(core, (resource) => {
      for (const { container, gone } of underWay) if (resource.parent === container) gone.add(resource);
    });
    return creating(async ({ container, create }) => {
      const writing: Writing = { container, created: undefined, labels: container.labels, gone: new Set() };
      underWay.add(writing);
      const before = container.instances?.last;
      const answering = create();
      // Once it is answered another request may have removed it.
      const youngest = container.instances?.last;
      if (youngest !== before) writing.created = youngest;
      const answer = await answering;
      if (isSuccess(answer)) await waiting(core);
      underWay.delete(writing);
      if (isSuccess(answer)) written(writing, core);
      return answer;
    })(service, core);
  };
};

/** Removed content instances for which `returns` holds are read again, once a creation in their container is answered. */
const comingBack = (returns: (resource: Resource, writing: Writing, core: Cse) => boolean): Wrap => {
  return (service, core) => {
    const ghosts = new Ghosts();
    const watched = writingLate((writing) => {
      for (const one of writing.gone) {
        if (isInstance(one) && returns(one, writing, core)) ghosts.keep(one, 'path', readingOf(one, core));
      }
    })(service, core);
    return handling(async (request, inner) => ghosts.appearing(request, await inner.handle(request)))(watched, core);
  };
};

/** What `latest` shows after content instances were created at the same moment. */
interface Last {
  readonly before: Resource;
  wasRead: boolean;
}

const goingBack: Wrap = (service, core) => {
  const underWay = new Map<Resource, number>();
  const last = new Map<Resource, Last>();
  const changeUnderWay = (container: Resource, by: number) =>
    underWay.set(container, (underWay.get(container) ?? 0) + by);
  const reading = handling((request, inner) => {
    const container = latestAskedOf(asked(request), core);
    const stale = container && last.get(container);
    if (stale?.wasRead && core.tree.holds(stale.before)) return inner.handle(askingFor(stale.before, request));
    if (stale !== undefined) stale.wasRead = true;
    return inner.handle(request);
  })(service, core);
  return creating(async ({ container, create }) => {
    const before = underWay.get(container) ? container.instances?.last : undefined;
    last.delete(container);
    changeUnderWay(container, 1);
    const answer = await create();
    if (before !== undefined && isSuccess(answer)) last.set(container, { before, wasRead: false });
    await waiting(core);
    changeUnderWay(container, -1);
    return answer;
  })(reading, core);
};

const takingNamesTwice: Wrap = (service, core) => {
  const underWay = new Map<Resource, Set<string>>();
  return creating(async ({ container, name, create }) => {
    if (typeof name !== 'string') return create();
    const names = underWay.get(container) ?? new Set();
    underWay.set(container, names);
    const other = names.has(name) ? container.children?.get(name) : undefined;
    if (other !== undefined) core.tree.remove(other);
    names.add(name);
    const answer = await create();
    await waiting(core);
    names.delete(name);
    return answer;
  })(service, core);
};

export const races: readonly Deviation[] = [
  {
    id: 'stateful.race.one-for-all',
    violates: 'common.ri.distinct',
    sequencesOnly: true,
    says: 'Of nameless content instances that are sent to one path at the same moment only the first is created, and answered to all.',
    wrap: (service, core) => {
      const underWay = new Map<string, Promise<HttpResponse>>();
      return creating(async ({ request, name, create }) => {
        if (name !== undefined) return create();
        const { path } = asked(request);
        const other = underWay.get(path);
        if (other !== undefined) return labelled(await other, echoOf(request));
        const own = waiting(core).then(create);
        underWay.set(path, own);
        const answer = await own;
        underWay.delete(path);
        return answer;
      })(service, core);
    },
  },
  {
    id: 'stateful.race.counted-once',
    violates: 'container.cni.counts',
    sequencesOnly: true,
    says: 'Of content instances that are sent to one container at the same moment cni counts only the last to be created.',
    wrap: (service, core) => {
      const underWay = new Map<Resource, number>();
      const told = new Told();
      const telling = handling(async (request) => told.in(await service.handle(request)))(service, core);
      return creating(async ({ container, create }) => {
        underWay.set(container, (underWay.get(container) ?? 0) + 1);
        await waiting(core);
        const others = (underWay.get(container) ?? 1) - 1;
        underWay.set(container, others);
        const answer = await create();
        if (others > 0 && isSuccess(answer)) told.drift({ [container.id]: { cni: -1 } }, nothing);
        return answer;
      })(telling, core);
    },
  },
  {
    id: 'stateful.race.latest-goes-back',
    violates: 'latest.newest',
    sequencesOnly: true,
    says: 'Of content instances sent to one container at the same moment latest is the last until it was read, then the one before.',
    wrap: goingBack,
  },
  {
    id: 'stateful.race.labels-go-back',
    violates: 'discovery.label.finds',
    also: ['discovery.label.leaves-out-others'],
    sequencesOnly: true,
    says: 'A container gets back the labels that it had when a content instance was created in it, if an update has changed them before that is answered.',
    wrap: writingLate(({ container, labels }, { tree }) => {
      if (tree.holds(container) && container.labels !== labels) tree.relabel(container, labels);
    }),
  },
  {
    id: 'stateful.race.removed-comes-back',
    violates: 'lifecycle.removed-is-gone',
    sequencesOnly: true,
    says: 'A content instance that is removed while another is created in its container can be read again once that is answered.',
    wrap: comingBack((one, { created, container }, { tree }) => one !== created && tree.holds(container)),
  },
  {
    id: 'stateful.race.child-outlives',
    violates: 'container.delete.subtree',
    sequencesOnly: true,
    says: 'A content instance that is created while its container is removed can still be read afterwards.',
    wrap: comingBack((one, { created, container }, { tree }) => one === created && !tree.holds(container)),
  },
  {
    id: 'stateful.race.name-taken-twice',
    violates: 'content-instance.create.name-clash',
    sequencesOnly: true,
    says: 'Of content instances of one name that are sent to one container at the same moment each is created, in place of the one before.',
    wrap: takingNamesTwice,
  },
];
