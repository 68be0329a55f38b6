/** Notifications that somebody sends to an AE of this CSE (TS-0001, clause 10.2.10): handed on, with the answer. */
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import { CseError, OPERATION_NOT_ALLOWED } from './status.ts';

const applicationEntityType = 2;

export function relay(request: RequestPrimitive, resource: Resource, services: Services): Promise<ResponsePrimitive> {
  const { outgoing, access } = services;
  if (resource.type.ty !== applicationEntityType) {
    throw new CseError(OPERATION_NOT_ALLOWED, 'Only an AE receives notifications.', {
      allow: resource.type.operations,
    });
  }
  if (access.required) access.check(request, 'notify', resource);
  return outgoing.send(String(resource.values.aei), request);
}
