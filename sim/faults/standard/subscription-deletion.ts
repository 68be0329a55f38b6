/** What the standard says of who is told when a subscription ends, broken. */

import type { Fault } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import {
  afterwards,
  beforehand,
  giving,
  lettingPass,
  removing,
  updating,
  without,
} from '../vocabulary/standard-exchanges.ts';
import {
  doubling,
  retelling,
  sharing,
  subscribingOtherwise,
  tellBesides,
  type WhenSent,
  withholding,
} from '../vocabulary/standard-notifications.ts';

/** The subscriptions that are deleted by themselves, as notifications name them. */
const deleted = sharing(() => new Set<unknown>());

const noticing = beforehand((arrival) => {
  const { addressed, core } = arrival;
  if (removing('m2m:sub')(arrival) && addressed !== undefined) {
    deleted(core).add(`/${core.configuration.cseId}/${addressed.id}`).add(addressed.path);
  }
  return undefined;
});

const ofDeletion: WhenSent = ({ signal }) => signal.sud === true;
const byItself: WhenSent = (one, core) => ofDeletion(one, core) && deleted(core).has(one.signal.sur);

export const subscriptionDeletion: readonly Fault[] = [
  breaking(
    'std.subscription-deletion.notified',
    'twice',
    'The subscriber is told twice that a subscription was deleted by itself.',
    { wrap: noticing, ...doubling(byItself) },
  ),
  breaking(
    'std.subscription-deletion.content',
    'another-subscription',
    'What the subscriber is told of the end of a subscription names the CSE in place of the subscription.',
    retelling(ofDeletion, (signal, core) => ({ ...signal, sur: `/${core.configuration.cseId}` })),
  ),
  breaking(
    'std.subscription-deletion.with-parent',
    'silent',
    'The subscriber is not told that a subscription has gone with its resource.',
    { wrap: noticing, ...withholding((one, core) => ofDeletion(one, core) && !byItself(one, core)) },
  ),
  breaking(
    'std.subscription-deletion.subscriber-only',
    'target-too',
    'The first target of a subscription is told that it was deleted, too.',
    afterwards((exchange) => {
      const { addressed, answer, core } = exchange;
      if (isSuccess(answer) && removing('m2m:sub')(exchange) && addressed !== undefined) {
        tellBesides(core, addressed, { sud: true });
      }
      return undefined;
    }),
  ),
  breaking(
    'std.subscription-deletion.no-events',
    'target-as-well',
    'The subscriber is one more target of a subscription.',
    subscribingOtherwise(({ nu, su, ...others }) =>
      Array.isArray(nu) && su !== undefined ? { ...others, su, nu: [...nu, su] } : undefined,
    ),
  ),
  breaking(
    'std.subscription-deletion.subscriber-stays',
    'overlooked',
    'An update of su is answered as done, and changes nothing.',
    lettingPass(
      (exchange) => updating('m2m:sub')(exchange) && giving('su')(exchange),
      (attributes) => without(attributes, 'su'),
    ),
  ),
];
