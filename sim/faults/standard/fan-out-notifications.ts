/** What the standard says of the notifications that a group gathers of its members, broken. */

import type { Cse } from '../../core/cse.ts';
import { JsonText } from '../../core/representation.ts';
import type { Resource } from '../../core/resource.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, isSuccess, resourceAt } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { changingShown } from '../vocabulary/changed-answers.ts';
import { isObject } from '../vocabulary/representations.ts';
import { afterwards, creating } from '../vocabulary/standard-exchanges.ts';
import {
  doublingAggregates,
  regathering,
  subscriptionOfAll,
  subscriptionsTo,
} from '../vocabulary/standard-notifications.ts';

type Parts = readonly Attributes[];

/** The group that hands notifications of members on; undefined for a batch of a subscription. */
function groupOf(parts: Parts, core: Cse): Resource | undefined {
  const { nfu, nu } = subscriptionOfAll(parts, core)?.values ?? {};
  const [point] = Array.isArray(nu) ? nu : [];
  return typeof nfu === 'string' && typeof point === 'string' ? resourceAt(point, core) : undefined;
}

const aggregationOf = (group: Resource | undefined): Attributes =>
  isObject(group?.values.nar) ? group.values.nar : {};

/** Whether they are handed on because there are so many as nar says. */
const isFull = (parts: Parts, core: Cse) => parts.length === aggregationOf(groupOf(parts, core)).num;

const isLate = (parts: Parts, core: Cse) => {
  const { num } = aggregationOf(groupOf(parts, core));
  return num !== undefined && parts.length !== num;
};

const few = 10;

/** As a notification of several with one in it. */
const handingOnFirst: Wrap = (service, core) => {
  const begun = new Set<Resource>();
  return afterwards((exchange) => {
    const { addressed, answer, shown } = exchange;
    if (!isSuccess(answer) || shown === undefined || !creating()(exchange)) return undefined;
    const nev = { net: 3, rep: { [shown.root]: shown.attributes } };
    for (const { id, values } of subscriptionsTo(addressed, 3)) {
      const one = { nev, sur: `/${core.configuration.cseId}/${id}` };
      const group = groupOf([one], core);
      if (group === undefined || begun.has(group) || Number(aggregationOf(group).num ?? few + 1) > few) continue;
      begun.add(group);
      const content = new JsonText(JSON.stringify({ 'm2m:agn': { 'm2m:sgn': [one] } }));
      if (typeof values.nfu === 'string') core.services.notifier.passOn(values.nfu, content).catch(() => {});
    }
    return undefined;
  })(service, core);
};

export const fanOutNotifications: readonly Fault[] = [
  breaking(
    'std.fan-out.notifications.target',
    'own-shown',
    'A subscription with nfu shows that as its target.',
    changingShown('m2m:sub', (attributes) => {
      if (attributes.nfu !== undefined) attributes.nu = [attributes.nfu];
    }),
  ),
  breaking(
    'std.fan-out.notifications.held-back',
    'first-at-once',
    'Of the first child of a member that was created a group that gathers ten notifications at most tells at once besides.',
    handingOnFirst,
  ),
  breaking(
    'std.fan-out.notifications.number',
    'twice',
    'What a group has gathered as many of as nar says is handed on twice.',
    doublingAggregates(isFull),
  ),
  breaking(
    'std.fan-out.notifications.content',
    'last-left-out',
    'What a group has gathered as many of as nar says is handed on without the last of it.',
    regathering((parts, core) => (isFull(parts, core) ? parts.slice(0, -1) : undefined)),
  ),
  breaking(
    'std.fan-out.notifications.duration',
    'twice',
    'What a group has gathered in the time of nar is handed on twice.',
    doublingAggregates(isLate),
  ),
  breaking(
    'std.fan-out.notifications.each-member',
    'empty',
    'What a group without nar has gathered is handed on with nothing in it.',
    regathering((parts, core) => {
      const group = groupOf(parts, core);
      return group !== undefined && group.values.nar === undefined ? [] : undefined;
    }),
  ),
];
