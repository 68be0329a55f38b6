import { isSuccess, viewOf } from '../engine/judging/answer.ts';
import { type Address, pathOf } from './address.ts';
import { type Asking, listingOf, read } from './listing.ts';
import { isChildOfBase } from './sweep.ts';
import { isName } from './told-paths.ts';

/** An application entity as the target shows it. */
export interface Registered {
  /** By its name. */
  readonly path: string;
  /** When it was created, as the target writes it. */
  readonly since?: string;
}

/** So many application entities are looked at. */
const most = 200;

/** The application entity of an originator, by reads alone; undefined where none is shown. */
export async function registeredAs(originator: string, asking: Asking): Promise<Registered | undefined> {
  const { description } = asking.target;
  const identifier = stemOf(originator);
  const direct = { cseId: description.cseId, segments: [identifier] };
  const known = await seenAt(direct, identifier, asking);
  if (known !== undefined) return known;
  for (const address of await candidates(asking)) {
    const seen = await seenAt(address, identifier, asking);
    if (seen !== undefined) return seen;
  }
  return undefined;
}

/** The AE-ID-Stem (TS-0001 7.2): the last part of every form of an AE-ID. */
function stemOf(identifier: string): string {
  return identifier.split('/').at(-1) ?? '';
}

/** By the type, and where the target shows none by it, by everything that is below its base; those of cselab first. */
async function candidates(asking: Asking): Promise<Address[]> {
  const { description } = asking.target;
  for (const criteria of ['&ty=2', '']) {
    const listing = await listingOf(asking, undefined, criteria);
    const all = 'reason' in listing ? [] : [...listing.addresses.values()];
    const children = all.filter((one) => isChildOfBase(one, description));
    if (children.length > 0) return children.sort((a, b) => rank(a) - rank(b)).slice(0, most);
  }
  return [];
}

function rank({ segments }: Address): number {
  return segments.at(-1)?.startsWith('cl-') ? 0 : 1;
}

async function seenAt(address: Address, identifier: string, asking: Asking): Promise<Registered | undefined> {
  const { description } = asking.target;
  const seen = await read(asking, pathOf(address, description));
  if ('refused' in seen || !isSuccess(seen)) return undefined;
  const { root, attributes = {} } = viewOf(seen);
  const { aei, ri, rn, ct } = attributes;
  const own = [aei, ri].find(isName);
  if (root !== 'm2m:ae' || own === undefined || stemOf(own) !== identifier) return undefined;
  const path = isName(rn)
    ? pathOf({ ...address, segments: [description.base, rn] }, description)
    : pathOf(address, description);
  return { path, ...(isName(ct) && { since: ct }) };
}
