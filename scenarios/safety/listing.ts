import { isObject } from '../engine/basics/body.ts';
import { defined } from '../engine/basics/defined.ts';
import type { AnswerView } from '../engine/judging/answer.ts';
import type { Address, CseNames } from '../engine/messages/address.ts';
import { addressOfFound, keyOf, pathOf, resolveAddress } from '../engine/messages/address.ts';
import type { Target } from '../engine/messages/target.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { Survey } from '../engine/results/run-context.ts';
import { type CleanUpContext, read } from './clean-up-requests.ts';
import type { Holdings } from './holdings.ts';

/** What a target holds, as far as visible. */
export interface Listing {
  /** What was found, by key. */
  readonly addresses: ReadonlyMap<string, Address>;
  /** Why it may be incomplete. */
  readonly partial?: string;
  /** Why nothing was seen; `failing`: the target answers by a failure of its own. */
  readonly unseen?: 'not looked' | 'refused' | 'failing';
}

/** For a target that could not be reached. */
export function notLooked(why: string): Listing {
  return { addresses: new Map(), partial: why, unseen: 'not looked' };
}

/** Limits of a listing. */
export interface ListingLimits {
  readonly requests: number;
  /** Resources that are counted. */
  readonly found: number;
  /** Characters of all answers together. */
  readonly length: number;
  /** Milliseconds until the last request begins. */
  readonly time: number;
}

const usualLimits: ListingLimits = { requests: 60, found: 200_000, length: 32 * 1024 * 1024, time: 30_000 };

/** The context with limits: `isEnough` says whether to stop once so many resources were found. */
function bounded(context: CleanUpContext, { requests, found: most, length, time }: ListingLimits) {
  const until = performance.now() + time;
  const spent = { requests: 0, length: 0 };
  const send: Target['send'] = async (request, way) => {
    const exchange = await context.target.send(request, way);
    spent.requests += 1;
    spent.length += exchange.answer?.body.length ?? 0;
    return exchange;
  };
  const isEnough = (found: number) =>
    found >= most || spent.requests >= requests || spent.length >= length || performance.now() >= until;
  return { counted: { ...context, target: { ...context.target, send } }, isEnough };
}

/** What is below the CSE base, or fits the criteria (`&ty=2`): by discovery, else only its children. */
export async function listingOf(
  context: CleanUpContext,
  limits: ListingLimits = usualLimits,
  criteria = '',
): Promise<Listing> {
  const names = context.target.description;
  const found = await discovered(context, limits, criteria);
  if (found.unseen === undefined) return found;
  const query = context.speech.dialect === 'onem2m' ? '?rcn=6' : '';
  const { view } = await read(`/${names.base}${query}`, context);
  const children = view && childrenIn(view);
  if (children === undefined) return found;
  return {
    addresses: addressesOf(children, names),
    partial: `only the children of the base could be seen; ${found.partial}`,
  };
}

async function discovered(context: CleanUpContext, limits: ListingLimits, criteria: string): Promise<Listing> {
  const names = context.target.description;
  const addresses = new Map<string, Address>();
  const { counted, isEnough } = bounded(context, limits);
  let { originators } = counted;
  let offset = '';
  while (!isEnough(addresses.size)) {
    const path = `/${names.base}?fu=1${criteria}${offset}`;
    const { view, by, says, exchange } = await read(path, { ...counted, originators });
    if (view?.found === undefined) {
      const partial = `a discovery of /${names.base} returned no list of resources: ${says}`;
      return { addresses, partial, ...(addresses.size === 0 && { unseen: unseenBy(exchange) }) };
    }
    // The originator that may read goes on.
    originators = [by];
    const before = addresses.size;
    for (const [key, address] of addressesOf(view.found.slice(0, limits.found), names)) addresses.set(key, address);
    // contentStatus and contentOffset of an answer that is cut (TS-0009 6.4.2).
    if (view.headers.get('x-m2m-cts') !== '1') return { addresses };
    if (addresses.size === before) break;
    offset = `&ofst=${/^\d{1,9}$/.exec(view.headers.get('x-m2m-cto') ?? '')?.[0] ?? addresses.size}`;
  }
  return { addresses, partial: 'the list of resources is too long to be read as a whole' };
}

/** A failure of its own is no refusal. */
function unseenBy(exchange: Exchange | undefined): 'failing' | 'refused' {
  return (exchange?.answer?.status ?? 0) >= 500 ? 'failing' : 'refused';
}

/** By key. */
function addressesOf(identifiers: readonly unknown[], names: CseNames): Map<string, Address> {
  const addresses = identifiers.filter((one) => typeof one === 'string').map((one) => addressOfFound(one, names));
  return new Map(addresses.map((address) => [keyOf(address), address]));
}

/** Child references: `ch` of a CSE base, or the list that rcn=6 brings. */
function childrenIn({ attributes, body }: AnswerView): unknown[] | undefined {
  const list = attributes?.ch ?? attributes?.rrf ?? (isObject(body) ? body['m2m:rrl'] : undefined);
  if (!Array.isArray(list)) return undefined;
  return list.map((one) => (isObject(one) ? (one.val ?? one.value) : one));
}

/** What two listings of a target, before and after a run, say about it, and whether it is reliable. */
export function surveyOf(before: Listing, after: Listing, holdings: Holdings, names: CseNames): Survey {
  const own = [...after.addresses.values()].filter((address) => holdings.holds(address));
  return {
    before: before.addresses.size,
    after: after.addresses.size,
    left: own.map((address) => pathOf(address, names)),
    others: before.unseen || after.unseen ? 0 : othersIn(before, after, holdings),
    ...defined({ reason: before.partial ?? after.partial }),
    ...damageIn(before, after),
  };
}

/** Broken before the run, or since, or with leftovers of earlier runs. */
function damageIn(before: Listing, after: Listing): Pick<Survey, 'unsound' | 'damaged' | 'earlier'> {
  if (before.unseen !== undefined) return before.unseen === 'failing' ? defined({ unsound: before.partial }) : {};
  const there = after.unseen === undefined ? leftByEarlierRuns(after) : undefined;
  const earlier = leftByEarlierRuns(before).filter((name) => there?.includes(name) !== false);
  const isDamaged = after.unseen !== undefined && after.unseen !== 'not looked';
  return { ...(isDamaged && defined({ damaged: after.partial })), ...(earlier.length > 0 && { earlier }) };
}

/** Prefix of the names of every run. */
const ofSomeRun = /^cl-[0-9a-z]{7}-/;

/** The topmost, by name. */
function leftByEarlierRuns({ addresses }: Listing): string[] {
  const names = [...addresses.values()].flatMap(({ segments }) => segments.find((one) => ofSomeRun.test(one)) ?? []);
  return [...new Set(names)];
}

/** Whether a complete listing by names does not show it. */
export function isContradicted(path: string, after: Listing, names: CseNames): boolean {
  if (after.partial !== undefined) return false;
  const address = resolveAddress(path, names);
  const isByNames = [...after.addresses.values()].every(({ segments }) => segments[0] === names.base);
  return (
    isByNames &&
    address.cseId === names.cseId &&
    address.segments[0] === names.base &&
    !after.addresses.has(keyOf(address))
  );
}

/** Added or removed resources that are not of the run. */
function othersIn(before: Listing, after: Listing, holdings: Holdings): number {
  const added = [...after.addresses].filter(([key, one]) => !before.addresses.has(key) && !holdings.holds(one));
  const gone = [...before.addresses.keys()].filter((key) => !after.addresses.has(key));
  return added.length + gone.length;
}
