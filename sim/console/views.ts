/** Views of a CSE and of one resource for the page. */

import { applicationEntityType, remoteCseType, subscriptionType } from '../core/numbers.ts';
import type { Cse } from '../core/operations/cse.ts';
import { attributesOf, type Resource } from '../core/resource.ts';
import type { ResourceItem } from './events.ts';

/** A page of children: no list grows without end. */
const mostChildren = 20_000;
const mostInstances = 200;
const mostHeld = 500;

/** `cnt` of `m2m:cnt`. */
export const shortNameOf = ({ type: { root } }: Resource): string => root.slice(root.indexOf(':') + 1);

export function itemOf(resource: Resource): ResourceItem {
  const { id, name, children } = resource;
  return { id, name, type: shortNameOf(resource), children: children?.size ?? 0 };
}

/** The children in the order of their creation; `total` may be more than are listed. */
export function childrenOf(resource: Resource): { readonly total: number; readonly children: readonly ResourceItem[] } {
  const children = firstOf(resource.children?.values() ?? [], mostChildren);
  return { total: resource.children?.size ?? 0, children: children.map(itemOf) };
}

/** The first ones, of these types where some are given. */
function firstOf(all: Iterable<Resource>, most: number, types?: readonly number[]): Resource[] {
  const first: Resource[] = [];
  for (const one of all) {
    if (first.length === most) break;
    if (types?.includes(one.type.ty) !== false) first.push(one);
  }
  return first;
}

export function detailsOf(resource: Resource, { configuration }: Cse) {
  return {
    item: itemOf(resource),
    path: resource.path,
    parent: resource.parent?.id,
    attributes: attributesOf(resource, configuration.dialect),
    /** The latest of a container, the oldest first. */
    instances: (resource.instances?.latest(mostInstances) ?? []).map(({ created, values: { con, cnf } }) => ({
      at: created,
      con,
      cnf,
    })),
  };
}

/** A registration or a subscription. */
interface Held {
  readonly id: string;
  readonly path: string;
  readonly type: string;
  /** Its identifier, its points of access, or its notification targets. */
  readonly says: readonly string[];
}

/** In the order of their creation. Registrations are directly below the CSE base. */
export function heldBy({ tree, services }: Cse): Readonly<Record<'registrations' | 'subscriptions', readonly Held[]>> {
  const registrations = firstOf(tree.base.children?.values() ?? [], mostHeld, [applicationEntityType, remoteCseType]);
  const most = Math.min(mostHeld, services.notifier.subscriptions);
  const subscriptions = firstOf(tree.byCreation, most, [subscriptionType]);
  return { registrations: registrations.map(heldOf), subscriptions: subscriptions.map(heldOf) };
}

function heldOf(resource: Resource): Held {
  const { aei, csi, poa, nu } = resource.values;
  const says = [aei ?? csi, ...(listed(poa) ?? []), ...(listed(nu) ?? [])];
  const { id, path } = resource;
  return { id, path, type: shortNameOf(resource), says: says.filter((one) => typeof one === 'string') };
}

const listed = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
