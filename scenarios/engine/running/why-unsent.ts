import type { Block } from '../judging/check.ts';
import type { Prepared } from '../messages/request.ts';
import type { Acting } from './acting.ts';
import type { SharedRegistration } from './sending.ts';
import type { Site } from './site.ts';

export interface Unsent {
  readonly leftOut?: string | undefined;
  readonly acting: Acting;
  readonly prepared: Prepared;
  readonly registration: SharedRegistration | undefined;
  /** Why nothing can be registered at a CSE with an originator that only one can have. */
  readonly taken?: ReadonlyMap<Site, string> | undefined;
}

/** Why the request of a step must not, or cannot, be sent to the target, or need not; undefined for any that is sent. */
export async function whyUnsent({
  leftOut,
  acting,
  prepared,
  registration,
  taken,
}: Unsent): Promise<Block | undefined> {
  const { target, way } = acting;
  const risk = leftOut ?? target.leftOut(prepared.request);
  if (risk !== undefined) return { reason: risk, kind: 'left out' };
  const objection = await target.objection(prepared.request, way);
  if (objection !== undefined) return { reason: objection, kind: 'excused' };
  const occupied = registration && taken?.get(registration.on);
  return occupied === undefined ? undefined : { reason: occupied, kind: 'blocked', final: true };
}
