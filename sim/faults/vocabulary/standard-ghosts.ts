/** What faults of the standard make of resources that are gone, or that stay as they are. */
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import { asked, isSuccess, resourceAtPath } from './asked.ts';
import { handling } from './blocks.ts';
import { labelled } from './changed-answers.ts';
import { type Arrival, arrivalOf } from './standard-exchanges.ts';

/** Answers what a resource of this kind was to who reads its path after its deletion, as long as nothing else is there. */
export function haunted(root: string): Wrap {
  return (service, core) => {
    const ghosts = new Map<string, HttpResponse>();
    return handling(async (request) => {
      const { method, path } = asked(request);
      const meant = method === 'DELETE' && resourceAtPath(path, core)?.type.root === root;
      const last = meant ? await asItIs(arrivalOf(request, core, (one) => service.handle(one))) : undefined;
      const answer = await service.handle(request);
      if (last !== undefined && isSuccess(last) && isSuccess(answer)) ghosts.set(path, last);
      const ghost = method === 'GET' && answer.status === 404 ? ghosts.get(path) : undefined;
      return ghost === undefined ? answer : labelled(ghost, identifiersOf(answer));
    })(service, core);
  };
}

/** The headers that tell to which request an answer belongs. */
function identifiersOf({ headers }: HttpResponse): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'X-M2M-RI'));
}

/** How the resource at the path of a request is read by its originator. */
export async function asItIs({ request, about, serve }: Arrival): Promise<HttpResponse> {
  const { 'content-type': _type, ...headers } = request.headers;
  return serve({ ...request, method: 'GET', target: about.path, headers, body: Buffer.alloc(0) });
}
