import type { Installation } from '../running/installation.ts';
import type { Liveness } from './liveness.ts';

/** The same installation; whatever is sent to it is watched for the death of the target. */
export function watched(installation: Installation, liveness: Liveness): Installation {
  const { gateway, backend } = installation;
  return {
    ...installation,
    gateway: liveness.watched(gateway),
    ...(backend && { backend: liveness.watched(backend) }),
  };
}
