import { isSuccess, summaryOf, viewOf } from '../engine/answer.ts';
import { isObject } from '../engine/body.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Target, Way } from '../engine/targets/target.ts';
import { headerList, type Speech, senderHeaders } from '../engine/usual-headers.ts';
import { type Address, type CseNames, keyOf, meantBy } from './address.ts';

/** Who asks a CSE, and how. */
export interface Asking {
  readonly target: Target;
  readonly way: Way;
  readonly speech: Speech;
  /** Tried one after the other, until one may read. */
  readonly originators: ReadonlyArray<string | undefined>;
}

export interface Listing {
  /** What was found, by key. */
  readonly addresses: ReadonlyMap<string, Address>;
  /** Why it may not be all. */
  readonly partial?: string;
}

/** Pages, and resources, after which a listing is given up. */
const mostPages = 50;
const mostFound = 200_000;

/** The answer for the first originator that gets one, else the last answer. */
export async function read(
  { target, way, speech, originators }: Asking,
  path: string,
): Promise<Exchange | { readonly refused: string }> {
  let last: Exchange | { readonly refused: string } = { refused: 'nobody is known who could ask' };
  for (const originator of new Set(originators)) {
    const request = { method: 'GET', path, headers: headerList(senderHeaders({ originator, speech })) };
    const refused = target.objection(request, way);
    last = refused === undefined ? await target.send(request, way) : { refused };
    if ('refused' in last || isSuccess(last) || last.answer === undefined) return last;
  }
  return last;
}

/** What is below the CSE base: by discovery, else its children only. */
export async function listingOf(asking: Asking): Promise<Listing | { readonly reason: string }> {
  const names = asking.target.description;
  const found = await discovered(asking, names);
  if (!('reason' in found)) return found;
  const query = asking.speech.dialect === 'onem2m' ? '?rcn=6' : '';
  const seen = await read(asking, `/${names.base}${query}`);
  const children = 'refused' in seen || !isSuccess(seen) ? undefined : childrenIn(seen);
  if (children === undefined) return found;
  return { ...listed(children, names), partial: `only the children of the base could be seen; ${found.reason}` };
}

async function discovered(asking: Asking, names: CseNames): Promise<Listing | { readonly reason: string }> {
  const all = new Map<string, Address>();
  let offset = '';
  for (let page = 0; page < mostPages && all.size < mostFound; page += 1) {
    const seen = await read(asking, `/${names.base}?fu=1${offset}`);
    const list = 'refused' in seen || !isSuccess(seen) ? undefined : viewOf(seen).found;
    if (list === undefined) return { reason: `a discovery of /${names.base} brought no list: ${told(seen)}` };
    const before = all.size;
    for (const [key, address] of listed(list, names).addresses) all.set(key, address);
    // contentStatus and contentOffset of an answer that is cut (TS-0009 6.4.2).
    const { headers } = viewOf(seen as Exchange);
    if (headers.get('x-m2m-cts') !== '1') return { addresses: all };
    if (all.size === before) break;
    offset = `&ofst=${Number(headers.get('x-m2m-cto') ?? all.size)}`;
  }
  return { addresses: all, partial: 'the list of resources is too long to be read as a whole' };
}

function told(seen: Exchange | { readonly refused: string }): string {
  return 'refused' in seen ? seen.refused : summaryOf(seen);
}

function listed(identifiers: readonly unknown[], names: CseNames): Listing {
  const addresses = identifiers.filter((one) => typeof one === 'string').map((one) => addressOfFound(one, names));
  return { addresses: new Map(addresses.map((address) => [keyOf(address), address])) };
}

/** Whatever form a target lists: paths with and without the CSE, and identifiers. */
export function addressOfFound(identifier: string, names: CseNames): Address {
  const [, first = ''] = identifier.split('/');
  if (identifier.startsWith('//')) return meantBy(`/_/${identifier.slice(2)}`, names);
  if (identifier.startsWith('/') && first === names.cseId) return meantBy(`/~${identifier}`, names);
  return meantBy(identifier.startsWith('/') ? identifier : `/${identifier}`, names);
}

/** Child references: `ch` of a CSE base, or the list that rcn=6 brings. */
function childrenIn(exchange: Exchange): unknown[] | undefined {
  const { attributes, body } = viewOf(exchange);
  const list = attributes?.ch ?? attributes?.rrf ?? (isObject(body) ? body['m2m:rrl'] : undefined);
  if (!Array.isArray(list)) return undefined;
  return list.map((one) => (isObject(one) ? (one.val ?? one.value) : one));
}
