/** A group that does not wait for the notifications of its members that it is to gather. */

import type { Cse } from '../../core/cse.ts';
import { JsonText } from '../../core/representation.ts';
import type { Resource } from '../../core/resource.ts';
import type { Deviation, Wrap } from '../deviation.ts';
import { at, isObject } from '../language/scope.ts';
import { meaning, watching } from '../language/watching.ts';
import { resourceAt } from '../vocabulary/blocks.ts';

/** The group that gathers events of this type for a subscription, and hands on ten at once at most. */
function gathererOf({ values: { enc, nfu, nu } }: Resource, event: number, core: Cse): Resource | undefined {
  const isWanted = typeof nfu === 'string' && isObject(enc) && Array.isArray(enc.net) && enc.net.includes(event);
  const group = isWanted && Array.isArray(nu) ? resourceAt(String(nu[0]), core) : undefined;
  const number = isObject(group?.values.nar) ? Number(group.values.nar.num) : Number.NaN;
  return number <= 10 ? group : undefined;
}

/** As a notification of several with one in it. */
const handingOnFirst: Wrap = (service, core) => {
  const begun = new Set<Resource>();
  return watching(
    ({ target, scope, answer }, isMeant) => {
      if (!isMeant) return answer;
      const nev = { net: 3, rep: at('content', scope) };
      for (const subscription of target?.subscriptions ?? []) {
        const group = gathererOf(subscription, nev.net, core);
        if (group === undefined || begun.has(group)) continue;
        begun.add(group);
        const one = { nev, sur: `/${core.configuration.cseId}/${subscription.id}` };
        const content = new JsonText(JSON.stringify({ 'm2m:agn': { 'm2m:sgn': [one] } }));
        core.services.notifier.passOn(String(subscription.values.nfu), content).catch(() => {});
      }
      return answer;
    },
    meaning({ create: 'any', done: true, shown: 'present' }),
  )(service, core);
};

export const gatheredNotifications: readonly Deviation[] = [
  {
    id: 'std.fan-out.notifications.held-back.first-at-once',
    violates: 'std.fan-out.notifications.held-back',
    says: 'Of the first child of a member that was created a group that gathers ten notifications at most tells at once besides.',
    wrap: handingOnFirst,
  },
];
