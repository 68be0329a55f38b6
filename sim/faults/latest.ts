import type { Resource } from '../core/resource.ts';
import type { HttpResponse } from '../dialects/http-message.ts';
import type { Fault, Wrap } from './fault.ts';
import { asked, isSuccess, resourceAtPath, shownIn } from './vocabulary/asked.ts';
import { changingRequests, elsewhere, handling } from './vocabulary/blocks.ts';

/** Answers one of the container's instances, oldest first, where the newest is asked for. */
function choosing(choose: (instances: readonly Resource[]) => Resource | undefined): Wrap {
  return changingRequests((request, { method, path }, core) => {
    if (method !== 'GET' || !path.endsWith('/latest')) return undefined;
    const container = path.slice(0, -'/latest'.length);
    const chosen = choose([...(resourceAtPath(container, core)?.instances ?? [])]);
    return chosen === undefined ? undefined : elsewhere(request, `${container}/${encodeURIComponent(chosen.name)}`);
  });
}

/** Which content instance is the newest. */
export const latest: readonly Fault[] = [
  {
    id: 'latest.newest-but-one',
    violates: 'latest.newest',
    says: 'latest is the newest content instance but one, where there are several.',
    wrap: choosing((instances) => instances.at(-2)),
  },
  {
    id: 'latest.oldest',
    violates: 'latest.newest',
    says: 'latest is the oldest content instance.',
    wrap: choosing((instances) => instances.at(0)),
  },
  {
    id: 'latest.by-name',
    violates: 'latest.newest',
    says: 'latest is the content instance whose name comes last in the alphabet.',
    wrap: choosing((instances) => instances.toSorted((a, b) => (a.name < b.name ? -1 : 1)).at(-1)),
  },
  {
    id: 'latest.remembered',
    violates: 'latest.newest',
    says: 'latest of a container is for ever what it was when it was read first.',
    wrap: (service, core) => {
      const remembered = new Map<string, HttpResponse>();
      return handling(async (request) => {
        const { method, path } = asked(request);
        if (method !== 'GET' || !path.endsWith('/latest')) return service.handle(request);
        const before = remembered.get(path);
        if (before !== undefined) return before;
        const answer = await service.handle(request);
        if (isSuccess(answer) && shownIn(answer.body) !== undefined) remembered.set(path, answer);
        return answer;
      })(service, core);
    },
  },
  {
    id: 'latest.container',
    violates: 'latest.answers-content-instance',
    says: 'latest, read by an ordinary path, is answered by the container itself.',
    wrap: changingRequests((request, { method, path, ordinary }, core) => {
      const container = path.slice(0, -'/latest'.length);
      const wanted = method === 'GET' && ordinary && path.endsWith('/latest');
      if (!wanted || resourceAtPath(container, core)?.instances?.last === undefined) return undefined;
      return elsewhere(request, container);
    }),
  },
];
