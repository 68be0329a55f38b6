/** Races between simultaneous requests, and lost updates. */
import type { Cse } from '../../core/operations/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import { readingOf, resourceAtPath, watchRemovals } from '../language/resource-parts.ts';
import { nothing } from '../language/scope.ts';
import { ReportedAttributes, StaleAnswers } from '../language/watching.ts';
import { handling, type Wrap, type WrittenDeviation } from '../vocabulary/deviation.ts';
import { echoOf, isSuccess, resourceIn, viewOf, withHeaders, withPath } from '../vocabulary/messages.ts';

/** Turns of the event loop that a creation waits, so that others can arrive meanwhile. */
const turns = 10;

async function waitTurns({ services }: Cse): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await services.ports.nextTurn();
}

/** A content instance to be created. */
interface Creation {
  readonly request: HttpRequest;
  readonly container: Resource;
  /** Its requested name, if any. */
  readonly name: unknown;
  /** The labels of the container at the start. */
  readonly labels: readonly string[] | undefined;
  /** What was removed from the container, or with it, since then. */
  readonly gone: Set<Resource>;
  readonly create: () => HttpResponse | Promise<HttpResponse>;
  created?: Resource | undefined;
}

type Creating = (creation: Creation, others: readonly Creation[], core: Cse) => HttpResponse | Promise<HttpResponse>;

/** Passes each creation of a content instance to `handle`, with those under way in its container; all else is served as usual. */
const creating =
  (handle: Creating): Wrap =>
  (service, core) => {
    const pending = new Set<Creation>();
    watchRemovals(core, (resource) => {
      for (const { container, gone } of pending) if (resource.parent === container) gone.add(resource);
    });
    return handling(async (request) => {
      const creation = creationIn(request, service, core);
      if (creation === undefined) return service.handle(request);
      const others = [...pending].filter(({ container }) => container === creation.container);
      pending.add(creation);
      const answer = await handle(creation, others, core);
      pending.delete(creation);
      return answer;
    })(service, core);
  };

function creationIn(request: HttpRequest, service: HttpService, core: Cse): Creation | undefined {
  const resource = request.method === 'POST' ? resourceIn(request.body) : undefined;
  const container = resource?.root === 'm2m:cin' ? resourceAtPath(viewOf(request).path, core) : undefined;
  if (container === undefined) return undefined;
  const create = () => {
    const before = container.instances?.last;
    const answer = service.handle(request);
    // By the time of the answer another request may have removed it.
    const youngest = container.instances?.last;
    if (youngest !== before) creation.created = youngest;
    return answer;
  };
  const { labels } = container;
  const creation: Creation = { request, container, name: resource?.attributes.rn, labels, gone: new Set(), create };
  return creation;
}

/** Executed at once and answered later; `written` is called before the answer. */
const writingLate = (written: (creation: Creation, core: Cse) => void): Wrap =>
  creating(async (creation, _others, core) => {
    const answer = await creation.create();
    if (!isSuccess(answer)) return answer;
    await waitTurns(core);
    written(creation, core);
    return answer;
  });

/** Removed content instances for which `returns` holds can be read again once a creation in their container is answered. */
const comingBack =
  (returns: (resource: Resource, creation: Creation, core: Cse) => boolean): Wrap =>
  (service, core) => {
    const kept = new StaleAnswers();
    const watched = writingLate((creation) => {
      for (const one of creation.gone) {
        if (one.type.isInstance && returns(one, creation, core)) kept.keep(one, 'path', readingOf(one, core));
      }
    })(service, core);
    return handling(async (request, inner) => kept.answerTo(request, await inner.handle(request)))(watched, core);
  };

