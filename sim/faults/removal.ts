import type { HttpResponse } from '../dialects/http-message.ts';
import type { Fault, Wrap } from './fault.ts';
import { asked, isSuccess, resourceAtPath, shownIn } from './vocabulary/asked.ts';
import { handling } from './vocabulary/blocks.ts';

/** Answers a removed application entity to those who read its path, or to the first of them. */
const haunted =
  (howOften: 'always' | 'once'): Wrap =>
  (service, core) => {
    const ghosts = new Map<string, HttpResponse>();
    return handling(async (request) => {
      const { method, path } = asked(request);
      const answer = await service.handle(request);
      const removed = method === 'DELETE' && isSuccess(answer) && shownIn(answer.body)?.kind === 'm2m:ae';
      if (removed) ghosts.set(path, answer);
      const ghost = method === 'GET' && answer.status === 404 ? ghosts.get(path) : undefined;
      if (ghost !== undefined && howOften === 'once') ghosts.delete(path);
      return ghost ?? answer;
    })(service, core);
  };

/** What is left of an application entity that was removed. */
export const removal: readonly Fault[] = [
  {
    id: 'ae.delete.not-done',
    violates: 'lifecycle.removed-is-gone',
    says: 'The removal of an application entity is answered as done, but nothing is removed.',
    wrap: handling(async (request, service, core) => {
      const { method, path } = asked(request);
      if (method !== 'DELETE' || resourceAtPath(path, core)?.type.root !== 'm2m:ae') return service.handle(request);
      const answer = await service.handle({ ...request, method: 'GET', target: `${path}?rcn=1` });
      return { ...answer, headers: { ...answer.headers, 'X-M2M-RSC': '2002' } };
    }),
  },
  {
    id: 'ae.delete.ghost',
    violates: 'lifecycle.removed-is-gone',
    says: 'A removed application entity is still answered to who reads its path, as long as no other takes its name.',
    wrap: haunted('always'),
  },
  {
    id: 'ae.delete.first-reader',
    violates: 'lifecycle.removed-is-gone',
    says: 'A removed application entity is still answered to the first who reads its path after that.',
    wrap: haunted('once'),
  },
];
