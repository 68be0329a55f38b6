/** What containers keep, where a fault has to remember or to take away itself. */
import { NOT_ACCEPTABLE } from '../../core/status.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Deviation, Wrap } from '../deviation.ts';
import { arrivalOf } from '../language/exchange.ts';
import { readAt } from '../language/memory.ts';
import { at } from '../language/scope.ts';
import { meantBy } from '../language/selector.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { codeOf } from '../vocabulary/changed-answers.ts';

/** What is refused for its size has made room all the same. */
const lostAllTheSame: Wrap = (service, core) =>
  handling(async (request) => {
    const { target } = arrivalOf(request, core, (one) => service.handle(one));
    const answer = await service.handle(request);
    if (request.method !== 'POST' || codeOf(answer) !== NOT_ACCEPTABLE.code) return answer;
    for (const instance of [...(target?.instances ?? [])]) core.tree.remove(instance, 'to make room');
    return answer;
  })(service, core);

const createsInstance = meantBy({ create: 'm2m:cin' }).before;

/** What was deleted by the name of this end is still answered by that name, until another is created. */
const stillAtEnd =
  (end: string): Wrap =>
  (service, core) => {
    const ghosts = new Map<string, HttpResponse>();
    return handling(async (request) => {
      const arrival = arrivalOf(request, core, (one) => service.handle(one));
      const { method } = request;
      const path = String(at('path', arrival.scope));
      if (createsInstance(arrival.scope)) ghosts.delete(`${path}/${end}`);
      const goes = method === 'DELETE' && path.endsWith(`/${end}`);
      const ghost = goes ? await readAt(path, arrival) : undefined;
      const answer = await service.handle(request);
      if (ghost !== undefined && isSuccess(answer)) ghosts.set(path, ghost);
      return (method === 'GET' ? ghosts.get(path) : undefined) ?? answer;
    })(service, core);
  };

export const containers: readonly Deviation[] = [
  breaking(
    'std.retention.mbs.too-large.loses-nothing',
    'all',
    'A content instance that is larger than mbs alone is refused after all others of the container have made room.',
    lostAllTheSame,
  ),
  ...['la', 'ol'].map((end) =>
    breaking(
      `std.${end === 'la' ? 'latest' : 'oldest'}.delete.next`,
      'answered',
      `A content instance that was deleted by the name ${end} is still answered to who reads ${end}, until another is created.`,
      stillAtEnd(end),
    ),
  ),
];
