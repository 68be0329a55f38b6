/** What goes wrong between requests of several originators, and between requests at the same moment. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Fault } from '../fault.ts';
import { asked, isSuccess, sentIn, shownIn } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { withBody } from '../vocabulary/changed-answers.ts';
import { askingFor, createdBy, drifting, echoing, isContainer, latestAskedOf, parentOf, retelling } from './history.ts';

const originatorOf = ({ headers }: HttpRequest) => headers['x-m2m-origin'] || undefined;

/** The instances that the originator of the request has created, oldest first. */
function ownOf(container: Resource, request: HttpRequest): Resource[] {
  const originator = originatorOf(request);
  return [...(container.instances ?? [])].filter(({ creator }) => creator === originator);
}

const originators: readonly Fault[] = [
  {
    id: 'stateful.originators.creator-of-before',
    violates: 'container.cr.nobody',
    says: 'The creator of a container that was created without an originator is the last originator that any request named.',
    wrap: retelling((tell, core) => {
      let last: string | undefined;
      return (request, answer) => {
        const created = createdBy(request, answer, core);
        last = originatorOf(request) ?? last;
        const nobody = created !== undefined && isContainer(created) && created.creator === undefined;
        if (nobody && last !== undefined) tell(created, { cr: last });
      };
    }),
  },
  {
    id: 'stateful.originators.cni-of-own',
    violates: 'container.cni.counts',
    says: 'An originator who reads a container finds in cni only the content instances which that originator has created.',
    wrap: handling(async (request, service, core) => {
      const answer = await service.handle(request);
      const named = originatorOf(request) !== undefined && request.method === 'GET';
      const shown = named && isSuccess(answer) ? shownIn(answer.body) : undefined;
      const container = shown?.kind === 'm2m:cnt' ? core.tree.byId(String(shown.attributes.ri)) : undefined;
      if (shown === undefined || container === undefined) return answer;
      return withBody(answer, { [shown.kind]: { ...shown.attributes, cni: ownOf(container, request).length } });
    }),
  },
  {
    id: 'stateful.originators.latest-of-own',
    violates: 'latest.newest',
    says: 'latest is the newest content instance that the reading originator has created, where there is one.',
    wrap: handling((request, service, core) => {
      const container = originatorOf(request) === undefined ? undefined : latestAskedOf(asked(request), core);
      const own = container && ownOf(container, request).at(-1);
      return service.handle(own === undefined ? request : askingFor(own, request));
    }),
  },
];

/** Turns of the event loop for which a creation waits, so that others can come meanwhile. */
const turns = 10;

export async function waiting({ services }: Cse): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await services.ports.nextTurn();
}

export const isInstanceFor = (request: HttpRequest) => request.method === 'POST' && sentIn(request)?.kind === 'm2m:cin';

const races: readonly Fault[] = [
  {
    id: 'stateful.race.one-for-all',
    violates: 'common.ri.distinct',
    says: 'Of nameless content instances that are sent to one path at the same moment only the first is created, and answered to all.',
    wrap: (service, core) => {
      const underWay = new Map<string, Promise<HttpResponse>>();
      return handling(async (request) => {
        const { path } = asked(request);
        if (!isInstanceFor(request) || sentIn(request)?.attributes.rn !== undefined) return service.handle(request);
        const other = underWay.get(path);
        if (other !== undefined) return echoing(await other, request);
        const own = waiting(core).then(() => service.handle(request));
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
    says: 'Of content instances that are sent to one container at the same moment cni counts only the last to be created.',
    wrap: (service, core) => {
      const underWay = new Map<Resource, number>();
      const uncounted = new WeakSet<HttpRequest>();
      const drifted = drifting('cni', (drift) => (request, answer) => {
        const created = uncounted.has(request) ? createdBy(request, answer, core) : undefined;
        if (created?.parent !== undefined) drift(created.parent, -1);
      });
      return handling(async (request, inner) => {
        const container = isInstanceFor(request) ? parentOf(asked(request), core) : undefined;
        if (container === undefined) return inner.handle(request);
        underWay.set(container, (underWay.get(container) ?? 0) + 1);
        await waiting(core);
        const others = (underWay.get(container) ?? 1) - 1;
        underWay.set(container, others);
        if (others > 0) uncounted.add(request);
        return inner.handle(request);
      })(drifted(service, core), core);
    },
  },
];

/** Originators, and requests at the same moment. */
export const meetings: readonly Fault[] = [...originators, ...races];
