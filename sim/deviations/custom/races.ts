/** What goes wrong between requests at the same moment. */

import type { Resource } from '../../core/resource.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Deviation } from '../deviation.ts';
import { Drift } from '../language/counters.ts';
import { nothing } from '../language/scope.ts';
import { handling } from '../vocabulary/blocks.ts';
import { asked, describedIn, isSuccess } from '../vocabulary/messages.ts';
import { containerFor, echoing, waiting } from './history.ts';

export const races: readonly Deviation[] = [
  {
    id: 'stateful.race.one-for-all',
    violates: 'common.ri.distinct',
    sequencesOnly: true,
    says: 'Of nameless content instances that are sent to one path at the same moment only the first is created, and answered to all.',
    wrap: (service, core) => {
      const underWay = new Map<string, Promise<HttpResponse>>();
      return handling(async (request) => {
        const { path } = asked(request);
        const isNameless = describedIn(request.body)?.attributes.rn === undefined;
        if (containerFor(request, core) === undefined || !isNameless) return service.handle(request);
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
    sequencesOnly: true,
    says: 'Of content instances that are sent to one container at the same moment cni counts only the last to be created.',
    wrap: (service, core) => {
      const underWay = new Map<Resource, number>();
      const drift = new Drift();
      return handling(async (request) => {
        const container = containerFor(request, core);
        if (container === undefined) return drift.in(await service.handle(request));
        underWay.set(container, (underWay.get(container) ?? 0) + 1);
        await waiting(core);
        const others = (underWay.get(container) ?? 1) - 1;
        underWay.set(container, others);
        const answer = await service.handle(request);
        if (others > 0 && isSuccess(answer)) drift.by({ [container.id]: { cni: -1 } }, nothing);
        return answer;
      })(service, core);
    },
  },
];
