/** What faults of the standard look at in requests for flexible containers. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { Attributes } from './asked.ts';
import type { Arrival } from './standard-exchanges.ts';
import { takingOtherwise } from './standard-taken.ts';

const flexContainer = 28;

/** The kind below a root, where it is a flexible container. */
export function kindOf(root: string | undefined, { configuration }: Cse) {
  const kind = configuration.kinds.find((one) => one.root === root);
  return kind?.ty === flexContainer ? kind : undefined;
}

export const isFlexContainer = (resource: Resource | undefined) => resource?.type.ty === flexContainer;
export const createsFlexContainer = ({ about, given, core }: Arrival) =>
  about.method === 'POST' && kindOf(given?.root, core) !== undefined;
export const atFlexContainer = (method: string) => (arrival: Arrival) =>
  arrival.about.method === method && !arrival.about.virtual && isFlexContainer(arrival.addressed);

/** The names that the definition of a kind brings: those that no container has, and that are not of all flexible containers. */
export function ownNames(root: string, core: Cse): readonly string[] {
  const of = (one: string) => Object.keys(core.configuration.kinds.find((kind) => kind.root === one)?.attributes ?? {});
  const ofAll = new Set([...of('m2m:cnt'), 'cnd', 'cs', 'fcied', 'nl', 'dgt']);
  return of(root).filter((name) => !ofAll.has(name));
}

/** Attributes of what is created as a flexible container. */
export const takingFlexContainer = (
  change: (attributes: Attributes, root: string, core: Cse) => Attributes | undefined,
) =>
  takingOtherwise(({ root, attributes }, core, { method }) =>
    method === 'POST' && kindOf(root, core) !== undefined ? change(attributes, root, core) : undefined,
  );
