/** Blocking updates, to which a subscriber must agree first: event type 7 (TS-0001, clause 9.6.8). */
import type { CseConfiguration } from '../configuration.ts';
import type { RequestPrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';
import type { Services } from '../services.ts';
import { CseError, ifRefused } from '../status.ts';
import type { RequestedAttributes } from '../validate.ts';
import { contentOf } from './notification-content.ts';
import { type Event, eventTypes, matchesEvent } from './notification-criteria.ts';

/** The latest pending question about each resource, for which further updates and deletes wait. */
const pendingUpdates = new WeakMap<Resource, Promise<void>>();

/** Resolves when the latest pending update is done or refused (TS-0001, clause 10.2.10.7); undefined when none is. */
export function pendingUpdate(resource: Resource): Promise<void> | undefined {
  return pendingUpdates.get(resource)?.catch(() => {});
}

/**
 * Asks the blocking subscription of a resource before an update, and waits for an earlier pending update; undefined
 * when there is neither. Rejects with a CseError when the update is denied.
 */
export function askBeforeUpdate(
  resource: Resource,
  requested: RequestedAttributes,
  request: RequestPrimitive,
  services: Pick<Services, 'configuration' | 'notifier' | 'tree'>,
): Promise<void> | undefined {
  const before = pendingUpdate(resource);
  if (resource.subscriptions === undefined) return before;
  const event = eventOf(resource, requested, request, services.configuration);
  const blocking = resource.subscriptions.find((one) => matchesEvent(one, event, services.configuration));
  if (blocking === undefined) return before;
  const answered = (before ?? Promise.resolve()).then(() => askTarget(blocking, event, services));
  const closed = answered.finally(() => {
    if (pendingUpdates.get(resource) === closed) pendingUpdates.delete(resource);
  });
  pendingUpdates.set(resource, closed);
  return closed;
}

/** A subscription removed meanwhile is not asked. */
async function askTarget(
  subscription: Resource,
  event: Event,
  { configuration, notifier, tree }: Pick<Services, 'configuration' | 'notifier' | 'tree'>,
): Promise<void> {
  if (!tree.holds(subscription)) return;
  const [target = ''] = subscription.values.nu as readonly string[];
  const notification = contentOf(event, configuration)(target, subscription);
  const response = notifier.forward(target, { 'm2m:sgn': notification }, event.request?.trace);
  const { status } = await response.catch(ifRefused(unreachable));
  if (status.code < 3000) return;
  throw new CseError('OPERATION_DENIED_BY_REMOTE_ENTITY', `${target} does not agree to the update (${status.code}).`);
}

function unreachable({ message }: CseError): never {
  throw new CseError('REMOTE_ENTITY_NOT_REACHABLE', `The subscriber that must agree cannot be reached: ${message}`);
}

/** The update in question with what it would change; null for an attribute that it would remove. */
function eventOf(
  subject: Resource,
  { values, removed, labels, expires }: RequestedAttributes,
  request: RequestPrimitive,
  { dialect }: CseConfiguration,
): Event {
  const { type } = subject;
  const attributes = {
    ...values,
    ...(labels !== undefined && { lbl: labels }),
    ...(expires !== undefined && { et: expires }),
  };
  const representation: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const attribute = type.attributes[name];
    if (attribute !== undefined) representation[name] = dialect.write(attribute.type, value);
  }
  for (const name of removed) representation[name] = null;
  return {
    type: eventTypes.blockingUpdate,
    subject,
    changed: Object.keys(representation),
    representation: { [type.root]: representation },
    request,
  };
}
