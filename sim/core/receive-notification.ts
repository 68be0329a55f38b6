/** Notifications that somebody sends to this CSE, or to an AE of it: taken, or handed on with the answer (TS-0004, clause 7.3.3.9). */
import { applicationEntityType, cseBaseType } from './numbers.ts';
import type { Answer, RequestPrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import { CseError, statuses } from './status.ts';
import { rootOf } from './validate.ts';

export function receiveNotification(request: RequestPrimitive, resource: Resource, services: Services): Answer {
  const { outgoing, access, configuration } = services;
  if (resource.type.ty === cseBaseType && configuration.dialect.name === 'onem2m') {
    access.check(request, 'notify', resource);
    const [root, notification] = rootOf(request.content);
    if (root !== 'm2m:sgn' || typeof notification.sur === 'string') return { status: statuses.OK };
    throw new CseError(
      'BAD_REQUEST',
      'A notification says of which subscription it is (sur; TS-0004, clause 6.3.5.13).',
    );
  }
  if (resource.type.ty !== applicationEntityType) {
    throw new CseError('OPERATION_NOT_ALLOWED', 'Only an AE receives notifications.', {
      allow: resource.type.operations,
    });
  }
  access.check(request, 'notify', resource);
  return outgoing.send(String(resource.values.aei), request);
}
