/** What faults of the standard make of what a CSE announces at others. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import { type OutgoingRequest, UnreachableError } from '../../dialects/outgoing-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, resourceAt } from './asked.ts';
import { handling } from './blocks.ts';
import { describedIn } from './representations.ts';
import { type Arrival, arrivalOf } from './standard-exchanges.ts';

/** Something that is sent to create, update or delete an announced resource. */
export interface Announcing {
  readonly method: string;
  /** `m2m:cntA`; undefined for a deletion. */
  readonly root: string | undefined;
  readonly attributes: Attributes;
  /** Undefined for one that is gone. */
  readonly original: Resource | undefined;
  /** The update or delete of the original by which it comes; undefined for all others. */
  readonly cause: Pick<Arrival, 'about' | 'given'> | undefined;
}

/** What is sent in place of an announcement: other attributes, nothing at all, or, for undefined, what is due. */
export type Instead = Attributes | 'nothing' | undefined;

export function announcing(
  change: (announcing: Announcing, core: Cse) => Instead,
): Required<Pick<Fault, 'wrap' | 'wrapSender'>> {
  const causes = new WeakMap<Cse, Map<string, Arrival>>();
  return {
    wrap: noting(causes),
    wrapSender: (sender, core) => ({
      send: async (baseUrl, request, signal) => {
        const about = announcementIn(request, core, causes.get(core));
        const instead = about && change(about, core);
        if (instead === 'nothing') throw new UnreachableError('an announcement is not sent');
        if (about?.root === undefined || instead === undefined) return sender.send(baseUrl, request, signal);
        return sender.send(baseUrl, { ...request, body: JSON.stringify({ [about.root]: instead }) }, signal);
      },
    }),
  };
}

/** Notes which request changes what is announced, by the identifier of the original and the addresses in its `at`. */
function noting(causes: WeakMap<Cse, Map<string, Arrival>>): Wrap {
  return handling((request, service, core) => {
    const arrival = arrivalOf(request, core, (one) => service.handle(one));
    const { addressed } = arrival;
    if (addressed !== undefined && ['PUT', 'DELETE'].includes(request.method)) {
      const noted = causes.get(core) ?? new Map<string, Arrival>();
      causes.set(core, noted);
      for (const key of [addressed.id, ...addressesOf(addressed)]) noted.set(key, arrival);
    }
    return service.handle(request);
  });
}

const addressesOf = ({ values }: Resource) => (values.at ?? []) as readonly string[];

function announcementIn(
  request: OutgoingRequest,
  core: Cse,
  causes: ReadonlyMap<string, Arrival> | undefined,
): Announcing | undefined {
  const described = describedIn(request.body ?? '');
  if (described === undefined ? request.method !== 'DELETE' : !described.root.endsWith('A')) return undefined;
  const { root, attributes = {} } = described ?? {};
  const address = request.target.replace(/^\/~/, '');
  const linked = typeof attributes.lnk === 'string' ? resourceAt(attributes.lnk, core) : undefined;
  const original = linked ?? causes?.get(address)?.addressed;
  const cause = causes?.get(request.method === 'POST' ? (original?.id ?? '') : address);
  return { method: request.method, root, attributes, original, cause };
}
