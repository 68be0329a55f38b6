import { resourceAt } from '../../faults/vocabulary/asked.ts';
import { changingSent, isPointOfAccess, signalIn } from '../../faults/vocabulary/changed-notifications.ts';
import type { Quirk } from '../product.ts';

/** What ACME sends. */
export const notifications: readonly Quirk[] = [
  {
    id: 'notification.product',
    says: 'A notification names the product in User-Agent and asks not to be cached.',
    notes: 'acme.md, 2',
    violates: {},
    because: 'HTTP permits both, and no requirement speaks of them.',
    wrapSender: changingSent((request) => ({
      ...request,
      headers: { ...request.headers, 'User-Agent': 'ACME/2026.05.1', 'cache-control': 'no-cache' },
    })),
  },
  {
    id: 'notification.serialization-indicator-sent',
    says: 'What a target says of the serialisation (ct=json) is sent as part of its path.',
    notes: 'acme.md, 2, "Others": POST /n2?ct=json',
    violates: { onem2m: ['std.notification.serialization-indicator'] },
    wrapSender: changingSent((request, baseUrl, core) => {
      const { sur } = signalIn(request) ?? {};
      const { nu } = (typeof sur === 'string' ? resourceAt(sur, core)?.values : undefined) ?? {};
      const sent = `${baseUrl}${request.target}`;
      const target = (Array.isArray(nu) ? nu : []).find(
        (one) => one === `${sent}?ct=json` || one === `${sent}&ct=json`,
      );
      return target === undefined ? undefined : { ...request, target: target.slice(baseUrl.length) };
    }),
  },
  {
    id: 'verification.refusal-ignored',
    says: 'A target that is a URL is asked whether it accepts a subscription, and its answer is not looked at.',
    notes: 'acme.md, 1, "Subscriptions": Verification, answered with HTTP 403',
    violates: {},
    because: 'A target that is a URL need not be asked from release 3 on (TS-0004, clause 7.4.8.2.1).',
    wrapSender: (sender, core) => ({
      send: async (baseUrl, request, signal) => {
        const answer = await sender.send(baseUrl, request, signal);
        const isQuestion = signalIn(request)?.vrq === true;
        if (!isQuestion || isPointOfAccess(`${baseUrl}${request.target}`, core)) return answer;
        return { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };
      },
    }),
  },
];