/** `latest` is right once, and then as it was before the last of simultaneous creations. */
const goingBack: Wrap = (service, core) => {
  const last = new Map<Resource, { readonly before: Resource; wasRead: boolean }>();
  const reading = handling((request, inner) => {
    const [, above = ''] = (request.method === 'GET' && /^(.*)\/(?:latest|la)$/.exec(viewOf(request).path)) || [];
    const container = resourceAtPath(above, core);
    const stale = container && last.get(container);
    if (stale === undefined) return inner.handle(request);
    const isStale = stale.wasRead && core.tree.holds(stale.before);
    stale.wasRead = true;
    return inner.handle(isStale ? withPath(request, `${above}/${encodeURIComponent(stale.before.name)}`) : request);
  })(service, core);
  return creating(async ({ container, create }, others) => {
    const before = others.length > 0 ? container.instances?.last : undefined;
    last.delete(container);
    const answer = await create();
    if (before !== undefined && isSuccess(answer)) last.set(container, { before, wasRead: false });
    await waitTurns(core);
    return answer;
  })(reading, core);
};

export const races: readonly WrittenDeviation[] = [
  {
    id: 'stateful.race.one-for-all',
    violates: 'common.ri.distinct',
    sequencesOnly: true,
    says: 'Of simultaneous content instances without a name at one path, only the first is created and returned to all.',
    wrap: (service, core) => {
      const answers = new WeakMap<Creation, Promise<HttpResponse>>();
      return creating(async (creation, others) => {
        const { request, name, create } = creation;
        if (name !== undefined) return create();
        const first = others.find((one) => answers.has(one) && viewOf(one.request).path === viewOf(request).path);
        const answer = first && answers.get(first);
        if (answer !== undefined) return withHeaders(await answer, echoOf(request));
        const own = waitTurns(core).then(create);
        answers.set(creation, own);
        return own;
      })(service, core);
    },
  },
  {
    id: 'stateful.race.counted-once',
    violates: 'container.cni.counts',
    sequencesOnly: true,
    says: 'Of simultaneous content instances in one container, cni counts only the last one.',
    wrap: (service, core) => {
      const reported = new ReportedAttributes();
      const reporting = handling(async (request) => reported.applyTo(await service.handle(request)))(service, core);
      return creating(async ({ container, create }, others) => {
        await waitTurns(core);
        const answer = await create();
        if (others.length > 0 && isSuccess(answer)) reported.offset({ [container.id]: { cni: -1 } }, nothing);
        return answer;
      })(reporting, core);
    },
  },
  {
    id: 'stateful.race.latest-goes-back',
    violates: 'latest.newest',
    sequencesOnly: true,
    says: 'After simultaneous content instances in one container, latest is the newest once, then the one before.',
    wrap: goingBack,
  },
  {
    id: 'stateful.race.labels-go-back',
    violates: 'discovery.label.finds',
    also: ['discovery.label.leaves-out-others'],
    sequencesOnly: true,
    says: 'An update of the labels of a container is reverted if it happens while a content instance is created in it.',
    wrap: writingLate(({ container, labels }, { tree }) => {
      if (tree.holds(container) && container.labels !== labels) tree.relabel(container, labels);
    }),
  },
  {
    id: 'stateful.race.removed-comes-back',
    violates: 'lifecycle.removed-is-gone',
    sequencesOnly: true,
    says: 'A content instance deleted while another is created in its container can be retrieved again afterwards.',
    wrap: comingBack((one, { created, container }, { tree }) => one !== created && tree.holds(container)),
  },
  {
    id: 'stateful.race.child-outlives',
    violates: 'container.delete.subtree',
    sequencesOnly: true,
    says: 'A content instance created while its container is deleted can still be retrieved afterwards.',
    wrap: comingBack((one, { created, container }, { tree }) => one === created && !tree.holds(container)),
  },
  {
    id: 'stateful.race.name-taken-twice',
    violates: 'content-instance.create.name-clash',
    sequencesOnly: true,
    says: 'Simultaneous content instances of one name in one container are all created, each replacing the previous one.',
    wrap: creating(async ({ container, name, create }, others, core) => {
      if (typeof name !== 'string') return create();
      const other = others.some((one) => one.name === name) ? container.children?.get(name) : undefined;
      if (other !== undefined) core.tree.remove(other);
      const answer = await create();
      await waitTurns(core);
      return answer;
    }),
  },
];
