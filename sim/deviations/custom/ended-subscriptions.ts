/** Subscriptions that have come to their end by themselves. */
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Deviation, Wrap } from '../deviation.ts';
import { handling } from '../vocabulary/blocks.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import { describedIn } from '../vocabulary/representations.ts';

/** What was answered to the creation of a subscription with `exc` is answered at its path until it is deleted. */
const outlivingItsCounter: Wrap = (service, core) => {
  const known = new Map<string, HttpResponse>();
  return handling(async (request) => {
    const answer = await service.handle(request);
    const [path = ''] = request.target.split('?');
    const shown = describedIn(answer.body);
    if (request.method === 'POST' && shown?.root === 'm2m:sub' && shown.attributes.exc !== undefined)
      known.set(`${path}/${shown.attributes.rn}`, answer);
    if (request.method === 'DELETE') known.delete(path);
    const former = request.method === 'GET' && answer.status === 404 ? known.get(path) : undefined;
    return former === undefined ? answer : recoded(former, 200, 2000);
  })(service, core);
};

export const endedSubscriptions: readonly Deviation[] = [
  {
    id: 'std.counter.zero.still-read',
    violates: 'std.counter.zero',
    says: 'A subscription whose expiration counter has come to zero is still answered to who reads it.',
    wrap: outlivingItsCounter,
  },
];
